/** Who × every field, by every field that leads to it × how the room is × both transports. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeId } from '../../src/graphql/ids.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { clientsOf, refusesNobody } from './clients.ts';
import { judge, leaksIn, type Seen } from './judge.ts';
import { type Cell, type Position, positionOf, STATES, type State, type Who } from './oracle.ts';
import { documentOf, type Question, questionsOf, standsAlone, textOf } from './questions.ts';
import { rowsOf } from './schema.ts';
import { READING } from './table.ts';
import { type Answer, TRANSPORTS, type Transport } from './transports.ts';
import { nameOf, waysToEverything } from './ways.ts';
import { castOf, createWorlds, secretsFrom, variablesOf, type World } from './world.ts';

let app: TestApp;
let worlds: Readonly<Record<State, World>>;
beforeAll(async () => {
  app = await startTestApp();
  worlds = await createWorlds(app);
});
afterAll(() => app?.stop());

const ways = waysToEverything();
const seen: Record<Transport, Seen> = { HTTP: new Set(), websocket: new Set() };

/** Questions that are asked in one request. */
type Sheet = readonly Question[];

/** As many as a document bears: characters, which stay well under its limit of tokens. */
const SHEET_MAX = 5_500;

function sheetsFor(cell: Cell): Sheet[] {
  const questions = ways.flatMap((way) => questionsOf(way, cell));
  const sheets: Question[][] = [[]];
  let length = 0;
  for (const question of questions.filter((one) => !standsAlone(one))) {
    const { length: more } = textOf(question);
    if (length + more > SHEET_MAX) {
      sheets.push([]);
      length = 0;
    }
    sheets.at(-1)?.push(question);
    length += more;
  }
  return [...sheets, ...questions.filter(standsAlone).map((question) => [question])];
}

const documentFor = (sheet: Sheet): string =>
  documentOf('query', sheet.map((question, i) => `q${i}: ${textOf(question)}`).join('\n'));

interface Judging {
  readonly cell: Cell;
  readonly position: Position;
  readonly transport: Transport;
}

/** A sentence for each cell that is not as it should be. */
function wrongIn(sheet: Sheet, answer: Answer, { cell, position, transport }: Judging): string[] {
  const { who, state } = cell;
  const world = worlds[state];
  const at = (what: string) => `${who} × ${what} × ${state} × ${transport}`;
  const secrets = secretsFrom(world, position);
  const leaks = sheet.flatMap(({ way }, i) =>
    leaksIn(`q${i}`, answer, secrets).map((secret) => `${at(nameOf(way))}: tells “${secret}”`),
  );
  const untold = secrets.filter((secret) => answer.text.includes(secret));
  if (leaks.length === 0) leaks.push(...untold.map((secret) => `${at('a document')}: tells “${secret}”`));
  if (position === 'nobody') {
    const wrong = refusesNobody(answer);
    const [first] = sheet;
    const what = first === undefined ? '' : `${nameOf(first.way)} and others`;
    return wrong === null ? leaks : [...leaks, `${at(what)}: expected UNAUTHENTICATED, got ${wrong}`];
  }
  const whole = answer.errors.find(({ path }) => path === undefined);
  if (whole !== undefined || answer.closed !== undefined) {
    return [`${at('a whole document')}: ${whole?.message ?? answer.text}`];
  }
  const viewer = encodeId('User', world.players[who].id);
  const room = encodeId('Room', world.room);
  const wrong = sheet.flatMap((question, i) =>
    judge(question, { answer, alias: `q${i}`, viewer, room, seen: seen[transport] }),
  );
  return [
    ...leaks,
    ...wrong.map(({ what, expected, got }) => `${at(what)}: expected ${expected}, got ${got}`),
  ];
}

describe.each(STATES)('in a room that is %s', (state) => {
  test.each(castOf(state))('%s', async (who: Who) => {
    const cell: Cell = { who, state };
    const position = positionOf(cell) as Position;
    const world = worlds[state];
    const clients = await clientsOf(app.url, world, who);
    const variables = variablesOf(world, who);
    const nowhere = variablesOf(world, who, { nowhere: true });
    const wrong: string[] = [];
    for (const sheet of sheetsFor(cell)) {
      const document = documentFor(sheet);
      const asked = TRANSPORTS.map(async (transport) => {
        const [answer, elsewhere] = await Promise.all([
          clients[transport].ask(document, variables),
          // To who does not know of it the room is as one that there never was: byte by byte.
          position === 'unseen' ? clients[transport].ask(document, nowhere) : null,
        ]);
        wrong.push(...wrongIn(sheet, answer, { cell, position, transport }));
        const apart = elsewhere !== null && elsewhere.text !== answer.text;
        if (apart)
          wrong.push(`${who} × ${document} × ${state} × ${transport}: not as where no room ever was`);
      });
      await Promise.all(asked);
    }
    await clients.websocket.close();
    expect(wrong).toEqual([]);
  });
});

test.each(TRANSPORTS)(
  'over %s somebody has seen a value of each field: none is only refused',
  (transport) => {
    expect(rowsOf(READING).filter((row) => !seen[transport].has(row))).toEqual([]);
  },
);
