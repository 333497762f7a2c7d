import { afterAll, beforeAll, expect, test } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { createMarkAllRooms } from '../../src/unread/markAllRooms.ts';
import { graphql } from '../generated/gql.ts';
import { connectTo, type Person, people, rawId, roomOf, say } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { createStreamGate } from '../support/stream/streamGate.ts';
import { MarkAllRoomsRead } from './support/operations.ts';

const Unread = graphql(`query UnreadEverywhere { viewer { unread { total rooms { unreadCount } } } }`);

const HOUR_MS = 3_600_000;

const gate = createStreamGate();
let app: TestApp;
/** A server whose clock is a minute behind. */
let behind: TestApp;
beforeAll(async () => {
  app = await startTestApp({ wrapDispatcher: gate.wrapDispatcher });
  behind = await startTestApp({ database: app.database, role: 'api', now: () => Date.now() - 60_000 });
});
afterAll(async () => {
  await behind.stop();
  await app.stop();
});

const unreadOf = async (who: Person) => (await who.do(Unread, {})).viewer.unread;
const NONE = { total: 0, rooms: [] };

test('markAllRoomsRead: marks all rooms of the viewer, and of no other user', async () => {
  const [aki, ben, chi] = await people(app, 3);
  const rooms = [await roomOf(aki, [ben, chi]), await roomOf(aki, [ben]), await roomOf(aki, [ben])];
  for (const roomId of rooms.slice(0, 2)) await say(aki, roomId, 'unread');
  await app.quiet();
  expect((await unreadOf(ben)).total).toBe(2);
  expect((await ben.do(MarkAllRoomsRead, {})).markAllRoomsRead.unread).toEqual(NONE);
  await app.quiet();
  expect(await unreadOf(ben)).toEqual(NONE);
  expect((await unreadOf(chi)).total).toBe(1);
  // Idempotent.
  expect((await ben.do(MarkAllRoomsRead, {})).markAllRoomsRead.unread).toEqual(NONE);
  await say(aki, rooms[2] ?? '', 'later');
  await app.quiet();
  expect((await unreadOf(ben)).total).toBe(1);
});

test('markAllRoomsRead: also marks what the consumer has not counted yet', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  await app.quiet();
  gate.close();
  await say(aki, roomId, 'not counted yet');
  expect((await unreadOf(ben)).total).toBe(0);
  await ben.do(MarkAllRoomsRead, {});
  gate.open();
  await app.quiet();
  expect(await unreadOf(ben)).toEqual(NONE);
});

test('markAllRoomsRead: also marks what a server with a slow clock stored after a root that was counted', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  await say(aki, roomId, 'counted and read');
  await app.quiet();
  await ben.do(MarkAllRoomsRead, {});
  await app.quiet();
  gate.close();
  const akiBehind = await connectTo(behind, aki);
  await say(akiBehind, roomId, 'with an earlier timestamp, not counted yet');
  await akiBehind.close();
  await ben.do(MarkAllRoomsRead, {});
  gate.open();
  await app.quiet();
  expect(await unreadOf(ben)).toEqual(NONE);
});

test('markAllRoomsRead: writes nothing in rooms without unread roots whose newest root is older than the stream keeps', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  await say(aki, roomId, 'read');
  await app.quiet();
  await ben.do(MarkAllRoomsRead, {});
  await app.quiet();
  const membership = () => app.dynamo.get(keys.membership(ben.id, rawId(roomId)));
  const before = await membership();

  const { unread, readPositions } = app.services;
  const markAllAfter = async (ms: number) => {
    const { markRead } = readPositions;
    await createMarkAllRooms({ dynamo: app.dynamo, unread, markRead, now: () => Date.now() + ms })(ben.id);
    await app.quiet();
  };
  await markAllAfter(26 * HOUR_MS);
  expect(await membership()).toEqual(before);
  // A day later the stream may still have roots that were stored after it.
  await markAllAfter(24 * HOUR_MS);
  expect((await membership())?.rev).toBeGreaterThan(Number(before?.rev));
});
