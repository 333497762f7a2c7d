/** What an open badge costs its reader, its neighbours and the database. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import type { Cost } from '../../src/dynamo/cost.ts';
import { DeleteMessage } from '../messages/support/operations.ts';
import { startTestApp, type TestApp, tokenFor } from '../support/app.ts';
import { folded, recount, shows, watchBadge } from '../support/badges.ts';
import { eventually } from '../support/eventually.ts';
import { JoinRoom, LeaveRoom, MarkRoomRead, UnreadLive } from '../support/operations.ts';
import { type Person, people, rawId, roomOf, say } from '../support/people.ts';
import { positioned } from '../support/table.ts';

const PUSH_EVERY_MS = 100;
/** How often a server compares what is live with the table. */
const COMPARED_EVERY_MS = 30_000;

const costs: Cost[] = [];
let app: TestApp;
let aki: Person;
let ben: Person;
let roomId: string;
beforeAll(async () => {
  app = await startTestApp({ onCost: (cost) => costs.push(cost) });
});
afterAll(() => app.stop());
beforeEach(async () => {
  [aki, ben] = await people(app, 2);
  roomId = await roomOf(aki, [ben]);
});

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

/** Sends this many messages as fast as ten senders can. Resolves to their ids. */
async function storm(count: number): Promise<string[]> {
  const ids: string[] = [];
  let begun = 0;
  const sender = async () => {
    while (begun++ < count) ids.push((await say(aki, roomId, 'storm')).id);
  };
  await Promise.all(upTo(10).map(sender));
  return ids;
}

const unreadIn = (count: number) => ({ total: count, notifications: 0, rooms: { [roomId]: count } });

test('unread: the first event is the whole state', async () => {
  const other = await roomOf(aki, [ben]);
  await storm(3);
  await say(aki, other, 'elsewhere');
  await Promise.all([roomId, other].map((id) => positioned(app.dynamo, rawId(id))));
  const badge = watchBadge(ben);
  await badge.next();
  expect(folded(badge.seen)).toEqual({ total: 4, notifications: 0, rooms: { [roomId]: 3, [other]: 1 } });
});

test('unread: two hundred messages are at most one event in 100 ms, and the last one is right', async () => {
  const badge = watchBadge(ben);
  await badge.next();
  const started = performance.now();
  for (const half of [100, 200]) await Promise.all([storm(100), shows(badge, unreadIn(half))]);
  const periods = Math.ceil((performance.now() - started) / PUSH_EVERY_MS);
  expect(badge.seen.length - 1).toBeLessThanOrEqual(periods + 1);
});

test('unread: a room that falls to zero is sent once, with zero and its read position', async () => {
  const badge = watchBadge(ben);
  await badge.next();
  await storm(3);
  await shows(badge, unreadIn(3));
  await ben.do(MarkRoomRead, { input: { roomId } });
  await shows(badge, { total: 0, notifications: 0, rooms: {} });
  await ben.do(MarkRoomRead, { input: { roomId } });
  await say(aki, roomId, 'one more');
  await shows(badge, unreadIn(1));
  const positions = badge.seen.flatMap(({ unread }) => unread.rooms.map(({ readPosition }) => readPosition));
  expect([...new Set(positions)]).toEqual([0, 3]);
  const zeros = badge.seen.filter(({ unread }) => unread.rooms.some(({ unreadCount }) => unreadCount === 0));
  expect(zeros).toHaveLength(1);
});

test('unread: the viewer’s own message never counts', async () => {
  const badge = watchBadge(aki);
  await badge.next();
  const witness = watchBadge(ben);
  for (let n = 0; n < 20; n++) await say(aki, roomId, `${n}`);
  await shows(witness, unreadIn(20));
  await say(ben, roomId, 'an answer');
  await shows(badge, unreadIn(1));
  expect(badge.seen.map(({ unread }) => unread.total).filter((total) => total > 1)).toEqual([]);
});

test('unread: has a room that was just joined, and names one that was left as removed', async () => {
  const badge = watchBadge(ben);
  await badge.next();
  const other = await roomOf(aki, [], { name: 'Other' });
  await ben.do(JoinRoom, { roomId: other });
  const joined = await badge.until(({ unread }) => unread.rooms.some(({ room }) => room.id === other));
  expect(joined.unread.rooms).toMatchObject([
    { unreadCount: 0, room: { name: 'Other' }, membership: { role: 'MEMBER' } },
  ]);
  await ben.do(LeaveRoom, { roomId: other });
  const left = await badge.until(({ unread }) => unread.removedRoomIds.length > 0);
  expect(left.unread).toMatchObject({ removedRoomIds: [other], rooms: [] });
});

test('unread: a deleted message stays counted', async () => {
  const badge = watchBadge(ben);
  const [first] = await storm(2);
  await aki.do(DeleteMessage, { messageId: first ?? '' });
  await shows(badge, unreadIn(2));
  expect(await recount(ben)).toEqual(unreadIn(2));
});

test('unread: no push reads from the database, however many readers there are', async () => {
  const readers = await people(app, 10);
  for (const reader of readers) await reader.do(JoinRoom, { roomId });
  const badges = readers.map(watchBadge);
  for (const badge of badges) await badge.next();
  costs.length = 0;
  const started = performance.now();
  for (const n of upTo(10)) {
    // Not through the API, whose answer would read the author.
    await app.services.messages.send({ room: rawId(roomId), author: aki.id, body: `${n}` });
    await Promise.all(badges.map((badge) => shows(badge, unreadIn(n))));
  }
  const counts = (operation: string) => costs.filter((cost) => cost.operation === operation).length;
  // The consumer reads the room's counter before it writes; nothing reads for the hundred pushes, but the server may
  // compare what it knows just now.
  const compared = Math.ceil((performance.now() - started) / COMPARED_EVERY_MS);
  expect(counts('BatchGetItem')).toBeLessThanOrEqual(compared);
  expect(counts('GetItem')).toBeLessThanOrEqual(counts('TransactWriteItems') + 5);
  // Its leases, now and then.
  expect(counts('Query')).toBeLessThanOrEqual(5);
});

test('unread: subscriptions that are opened while messages are being sent miss none', async () => {
  const readers = await people(app, 12);
  for (const reader of readers) await reader.do(JoinRoom, { roomId });
  const sending = storm(60);
  const badges = await Promise.all(
    readers.map(async (reader, i) => {
      for (let n = 0; n < i; n++) await reader.do(MarkRoomRead, { input: { roomId } });
      return watchBadge(reader);
    }),
  );
  await sending;
  await positioned(app.dynamo, rawId(roomId));
  for (const [i, badge] of badges.entries()) await shows(badge, await recount(readers[i] ?? ben));
});

test('unread: a client that does not drain gets one event with the newest values when it continues', async () => {
  const changes = await app.services.badges.subscribe(ben.id);
  // The same user's: when it has received the event, the other one would have, too.
  const witness = watchBadge(ben);
  try {
    expect((await changes.next()).value).toMatchObject({ total: 0, rooms: [] });
    await Promise.all([storm(50), shows(witness, unreadIn(50))]);
    const { value } = await changes.next();
    expect(value).toMatchObject({ total: 50, rooms: [{ unreadCount: 50 }] });
    await ben.do(MarkRoomRead, { input: { roomId } });
    expect((await changes.next()).value).toMatchObject({ total: 0, rooms: [{ unreadCount: 0 }] });
  } finally {
    witness.close();
    await changes.return?.();
  }
});

test('unread: a client that stops reading holds up no one, and has the newest values when it continues', async () => {
  const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const events: Array<{ payload: { data: { unread: { total: number } } } }> = [];
  const acknowledged = new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      const message = JSON.parse(String(data));
      if (message.type === 'connection_ack') resolve();
      if (message.type === 'next') events.push(message);
    });
  });
  const send = (message: object) => socket.send(JSON.stringify(message));
  socket.once('open', async () => {
    const authorization = `Bearer ${await tokenFor(ben.handle)}`;
    send({ type: 'connection_init', payload: { authorization } });
  });
  await acknowledged;
  send({ id: '1', type: 'subscribe', payload: { query: UnreadLive.toString() } });
  await eventually(() => expect(events).toHaveLength(1));

  socket.pause();
  const neighbour = watchBadge(ben);
  await neighbour.next();
  await Promise.all([storm(100), shows(neighbour, unreadIn(100))]);
  expect(events).toHaveLength(1);
  socket.resume();
  await eventually(() => expect(events.at(-1)?.payload.data.unread.total).toBe(100));
  socket.terminate();
});

test('unread: a subscription that is closed leaves nothing behind', async () => {
  const { badges, roomCache } = app.services;
  const badge = watchBadge(ben);
  await badge.next();
  expect(badges.openUsers).toBeGreaterThan(0);
  await Promise.all([aki, ben].map((person) => person.close()));
  badge.close();
  await eventually(() => expect(roomCache.get(rawId(roomId))).toBeUndefined());
});
