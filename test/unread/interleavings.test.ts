/** Rare orders of events, forced by holding back the stream or one request to the database. */
import { isDeepStrictEqual } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { type Key, keys } from '../../src/dynamo/keys.ts';
import type { Change } from '../../src/stream/change.ts';
import type { Dispatcher } from '../../src/stream/dispatcher.ts';
import { type FaultProxy, type Json, startFaultProxy } from '../stream/support/faultProxy.ts';
import { queryBadge, shows, watchBadge } from '../support/clients/badges.ts';
import { JoinRoom, LeaveRoom, MarkRoomRead } from '../support/clients/operations.ts';
import { newUser, rawId, roomOf, say } from '../support/clients/people.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { positioned } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { createStreamGate } from '../support/stream/streamGate.ts';
import { createStreamMemory } from '../support/stream/streamMemory.ts';
import { eventually } from '../support/time/eventually.ts';

let database: TestDynamo;
let proxy: FaultProxy;
let app: TestApp;
const gate = createStreamGate();
const memory = createStreamMemory();

/** While it is closed, records of memberships are handled after all others, as if they were in another shard. */
const memberships = createStreamGate();

const membershipsApart = (dispatcher: Dispatcher): Dispatcher => {
  const late = memberships.wrapDispatcher(dispatcher);
  return {
    async dispatch(changes, signal) {
      const isMembership = ({ key }: Change) => key.type === 'membership';
      await dispatcher.dispatch(
        changes.filter((change) => !isMembership(change)),
        signal,
      );
      if (changes.some(isMembership)) await late.dispatch(changes.filter(isMembership), signal);
    },
    get deadLetterCount() {
      return dispatcher.deadLetterCount;
    },
  };
};

async function start(): Promise<void> {
  database = await openTestDynamo();
  proxy = await startFaultProxy(database.endpoint);
  app = await startTestApp({
    database: { ...database, endpoint: proxy.endpoint },
    wrapDispatcher: (dispatcher) => gate.wrapDispatcher(memory.wrapDispatcher(membershipsApart(dispatcher))),
  });
}

/** The keys of a request in DynamoDB's format. */
const keysOf = (requested: ReadonlyArray<{ pk: { S: string }; sk: { S: string } }>): Key[] =>
  requested.map(({ pk, sk }) => ({ pk: pk.S, sk: sk.S }));

afterEach(async () => {
  gate.open();
  memberships.open();
  await app.stop();
  await proxy.stop();
  await database.stop();
});

test('markRoomRead: a root that gets its position at the same moment counts as read', async () => {
  await start();
  const [aki, ben] = [await newUser(app), await newUser(app)];
  const roomId = await roomOf(aki, [ben]);
  const membership = keys.membership(aki.id, rawId(roomId));
  const badge = watchBadge(ben);
  await badge.next();
  gate.close();
  await say(aki, roomId, 'first');
  proxy.onRequest('TransactWriteItems', async ({ TransactItems: writes }) => {
    const { sk } = keys.member(rawId(roomId), ben.id);
    const isMark = writes.some(({ Update: one }: Json) => one?.Key.sk.S === sk);
    if (!isMark) return;
    gate.open();
    await positioned(database.dynamo, rawId(roomId));
    // The consumer has handled the root completely: its author's membership has the position.
    await eventually(async () =>
      expect(await database.dynamo.get(membership)).toMatchObject({ readPosition: 1 }),
    );
  });
  await ben.do(MarkRoomRead, { input: { roomId } });
  await say(aki, roomId, 'second');
  await say(aki, roomId, 'third');
  await shows(badge, { total: 2, notifications: 0, rooms: { [roomId]: 2 } });
});

test('unread: a room that is left and joined again while the badge reads it is counted once', async () => {
  await start();
  const [aki, ben] = [await newUser(app), await newUser(app)];
  const roomId = await roomOf(aki);
  const badge = watchBadge(ben);
  await badge.next();
  const room = rawId(roomId);
  const joinCount = () =>
    memory.changes.filter(
      ({ key, kind }) =>
        kind === 'INSERT' && key.type === 'membership' && key.user === ben.id && key.room === room,
    ).length;
  // Only the badge requests exactly these keys. The mutations read their payloads in another way.
  const wholeRoom = [keys.room(room), keys.seats(room), keys.counter(room)];
  const membership = [keys.membership(ben.id, room)];
  const reads: string[] = [];
  proxy.onRequest('BatchGetItem', async ({ RequestItems }) => {
    const requests = isDeepStrictEqual.bind(undefined, keysOf(RequestItems[database.table].Keys));
    if (requests(wholeRoom) && reads.length === 0) {
      reads.push('room');
      await ben.do(LeaveRoom, { roomId });
      await ben.do(JoinRoom, { roomId });
      await eventually(() => expect(joinCount()).toBe(2));
    } else if (requests(membership) && reads.length === 1) {
      reads.push('membership');
      await say(aki, roomId, 'hello');
      await positioned(database.dynamo, room);
    }
  });
  await ben.do(JoinRoom, { roomId });
  await eventually(() => expect(reads).toEqual(['room', 'membership']));
  await eventually(async () => expect((await queryBadge(ben)).total).toBe(1));
  await shows(badge, { total: 1, notifications: 0, rooms: { [roomId]: 1 } });
});

test('unread: a late record of a room that the user has left sends nothing of the room', async () => {
  await start();
  const [aki, ben] = [await newUser(app), await newUser(app)];
  const [left, stayed] = [await roomOf(aki, [ben]), await roomOf(aki, [ben])];
  await say(aki, left, 'a secret');
  await ben.do(LeaveRoom, { roomId: left });
  await eventually(() => expect(memory.changes.some(({ kind }) => kind === 'REMOVE')).toBe(true));
  const badge = watchBadge(ben);
  await badge.next();
  await memory.again();
  await say(aki, stayed, 'hello');
  await shows(badge, { total: 1, notifications: 0, rooms: { [stayed]: 1 } });
  expect(JSON.stringify(badge.seen)).not.toContain(left);
});

test('unread: the viewer’s own message is read if the stream has the membership after the room', async () => {
  await start();
  const [aki, ben] = [await newUser(app), await newUser(app)];
  const roomId = await roomOf(aki, [ben]);
  const [badge, other] = [watchBadge(aki), watchBadge(ben)];
  for (const open of [badge, other]) await open.next();
  await app.quiet();
  memberships.close();
  await say(aki, roomId, 'one');
  await shows(other, { total: 1, notifications: 0, rooms: { [roomId]: 1 } });
  memberships.open();
  await say(ben, roomId, 'two');
  await shows(badge, { total: 1, notifications: 0, rooms: { [roomId]: 1 } });
  // The only event is about the second message.
  const rooms = badge.seen.flatMap(({ unread }) => unread.rooms);
  expect(rooms.map(({ unreadCount, readPosition }) => [unreadCount, readPosition])).toEqual([[1, 1]]);
});
