/** During an outage of DynamoDB, clients receive UNAVAILABLE in time, can retry, and nothing is left half done. */
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { TIMEOUTS } from '../../src/dynamo/client.ts';
import { ranges } from '../../src/dynamo/keys.ts';
import { type FaultProxy, startFaultProxy } from '../stream/support/faultProxy.ts';
import { queryBadge, shows, watchBadge } from '../support/clients/badges.ts';
import type { Answer } from '../support/clients/client.ts';
import {
  CreateRoom,
  Directory,
  JoinRoom,
  MarkRoomRead,
  Me,
  RoomById,
  SendMessage,
  Timeline,
  UnreadNow,
} from '../support/clients/operations.ts';
import { connectTo, newUser, type Person, people, rawId, roomOf, say } from '../support/clients/people.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { dump, itemsIn } from '../support/database/table.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import { took } from '../support/time/ownTime.ts';

let database: TestDynamo;
let proxy: FaultProxy;
let app: TestApp;
let aki: Person;
let ben: Person;
let roomId: string;

async function start(options: Pick<TestAppOptions, 'role' | 'timeouts'> = {}): Promise<void> {
  database = await openTestDynamo();
  proxy = await startFaultProxy(database.endpoint);
  // Otherwise a read position may be written between two looks at the table.
  app = await startTestApp({ ...options, putOffMs: 0, database: { ...database, endpoint: proxy.endpoint } });
  [aki, ben] = await people(app, 2);
  roomId = await roomOf(aki, [ben]);
}
afterEach(async () => {
  proxy.mode = 'pass';
  await app.stop();
  await proxy.stop();
  await database.stop();
});

async function expectUnavailable(send: () => Promise<Answer<unknown>>): Promise<void> {
  const answer = await send();
  expect(answer.errors?.[0]).toMatchObject({
    extensions: { code: 'UNAVAILABLE', retryAfterMs: expect.any(Number) },
  });
  expect(JSON.stringify(answer)).not.toMatch(/stack|ECONN|127\.0\.0\.1|\.ts:\d|node_modules/);
}

/** Milliseconds within which a client receives an answer. */
const ANSWER_WITHIN_MS = 3_000;

const REFUSAL = { error: 'ExpiredTokenException' };

describe.each([
  ['refuse', 'refuse'],
  ['silent', 'silent'],
  ['expired credentials', REFUSAL],
] as const)('database outage (%s)', (_, mode) => {
  test('every operation returns UNAVAILABLE within three seconds, and works after the outage', async () => {
    // Without a consumer, so that nothing changes by itself.
    await start({ role: 'api' });
    // A server with the product's deadlines. Others are only for the preparation, which may take longer.
    const impatient = await startTestApp({ database: app.database, role: 'api', timeouts: TIMEOUTS });
    onTestFinished(() => impatient.stop());
    const stranger = await connectTo(impatient, await newUser(app));
    [aki, ben] = [await connectTo(impatient, aki), await connectTo(impatient, ben)];
    const before = await dump(database.dynamo);
    proxy.mode = mode;
    const all = [
      () => aki.send(Me),
      () => stranger.send(Me),
      () => aki.send(RoomById, { id: roomId }),
      () => aki.send(Directory, {}),
      () => aki.send(Timeline, { roomId }),
      () => aki.send(UnreadNow),
      () => aki.send(SendMessage, { input: { roomId, body: 'lost' } }),
      () => aki.send(CreateRoom, { input: { name: 'Lost', visibility: 'PUBLIC' } }),
      () => stranger.send(JoinRoom, { roomId }),
      () => ben.send(MarkRoomRead, { input: { roomId } }),
    ];
    const answered = Promise.all(all.map(expectUnavailable));
    expect(await took(answered)).toBeLessThan(ANSWER_WITHIN_MS);
    await answered;
    expect(await dump(database.dynamo)).toEqual(before);
    proxy.mode = 'pass';
    for (const send of all) await expectDone(send);
  });
});

/** On a busy machine the database may take longer than the product waits, and then some of it is done twice. */
const expectDone = (send: () => Promise<Answer<unknown>>): Promise<void> =>
  eventually(async () => {
    const { errors } = await send();
    expect([undefined, 'ALREADY_MEMBER']).toContain(errors?.[0]?.extensions?.code);
  });

test('sendMessage: a retry with the same idempotency key returns the stored message if all answers were lost', async () => {
  await start();
  const input = { roomId, body: 'once', idempotencyKey: 'k' };
  // Every attempt of the SDK is carried out and never answered, the consumer's as well.
  proxy.cut('TransactWriteItems', 1_000);
  await expectUnavailable(() => aki.send(SendMessage, { input }));
  proxy.cut('TransactWriteItems', 0);
  const { sendMessage } = await aki.do(SendMessage, { input });
  const roots = await itemsIn(database.dynamo, ranges.roots(rawId(roomId)));
  expect(roots).toHaveLength(1);
  expect(sendMessage.message.body).toBe('once');
  expect((await aki.do(SendMessage, { input })).sendMessage.message.id).toBe(sendMessage.message.id);
});

test('sendMessage: succeeds, and is stored once, if the first answer was lost', async () => {
  await start();
  proxy.cut('TransactWriteItems');
  const message = await say(aki, roomId, 'without a key');
  const { room } = await aki.do(Timeline, { roomId });
  expect(room?.messages.edges.map(({ node }) => node.id)).toEqual([message.id]);
});

test('markRoomRead: the read position is right if the first answer was lost', async () => {
  await start();
  await say(aki, roomId, 'one');
  await eventually(async () => expect((await queryBadge(ben)).total).toBe(1));
  proxy.cut('UpdateItem');
  const { markRoomRead } = await ben.do(MarkRoomRead, { input: { roomId } });
  expect(markRoomRead.membership.unreadCount).toBe(0);
  expect((await queryBadge(ben)).total).toBe(0);
});

test('unread: an open subscription catches up by itself after a database outage', async () => {
  await start();
  const badge = watchBadge(ben);
  await badge.next();
  proxy.mode = 'refuse';
  await expectUnavailable(() => aki.send(SendMessage, { input: { roomId, body: 'lost' } }));
  proxy.mode = 'pass';
  await say(aki, roomId, 'arrived');
  await shows(badge, { total: 1, notifications: 0, rooms: { [roomId]: 1 } });
});
