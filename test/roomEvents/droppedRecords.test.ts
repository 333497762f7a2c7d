/** A stream that has dropped records: no client may count as live that has not seen what they said. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DeleteMessage, EditMessage } from '../messages/support/operations.ts';
import { type FaultProxy, type Json, startFaultProxy } from '../stream/faultProxy.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { recount } from '../support/badges.ts';
import { openTestDynamo, type TestDynamo } from '../support/dynamo.ts';
import { eventually } from '../support/eventually.ts';
import { JoinRoom } from '../support/operations.ts';
import { people, rawId, roomOf, say } from '../support/people.ts';
import { readRecords } from '../support/stream.ts';
import { positioned } from '../support/table.ts';
import { settled } from './support/model/real.ts';
import { openView, readRoom } from './support/model/view.ts';

let database: TestDynamo;
let proxy: FaultProxy;
let app: TestApp;
/** Records up to this sequence number have been dropped. */
let horizon = -1n;
/** Records of an item that contains this text cannot be read. */
const GARBLED = 'garbled';

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
  if (image?.body?.S === GARBLED) image.body = { X: 'a type of value that nobody knows' };
  return record;
}

/** Drops all records of what happens meanwhile before they are read. The consumer learns of it with its next request. */
async function forgetting(happens: () => Promise<void>): Promise<void> {
  horizon = 10n ** 40n;
  await happens();
  horizon = BigInt((await readRecords(database)).at(-1)?.dynamodb?.SequenceNumber ?? 0);
  proxy.fail('GetRecords', 'TrimmedDataAccessException', 3);
}

test('dropped records: clients that were live and clients that were away read the room again, once, and are live', async () => {
  const [aki, ben, chi, dan] = await people(app, 4);
  const roomId = await roomOf(aki, [ben, chi]);
  const root = await say(aki, roomId, 'root');
  const doomed = await say(aki, roomId, 'doomed');
  await settled({ dynamo: database.dynamo, rooms: [roomId] });
  const [live, away] = [await openView(ben, roomId), await openView(chi, roomId)];
  away.disconnect();

  await forgetting(async () => {
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
  away.showsAlready(await readRoom(chi, roomId));
  expect(away.resyncs).toBe(1);

  // No event of the room ever mentions it; what follows is sent as always.
  const fresh = await openView(dan, roomId);
  await say(aki, roomId, 'afterwards', root.id);
  for (const view of [live, away, fresh]) await view.shows(await readRoom(ben, roomId));
  expect([live.resyncs, away.resyncs, fresh.resyncs]).toEqual([1, 1, 0]);
  for (const view of [live, away, fresh]) view.disconnect();
});

test('dropped records: clients read a room again, too, in which nothing is known to have happened', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  const root = await say(aki, roomId, 'root');
  await settled({ dynamo: database.dynamo, rooms: [roomId] });
  const [live, away] = [await openView(ben, roomId), await openView(aki, roomId)];
  away.disconnect();
  await forgetting(async () => {
    await aki.do(EditMessage, { messageId: root.id, body: 'edited' });
  });
  await live.shows(await readRoom(ben, roomId));
  await away.resume(aki);
  away.showsAlready(await readRoom(ben, roomId));
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
  away.showsAlready(await readRoom(chi, roomId));
  for (const room of [roomId, elsewhere]) await say(aki, room, 'afterwards');
  // What is read has its position, like what is sent.
  for (const room of [roomId, elsewhere]) await positioned(database.dynamo, rawId(room));
  for (const view of [live, away]) await view.shows(await readRoom(ben, roomId));
  await other.shows(await readRoom(ben, elsewhere));
  expect([live.resyncs, away.resyncs, other.resyncs]).toEqual([1, 1, 0]);
  for (const view of [live, away, other]) view.disconnect();
});

test('unreadable record: its root gets a position all the same, and its author receives what follows', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  await say(aki, roomId, GARBLED);
  await say(ben, roomId, 'an answer');
  const roots = await positioned(database.dynamo, rawId(roomId));
  expect(roots.map(({ body }) => body).sort()).toEqual(['an answer', GARBLED].sort());
  await eventually(async () => expect((await recount(aki)).rooms).toEqual({ [roomId]: 1 }));
});
