/** The stream has dropped records. A client that missed their changes must not be live before it has read them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { DeleteMessage, EditMessage } from '../messages/support/operations.ts';
import { type FaultProxy, type Json, startFaultProxy } from '../stream/support/faultProxy.ts';
import { queryBadge } from '../support/clients/badges.ts';
import { JoinRoom, MarkRoomRead } from '../support/clients/operations.ts';
import { people, rawId, roomOf, say } from '../support/clients/people.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { positioned } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { readRecords } from '../support/stream/stream.ts';
import { eventually } from '../support/time/eventually.ts';
import { settled } from './support/model/real.ts';
import { openView, readRoom } from './support/model/view.ts';

let database: TestDynamo;
let proxy: FaultProxy;
let app: TestApp;
/** Records up to this sequence number have been dropped. */
let horizon = -1n;
/** Records of an item that contains this text cannot be read. */
const GARBLED = 'garbled';
/** Whether the first record of a mark cannot be read either, and how often such a record was delivered. */
let isMarkGarbled = false;
let garbledMarks = 0;

beforeAll(async () => {
  database = await openTestDynamo({ file: true });
  proxy = await startFaultProxy(database.endpoint);
  proxy.rewrite('GetRecords', (page) => ({
    ...page,
    Records: page.Records.filter((record: Json) => BigInt(record.dynamodb.SequenceNumber) > horizon).map(
      garbled,
    ),
  }));
  app = await startTestApp({ database: { ...database, endpoint: proxy.endpoint } });
});
afterAll(async () => {
  await app.stop();
  await proxy.stop();
  await database.stop();
});

function garbled(record: Json): Json {
  const image = record.dynamodb.NewImage;
  const unknown = { X: 'an unknown type of value' };
  if (image?.body?.S === GARBLED) image.body = unknown;
  if (isMarkGarbled && image?.readMark !== undefined && image.readMarkAgain === undefined) {
    image.readMark = unknown;
    garbledMarks++;
  }
  return record;
}

/** Drops all records of these changes before they are read. The consumer's next request fails for that reason. */
async function dropRecordsOf(changes: () => Promise<void>): Promise<void> {
  horizon = 10n ** 40n;
  await changes();
  horizon = BigInt((await readRecords(database)).at(-1)?.dynamodb?.SequenceNumber ?? 0);
  proxy.fail('GetRecords', 'TrimmedDataAccessException', 3);
}

test('dropped records: live clients and clients that reconnect read the room again once and are live', async () => {
  const [aki, ben, chi, dan] = await people(app, 4);
  const roomId = await roomOf(aki, [ben, chi]);
  const root = await say(aki, roomId, 'root');
  const doomed = await say(aki, roomId, 'doomed');
  await settled({ dynamo: database.dynamo, rooms: [roomId] });
  const [live, away] = [await openView(ben, roomId), await openView(chi, roomId)];
  away.disconnect();

  await dropRecordsOf(async () => {
    await say(aki, roomId, 'reply', root.id);
    await aki.do(EditMessage, { messageId: root.id, body: 'edited' });
    await aki.do(DeleteMessage, { messageId: doomed.id });
    await dan.do(JoinRoom, { roomId });
    await say(aki, roomId, 'another root');
  });
  await positioned(database.dynamo, rawId(roomId));
  await live.shows(await readRoom(ben, roomId));
  expect(live.resyncs).toBe(1);
  await away.resume(chi);
  away.expectState(await readRoom(chi, roomId));
  expect(away.resyncs).toBe(1);

  // A view that was opened later needs no resync. Later changes are sent as events to all views.
  const fresh = await openView(dan, roomId);
  await say(aki, roomId, 'afterwards', root.id);
  for (const view of [live, away, fresh]) await view.shows(await readRoom(ben, roomId));
  expect([live.resyncs, away.resyncs, fresh.resyncs]).toEqual([1, 1, 0]);
  for (const view of [live, away, fresh]) view.disconnect();
});

test('dropped records: clients also read a room again if none of its records was left', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  const root = await say(aki, roomId, 'root');
  await settled({ dynamo: database.dynamo, rooms: [roomId] });
  const [live, away] = [await openView(ben, roomId), await openView(aki, roomId)];
  away.disconnect();
  await dropRecordsOf(async () => {
    await aki.do(EditMessage, { messageId: root.id, body: 'edited' });
  });
  await live.shows(await readRoom(ben, roomId));
  await away.resume(aki);
  away.expectState(await readRoom(ben, roomId));
  expect([live.resyncs, away.resyncs]).toEqual([1, 1]);
  live.disconnect();
});

test('unreadable record: only the readers of its room read again, once', async () => {
  const [aki, ben, chi] = await people(app, 3);
  const [roomId, elsewhere] = [await roomOf(aki, [ben, chi]), await roomOf(aki, [ben])];
  const root = await say(aki, roomId, 'root');
  await settled({ dynamo: database.dynamo, rooms: [roomId, elsewhere] });
  const [live, away, other] = [
    await openView(ben, roomId),
    await openView(chi, roomId),
    await openView(ben, elsewhere),
  ];
  away.disconnect();
  await aki.do(EditMessage, { messageId: root.id, body: GARBLED });
  await live.shows(await readRoom(ben, roomId));
  await away.resume(chi);
  away.expectState(await readRoom(chi, roomId));
  for (const room of [roomId, elsewhere]) await say(aki, room, 'afterwards');
  // Wait for the positions, so that what is read equals what is sent.
  for (const room of [roomId, elsewhere]) await positioned(database.dynamo, rawId(room));
  for (const view of [live, away]) await view.shows(await readRoom(ben, roomId));
  await other.shows(await readRoom(ben, elsewhere));
  expect([live.resyncs, away.resyncs, other.resyncs]).toEqual([1, 1, 0]);
  for (const view of [live, away, other]) view.disconnect();
});

test('unreadable record: its root still gets a position, and its author receives later messages', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  await say(aki, roomId, GARBLED);
  await say(ben, roomId, 'an answer');
  const roots = await positioned(database.dynamo, rawId(roomId));
  expect(roots.map(({ body }) => body).sort()).toEqual(['an answer', GARBLED].sort());
  await eventually(async () => expect((await queryBadge(aki)).rooms).toEqual({ [roomId]: 1 }));
});

test('unreadable record: a mark that everything is read still gets its position', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  await say(aki, roomId, 'read');
  await positioned(database.dynamo, rawId(roomId));
  isMarkGarbled = true;
  await ben.do(MarkRoomRead, { input: { roomId } });
  await eventually(() => expect(garbledMarks).toBeGreaterThan(0));
  const membership = keys.membership(ben.id, rawId(roomId));
  await eventually(async () => expect(await database.dynamo.get(membership)).not.toHaveProperty('readMark'));
  isMarkGarbled = false;
  expect((await queryBadge(ben)).rooms).toEqual({});
  await say(aki, roomId, 'unread');
  await eventually(async () => expect((await queryBadge(ben)).rooms).toEqual({ [roomId]: 1 }));
});
