/** Who × every mutation that is refused to them × how the room is × both transports. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { dump } from '../support/table.ts';
import { type Act, acts } from './acts.ts';
import { clientsOf, refusesNobody } from './clients.ts';
import { documentFor, given, leaksIn, payloadOf, sentence } from './mutations.ts';
import { acting, type Cell, type Position, positionOf, STATES, type State } from './oracle.ts';
import { type Asked, askedOf } from './questions.ts';
import { type Answer, TRANSPORTS } from './transports.ts';
import { castOf, createWorlds, variablesOf, type World } from './world.ts';

let app: TestApp;
let worlds: Readonly<Record<State, World>>;
beforeAll(async () => {
  app = await startTestApp();
  worlds = await createWorlds(app);
});
afterAll(() => app?.stop());

const documents = new Map<Act, string>();

/** With all that it could answer: to be refused, it makes no difference what is asked for. */
function greedy(act: Act): string {
  const owner: Cell = { who: 'owner', state: 'public' };
  const inner = ({ shape }: Asked) => given(askedOf(shape.type, owner));
  const document = documents.get(act) ?? documentFor(act, payloadOf(act, owner, 'owner'), inner);
  documents.set(act, document);
  return document;
}

/** What is wrong with the answer to an act that is to be refused with this code. */
function wrongRefusal(
  code: string,
  position: Position,
  { errors, data, closed, text }: Answer,
): string | null {
  if (position === 'nobody') {
    const wrong = refusesNobody({ errors, data, text, ...(closed === undefined ? {} : { closed }) });
    return wrong === null ? null : `expected ${code}, got ${wrong}`;
  }
  const got = errors.map(({ extensions, path }) => `${extensions?.code} at ${path}`).join(', ');
  if (got !== `${code} at did`) return `expected ${code}, got ${got || 'no error'}`;
  return data === null ? null : 'it answers with data';
}

/** Nothing comes of any of it, so all of them may try at once. */
async function wrongRefusals(cell: Cell): Promise<string[]> {
  const { who, state } = cell;
  const world = worlds[state];
  const position = positionOf(cell) as Position;
  const clients = await clientsOf(app.url, world, who);
  const [variables, nowhere] = [variablesOf(world, who), variablesOf(world, who, { nowhere: true })];
  const wrong: string[] = [];
  for (const act of acts) {
    const outcome = acting(act.name, cell);
    if (outcome === 'ok') continue;
    const document = greedy(act);
    const asked = TRANSPORTS.map(async (transport) => {
      // The websocket of an expired token is not so much as opened.
      if (who === 'expired' && transport === 'websocket' && act !== acts[0]) return;
      const say = (what: string) => wrong.push(sentence({ act, cell, transport }, what));
      const answer = await clients[transport].ask(document, variables);
      const refusal = wrongRefusal(outcome, position, answer);
      if (refusal !== null) say(refusal);
      for (const leak of leaksIn(world, position, answer)) say(`tells “${leak}”`);
      // Word by word: once is enough, for both transports send the same words.
      if (position !== 'unseen' || transport !== 'HTTP') return;
      const { text } = await clients[transport].ask(document, nowhere);
      if (text !== answer.text) say('not as in a room that there never was');
    });
    await Promise.all(asked);
  }
  await clients.websocket.close();
  return wrong;
}

test.each(STATES)(
  'in a room that is %s it is refused as it should be, and nothing is changed',
  async (state) => {
    const before = await dump(app.dynamo);
    const wrong = await Promise.all(castOf(state).map((who) => wrongRefusals({ who, state })));
    expect(wrong.flat()).toEqual([]);
    expect(await dump(app.dynamo)).toEqual(before);
  },
);
