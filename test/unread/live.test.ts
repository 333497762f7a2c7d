/** The badge's subscription: what it sends, and what it costs the client, other clients and the database. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import type { Cost } from '../../src/dynamo/metering.ts';
import { DeleteMessage } from '../messages/support/operations.ts';
import { folded, queryBadge, shows, watchBadge } from '../support/clients/badges.ts';
import { JoinRoom, LeaveRoom, MarkRoomRead, UnreadLive } from '../support/clients/operations.ts';
import { type Person, people, rawId, roomOf, say } from '../support/clients/people.ts';
import { positioned } from '../support/database/table.ts';
import { startTestApp, type TestApp, tokenFor } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';

const PUSH_EVERY_MS = 100;
/** How often a server compares what is live with the table, in seconds. */
const COMPARE_EVERY_S = 30;
/** How often the consumer reads its leases and the jobs that are due, at most, in each second. */
const CONSUMER_READS_PER_S = 2;

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
async function sendMany(count: number): Promise<string[]> {
  const ids: string[] = [];
  let begun = 0;
  const sender = async () => {
    while (begun++ < count) ids.push((await say(aki, roomId, 'one of many')).id);
  };
  await Promise.all(upTo(10).map(sender));
  return ids;
}

const unreadIn = (count: number) => ({ total: count, notifications: 0, rooms: { [roomId]: count } });

test('unread: the first event is the whole state', async () => {
  const other = await roomOf(aki, [ben]);
  await sendMany(3);
  await say(aki, other, 'elsewhere');
  await Promise.all([roomId, other].map((id) => positioned(app.dynamo, rawId(id))));
  const badge = watchBadge(ben);
  await badge.next();
  expect(folded(badge.seen)).toEqual({ total: 4, notifications: 0, rooms: { [roomId]: 3, [other]: 1 } });
});

test('unread: two hundred messages make at most one event in 100 ms, and the last one is current', async () => {
  const badge = watchBadge(ben);
  await badge.next();
  const started = performance.now();
  for (const half of [100, 200]) await Promise.all([sendMany(100), shows(badge, unreadIn(half))]);
  const periods = Math.ceil((performance.now() - started) / PUSH_EVERY_MS);
  expect(badge.seen.length - 1).toBeLessThanOrEqual(periods + 1);
});

test('unread: a room that falls to zero is sent once, with zero and its read position', async () => {
  const badge = watchBadge(ben);
  await badge.next();
  await sendMany(3);
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
  const other = watchBadge(ben);
  for (let n = 0; n < 20; n++) await say(aki, roomId, `${n}`);
  await shows(other, unreadIn(20));
  await say(ben, roomId, 'an answer');
  await shows(badge, unreadIn(1));
  expect(badge.seen.map(({ unread }) => unread.total).filter((total) => total > 1)).toEqual([]);
});

test('unread: sends a room that was just joined, and the id of one that was left', async () => {
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
  const [first] = await sendMany(2);
  await aki.do(DeleteMessage, { messageId: first ?? '' });
  await shows(badge, unreadIn(2));
  expect(await queryBadge(ben)).toEqual(unreadIn(2));
});

test('unread: a push to ten clients reads nothing from the database', async () => {
  const readers = await people(app, 10);
  for (const reader of readers) await reader.do(JoinRoom, { roomId });
  const badges = readers.map(watchBadge);
  for (const badge of badges) await badge.next();
  costs.length = 0;
  const started = performance.now();
  for (const n of upTo(10)) {
    // The API would read the author for its answer.
    await app.services.messages.send({ room: rawId(roomId), author: aki.id, body: `${n}` });
    await Promise.all(badges.map((badge) => shows(badge, unreadIn(n))));
  }
  const counts = (operation: string) => costs.filter((cost) => cost.operation === operation).length;
  // The hundred pushes read nothing. The consumer reads the room's counter before each write, and the rest depends only
  // on the time that the test took: on a busy machine, the consumer may also repeat a call that took too long.
  const seconds = (performance.now() - started) / 1_000;
  expect(counts('BatchGetItem')).toBeLessThanOrEqual(Math.ceil(seconds / COMPARE_EVERY_S) + 2);
  expect(counts('GetItem')).toBeLessThanOrEqual(counts('TransactWriteItems') + 5 + seconds);
  expect(counts('Query')).toBeLessThanOrEqual(5 + CONSUMER_READS_PER_S * seconds);
});

test('unread: subscriptions that are opened while users send miss no message', async () => {
  const readers = await people(app, 12);
  for (const reader of readers) await reader.do(JoinRoom, { roomId });
  const sending = sendMany(60);
  const badges = await Promise.all(
    readers.map(async (reader, i) => {
      for (let n = 0; n < i; n++) await reader.do(MarkRoomRead, { input: { roomId } });
      return watchBadge(reader);
    }),
  );
  await sending;
  await positioned(app.dynamo, rawId(roomId));
  for (const [i, badge] of badges.entries()) await shows(badge, await queryBadge(readers[i] ?? ben));
});

test('unread: a client that does not drain gets one event with the newest values when it continues', async () => {
  const changes = await app.services.badges.subscribe(ben.id);
  // Another client of the same user. When it has received an event, the server has it for the first client as well.
  const other = watchBadge(ben);
  try {
    expect((await changes.next()).value).toMatchObject({ total: 0, rooms: [] });
    await Promise.all([sendMany(50), shows(other, unreadIn(50))]);
    const { value } = await changes.next();
    expect(value).toMatchObject({ total: 50, rooms: [{ unreadCount: 50 }] });
    await ben.do(MarkRoomRead, { input: { roomId } });
    expect((await changes.next()).value).toMatchObject({ total: 0, rooms: [{ unreadCount: 0 }] });
  } finally {
    other.close();
    await changes.return?.();
  }
});

test('unread: a client that stops reading delays no other client, and then gets the newest values', async () => {
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
  const other = watchBadge(ben);
  await other.next();
  await Promise.all([sendMany(100), shows(other, unreadIn(100))]);
  expect(events).toHaveLength(1);
  socket.resume();
  await eventually(() => expect(events.at(-1)?.payload.data.unread.total).toBe(100));
  socket.terminate();
});

test('unread: a closed subscription leaves no room in the cache', async () => {
  const { badges, roomCache } = app.services;
  const badge = watchBadge(ben);
  await badge.next();
  expect(badges.openUsers).toBeGreaterThan(0);
  await Promise.all([aki, ben].map((person) => person.close()));
  badge.close();
  await eventually(() => expect(roomCache.get(rawId(roomId))).toBeUndefined());
});
