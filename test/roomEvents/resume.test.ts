import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { createRoomLog } from '../../src/roomEvents/roomLog.ts';
import { DeleteMessage, EditMessage } from '../messages/support/operations.ts';
import { startFaultProxy } from '../stream/support/faultProxy.ts';
import { connectTo, newUser, type Person, people, rawId, roomOf, say } from '../support/clients/people.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { itemsIn, positioned } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { createStreamGate } from '../support/stream/streamGate.ts';
import { settled } from './support/model/real.ts';
import { openView, readRoom } from './support/model/view.ts';

let database: TestDynamo;
let app: TestApp;
const gate = createStreamGate();
beforeAll(async () => {
  database = await openTestDynamo({ file: true });
  app = await startTestApp({ database, wrapDispatcher: gate.wrapDispatcher });
});
afterAll(async () => {
  await app.stop();
  await database.stop();
});

const count = (n: number) => Array.from({ length: n }, (_, i) => `message ${i + 1}`);
const settledIn = (roomId: string) => settled({ dynamo: database.dynamo, rooms: [roomId] });

/** Makes changes of each kind, while no client is subscribed. */
async function makeChanges(person: Person, roomId: string): Promise<void> {
  const root = await say(person, roomId, 'root');
  const reply = await say(person, roomId, 'reply', root.id);
  await person.do(EditMessage, { messageId: root.id, body: 'edited' });
  await person.do(DeleteMessage, { messageId: reply.id });
  for (const body of count(10)) await say(person, roomId, body);
}

test('roomEvents: a client whose socket broke continues from its last cursor', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  const view = await openView(ben, roomId);
  await say(aki, roomId, 'seen');
  await settledIn(roomId);
  await view.shows(await readRoom(ben, roomId));
  await ben.close();
  view.disconnect();
  await makeChanges(aki, roomId);
  await settledIn(roomId);
  const again = await connectTo(app, ben);
  await view.resume(again);
  view.expectState(await readRoom(again, roomId));
  expect(view.resyncs).toBe(0);
});

test('roomEvents: another server and a restarted one continue from the same cursor', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  const view = await openView(ben, roomId);
  view.disconnect();
  await makeChanges(aki, roomId);
  await settledIn(roomId);

  const other = await startTestApp({ database, role: 'api' });
  const benThere = await connectTo(other, ben);
  await view.resume(benThere);
  view.expectState(await readRoom(benThere, roomId));
  view.disconnect();
  await other.stop();

  await makeChanges(aki, roomId);
  await app.stop();
  app = await startTestApp({ database, wrapDispatcher: gate.wrapDispatcher });
  const benBack = await connectTo(app, ben);
  await settledIn(roomId);
  await view.resume(benBack);
  view.expectState(await readRoom(benBack, roomId));
  expect(view.resyncs).toBe(0);
});

test('roomEvents: changes that are made while the consumer is down are sent when it is back', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  await settledIn(roomId);
  const [connected, away] = [await openView(ben, roomId), await openView(aki, roomId)];
  gate.close();
  try {
    await makeChanges(aki, roomId);
    expect(Object.keys((await readRoom(ben, roomId)).messages)).toHaveLength(12);
    // Changes that are not in the log yet are not sent, and cause no resync.
    away.disconnect();
    await away.resume(aki);
    expect(Object.keys(away.state.messages)).toHaveLength(0);
  } finally {
    gate.open();
  }
  await settledIn(roomId);
  const fresh = await readRoom(ben, roomId);
  await connected.shows(fresh);
  await away.shows(fresh);
  expect(connected.resyncs + away.resyncs).toBe(0);
});

describe('roomEvents: ResyncRequired', () => {
  test('is not sent after 1,000 missed changes, which are sent one by one, and is sent after one more', async () => {
    const [aki, ben] = await people(app, 2);
    const roomId = await roomOf(aki, [ben]);
    await settledIn(roomId);
    const [some, more] = [await openView(ben, roomId), await openView(ben, roomId)];
    some.disconnect();
    more.disconnect();
    const log = createRoomLog(database);
    const enter = (n: number) =>
      log.append(
        rawId(roomId),
        Array.from({ length: n }, () => ({ entry: { type: 'member' as const, user: aki.id } })),
      );
    await enter(999);
    await say(aki, roomId, 'the thousandth');
    await settledIn(roomId);
    await some.resume(ben);
    expect(some.resyncs).toBe(0);
    await enter(1);
    await more.resume(ben);
    expect(more.resyncs).toBe(1);
    await say(aki, roomId, 'live');
    await settledIn(roomId);
    for (const view of [some, more]) await view.shows(await readRoom(ben, roomId));
  });

  test.each([
    ['has expired', (item: Record<string, unknown>) => ({ ...item, expiresAt: 1 })],
    ['was deleted', () => undefined],
  ])('is sent if a part of the log %s', async (_, change) => {
    const [aki, ben] = await people(app, 2);
    const roomId = await roomOf(aki, [ben]);
    const view = await openView(ben, roomId);
    view.disconnect();
    await say(aki, roomId, 'one');
    await say(aki, roomId, 'two');
    await settledIn(roomId);
    const [item] = (await itemsIn(database.dynamo, ranges.log(rawId(roomId), 1, 100))).slice(-1);
    if (item === undefined) throw new Error('The log is empty.');
    const key = keys.log(rawId(roomId), Number(item.sk));
    const replaced = change(item);
    if (replaced === undefined) await database.dynamo.remove(key);
    else await database.dynamo.put({ ...replaced, ...key });
    await view.resume(ben);
    expect(view.resyncs).toBe(1);
    view.expectState(await readRoom(ben, roomId));
    await say(aki, roomId, 'live');
    await positioned(database.dynamo, rawId(roomId));
    await view.shows(await readRoom(ben, roomId));
  });
});

describe('Room.eventsCursor: between a query and the subscription that follows', () => {
  test('no message is missed while users send', async () => {
    const [aki, ben, chi, dan] = await people(app, 4);
    const roomId = await roomOf(aki, [ben, chi, dan]);
    const root = await say(aki, roomId, 'root');
    let isOver = false;
    const sending = Promise.all(
      [aki, ben, chi].map(async (person) => {
        for (const body of count(12)) {
          await say(person, roomId, body);
          await say(person, roomId, body, root.id);
        }
      }),
    ).finally(() => {
      isOver = true;
    });
    const views = [];
    while (!isOver || views.length === 0) views.push(await openView(dan, roomId));
    await sending;
    await settledIn(roomId);
    const fresh = await readRoom(dan, roomId);
    for (const view of views) await view.shows(fresh);
    expect(views.map(({ resyncs }) => resyncs)).toEqual(views.map(() => 0));
  });

  test('the cursor is read before the page, never together with it', async () => {
    const own = await openTestDynamo();
    const proxy = await startFaultProxy(own.endpoint);
    const server = await startTestApp({ database: { ...own, endpoint: proxy.endpoint } });
    const [aki, ben] = [await newUser(server), await newUser(server)];
    const roomId = await roomOf(aki, [ben]);
    await settled({ dynamo: own.dynamo, rooms: [roomId] });
    const { pk, sk } = keys.counter(rawId(roomId));
    let pageRead = () => {};
    const page = new Promise<void>((resolve) => {
      pageRead = resolve;
    });
    // If both were read at once, Ben's page would be read before his counter. The counter is held back until a message
    // was sent after the page was read.
    proxy.onRequest('BatchGetItem', async ({ RequestItems }) => {
      const requested: Array<{ pk: { S: string }; sk: { S: string } }> = RequestItems[own.table].Keys;
      const has = (wanted: string) => requested.some((key) => key.pk.S === pk && key.sk.S === wanted);
      if (!has(sk) || has(keys.room('').sk) || requested.length > 1) return;
      await page;
      await settled({ dynamo: own.dynamo, rooms: [roomId] });
    });
    proxy.rewrite('Query', (_answer, { ExpressionAttributeValues: values }) => {
      if (values[':from']?.S?.startsWith('ROOT#') === true) void say(aki, roomId, 'meanwhile').then(pageRead);
      return undefined;
    });
    const view = await openView(ben, roomId);
    await page;
    await settled({ dynamo: own.dynamo, rooms: [roomId] });
    proxy.rewrite('Query', () => undefined);
    await view.shows(await readRoom(ben, roomId));
    view.disconnect();
    await server.stop();
    await proxy.stop();
    await own.stop();
  });
});
