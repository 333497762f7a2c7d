/** Who × every mutation that they may do × how the room is × both transports. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeId } from '../../src/graphql/ids.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { openTestDynamo, type TestDynamo } from '../support/dynamo.ts';
import { type Act, acts, type Setting } from './acts.ts';
import { type Clients, clientsOf } from './clients.ts';
import {
  contentsOf,
  errorsAt,
  type Fields,
  isObject,
  judgeFields,
  listed,
  objectsIn,
  type Seen,
} from './judge.ts';
import { type Asking, documentFor, given, leaksIn, payloadOf, sentence } from './mutations.ts';
import {
  acting,
  type Cell,
  type Position,
  positionAfter,
  positionOf,
  STATES,
  type State,
  type Who,
} from './oracle.ts';
import { type Asked, askedOf, isCode } from './questions.ts';
import { globalUser, playerNamed } from './scene.ts';
import { rowsOf } from './schema.ts';
import { ACTING } from './table.ts';
import { type Answer, TRANSPORTS, type Transport } from './transports.ts';
import { castOf, createWorlds, variablesOf, type World } from './world.ts';

let database: TestDynamo;
let app: TestApp;
let worlds: Readonly<Record<State, World>>;
beforeAll(async () => {
  database = await openTestDynamo({ file: true });
  const whole = await startTestApp({ database });
  worlds = await createWorlds(whole, SPARES);
  await whole.stop();
  // What the stream derives of what comes now is of no interest here.
  app = await startTestApp({ database, role: 'api' });
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

/** As many members are removed, banned or promoted in one room. */
const SPARES = 12;

const seen: Record<Transport, Seen> = { HTTP: new Set(), websocket: new Set() };

interface Doing extends Asking {
  readonly clients: Clients;
}

/** Does it, and makes it undone. */
async function perform({ act, cell: { who, state }, transport, clients }: Doing, document: string) {
  const world = worlds[state];
  const asker = world.players[who];
  const setting: Setting = {
    ...{ services: app.services, world, who, asker },
    newcomer: () => playerNamed(app, 'newcomer'),
  };
  const variables = { ...variablesOf(world, who), ...(await act.given?.(setting)) };
  const answer = await clients[transport].ask(document, variables);
  await act.undo?.(setting);
  return { world, answer, viewer: globalUser(asker), ownMembership: String(variables.ownMembership) };
}

/** What is wrong with what somebody is answered who may. */
async function wrongIn(doing: Doing): Promise<string[]> {
  const { act, cell, transport } = doing;
  const after = positionAfter(act.name, cell);
  const payload = payloadOf(act, cell, after);
  const inner = ({ shape }: Asked) => askedOf(shape.type, cell, after);
  const { world, answer, viewer, ownMembership } = await perform(
    doing,
    documentFor(act, payload, (one) => given(inner(one))),
  );
  const told = errorsAt('did', answer);
  if (told.length > 0 || !isObject(answer.data)) {
    return [sentence(doing, `expected that it is done, got ${listed(told) || answer.text}`)];
  }
  const did = objectsIn(answer.data.did);
  seen[transport].add(`Mutation.${act.field}`);
  const wrong = [
    ...judgeFields(payload, did, { viewer, seen: seen[transport] }),
    ...payload.flatMap((one) => {
      const things: Fields[] = did.flatMap((object) => contentsOf(object[one.field]).filter(isObject));
      return judgeFields(given(inner(one)), things, { viewer, seen: new Set(), plenty: false });
    }),
  ].map(({ what, expected, got }) => sentence(doing, `${what}: expected ${expected}, got ${got}`));
  // What they know as the ones who do it: that they were there, and what let them in.
  const theirs = [ownMembership, world.code];
  const leaks = isAnothers(act, cell) ? ofThisRoom(world, answer) : leaksIn(world, after, answer);
  return [
    ...wrong,
    ...leaks.filter((leak) => !theirs.includes(leak)).map((leak) => sentence(doing, `tells “${leak}”`)),
    ...(await wrongBeneath(doing)),
  ];
}

/** Rooms that they make, or open with its people, are not this one. */
const isAnothers = ({ name }: Act, { who, state }: Cell): boolean =>
  name === 'createRoom' ||
  (name === 'openDirectRoom' && !(state === 'direct' && ['left', 'member', 'owner'].includes(who)));

const ofThisRoom = ({ room, words }: World, { text }: Answer): string[] =>
  [encodeId('Room', room), words.body].filter((secret) => text.includes(secret));

/** What is not theirs to see is refused beneath what they are answered, too. */
async function wrongBeneath(doing: Doing): Promise<string[]> {
  const { act, cell } = doing;
  const after = positionAfter(act.name, cell);
  const wrong: string[] = [];
  for (const one of payloadOf(act, cell, after)) {
    const refused = askedOf(one.shape.type, cell, after).filter(({ verdict }) => isCode(verdict));
    if (refused.length === 0 || !one.shape.isObject) continue;
    const { answer } = await perform(
      doing,
      documentFor(act, [one], () => refused),
    );
    const told = errorsAt('did', answer);
    const expected = refused.map(({ field, verdict }) => `${verdict} at ${one.field}.${field}`);
    const good = told.length > 0 && told.every((error) => expected.includes(listed([error])));
    const absent = one.row.sparse === true && told.length === 0 && !answer.text.includes('edges');
    if (!good && !absent)
      wrong.push(sentence(doing, `${one.name}: expected ${expected}, got ${answer.text}`));
  }
  return wrong;
}

const outsidersFirst = (state: State): Who[] => {
  const positions = (...all: Position[]) =>
    castOf(state).filter((who) => all.some((one) => one === positionOf({ who, state })));
  return [...positions('seen', 'unseen'), ...positions('member', 'moderator', 'owner', 'equal')];
};

describe.each(STATES)('in a room that is %s, what is allowed is done', (state) => {
  // Who is in the room last: a full one is none any more once they have left it.
  test.each(outsidersFirst(state))('for %s', async (who: Who) => {
    const cell: Cell = { who, state };
    const wrong: string[] = [];
    const clients = await clientsOf(app.url, worlds[state], who);
    for (const act of acts.filter(({ name }) => acting(name, cell) === 'ok')) {
      for (const transport of TRANSPORTS) {
        wrong.push(...(await wrongIn({ act, cell, transport, clients })));
      }
    }
    await clients.websocket.close();
    expect(wrong).toEqual([]);
  });
});

test.each(TRANSPORTS)('over %s somebody has seen a value of all that mutations answer', (transport) => {
  expect(rowsOf(ACTING).filter((row) => !seen[transport].has(row))).toEqual([]);
});
