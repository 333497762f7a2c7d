import { afterAll, beforeAll, expect, test } from 'vitest';
import { graphql } from '../generated/gql.ts';
import { type Person, people, roomOf, say } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { createStreamGate } from '../support/stream/streamGate.ts';

const MarkAll = graphql(`mutation MarkAll { markAllRoomsRead { unread { total rooms { unreadCount } } } }`);
const Unread = graphql(`query UnreadEverywhere { viewer { unread { total rooms { unreadCount } } } }`);

const gate = createStreamGate();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ wrapDispatcher: gate.wrapDispatcher });
});
afterAll(() => app.stop());

const unreadOf = async (who: Person) => (await who.do(Unread, {})).viewer.unread;
const NONE = { total: 0, rooms: [] };

test('markAllRoomsRead: marks all rooms of the viewer, and of no other user', async () => {
  const [aki, ben, chi] = await people(app, 3);
  const rooms = [await roomOf(aki, [ben, chi]), await roomOf(aki, [ben]), await roomOf(aki, [ben])];
  for (const roomId of rooms.slice(0, 2)) await say(aki, roomId, 'unread');
  await app.quiet();
  expect((await unreadOf(ben)).total).toBe(2);
  expect((await ben.do(MarkAll, {})).markAllRoomsRead.unread).toEqual(NONE);
  await app.quiet();
  expect(await unreadOf(ben)).toEqual(NONE);
  expect((await unreadOf(chi)).total).toBe(1);
  // Idempotent.
  expect((await ben.do(MarkAll, {})).markAllRoomsRead.unread).toEqual(NONE);
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
  await ben.do(MarkAll, {});
  gate.open();
  await app.quiet();
  expect(await unreadOf(ben)).toEqual(NONE);
});
