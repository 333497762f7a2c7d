/** The index is seconds behind the table. It may name old items, but content and entitlement are current. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { MarkNotificationsRead, NotificationList } from '../notifications/support/operations.ts';
import { LikeMessage, LikesOf, UnlikeMessage } from '../reactions/likes/support/operations.ts';
import { type FaultProxy, type Json, startFaultProxy } from '../stream/support/faultProxy.ts';
import {
  Directory,
  JoinRoom,
  LeaveRoom,
  Memberships,
  RemoveMember,
  UpdateProfile,
  UpdateRoom,
} from '../support/clients/operations.ts';
import { globalId, type Person, people, roomOf, say } from '../support/clients/people.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';

let database: TestDynamo;
let proxy: FaultProxy;
let app: TestApp;
/** The index's answers while it was current, by request. */
const earlier = new Map<string, Json>();
let behind = false;

beforeAll(async () => {
  database = await openTestDynamo({ file: true });
  proxy = await startFaultProxy(database.endpoint);
  proxy.rewrite('Query', (answer, request) => {
    if (request.IndexName === undefined) return undefined;
    const key = JSON.stringify(request);
    if (!behind) earlier.set(key, answer);
    // A page that was not requested before was empty.
    return behind ? (earlier.get(key) ?? { Items: [], Count: 0, ScannedCount: 0 }) : undefined;
  });
  app = await startTestApp({ database: { ...database, endpoint: proxy.endpoint } });
});
afterEach(() => {
  behind = false;
  earlier.clear();
});
afterAll(async () => {
  await app.stop();
  await proxy.stop();
  await database.stop();
});

const directory = async (person: Person) =>
  (await person.do(Directory, { first: 100 })).rooms.edges.map(({ node }) => node);
const notifications = async (person: Person) =>
  (await person.do(NotificationList, { first: 20 })).viewer.notifications.edges.map(({ node }) => node);

test('directory: shows rooms as they are; a new room can be joined before it is listed', async () => {
  const [aki, ben] = await people(app, 2);
  const known = await roomOf(aki, [], { capacity: 2 });
  await directory(ben);
  behind = true;
  await aki.do(UpdateRoom, { input: { roomId: known, name: 'Renamed' } });
  await ben.do(JoinRoom, { roomId: known });
  const [fresh, hidden] = [await roomOf(aki), await roomOf(aki, [], { visibility: 'PRIVATE' })];
  const listed = await directory(ben);
  expect(listed).toContainEqual(
    expect.objectContaining({ id: known, name: 'Renamed', memberCount: 2, capacity: 2 }),
  );
  expect(listed.map(({ id }) => id)).not.toContain(fresh);
  await ben.do(JoinRoom, { roomId: fresh });
  expect(await ben.refused(JoinRoom, { roomId: known })).toBe('ALREADY_MEMBER');
  behind = false;
  const ids = (await directory(ben)).map(({ id }) => id);
  expect(ids).toContain(fresh);
  expect(ids).not.toContain(hidden);
});

test('memberships, handles: do not depend on the index', async () => {
  const [aki, ben] = await people(app, 2);
  behind = true;
  const [left, kept] = [await roomOf(aki, [ben]), await roomOf(aki, [ben])];
  await ben.do(LeaveRoom, { roomId: left });
  const { viewer } = await ben.do(Memberships, { first: 10 });
  expect(viewer.memberships.edges.map(({ node }) => node.room.id)).toEqual([kept]);
  await aki.do(UpdateProfile, { input: { handle: `${aki.handle}_2` } });
  expect(await ben.refused(UpdateProfile, { input: { handle: `${aki.handle}_2` } })).toBe('HANDLE_TAKEN');
});

test('notifications: a removed member sees no content of the room, and no read one as unread', async () => {
  const [aki, ben] = await people(app, 2);
  const [roomId, other] = [await roomOf(aki, [ben]), await roomOf(aki, [ben])];
  for (const room of [roomId, other]) await say(aki, room, `a secret for @${ben.handle}`);
  await eventually(async () => expect(await notifications(ben)).toHaveLength(2));
  expect((await notifications(ben)).every(({ message }) => message !== null)).toBe(true);
  behind = true;
  await aki.do(RemoveMember, { roomId, userId: globalId(ben) });
  const [read] = (await notifications(ben)).filter(({ message }) => message !== null);
  await ben.do(MarkNotificationsRead, { ids: [read?.id ?? ''] });
  const now = await notifications(ben);
  expect(now.map(({ message, readAt }) => [message === null, readAt !== null]).sort()).toEqual([
    [false, true],
    [true, false],
  ]);
  expect(JSON.stringify(now.filter(({ message }) => message === null))).not.toMatch(/secret/);
});

test('likers: are shown as the table has them', async () => {
  const [aki, ben, chi] = await people(app, 3);
  const roomId = await roomOf(aki, [ben, chi]);
  const { id } = await say(aki, roomId, 'like this');
  const likers = async () => {
    const { node } = await aki.do(LikesOf, { id, first: 10 });
    if (node === null || !('likers' in node)) throw new Error('This is not a message.');
    return [node.likeCount, node.viewerHasLiked, node.likers.edges.map((edge) => edge.node.handle)];
  };
  for (const one of [ben, chi]) await one.do(LikeMessage, { messageId: id });
  expect(await likers()).toEqual([2, false, [chi.handle, ben.handle]]);
  behind = true;
  await ben.do(UnlikeMessage, { messageId: id });
  expect(await likers()).toEqual([1, false, [chi.handle]]);
  await aki.do(LikeMessage, { messageId: id });
  expect(await likers()).toEqual([2, true, [chi.handle]]);
});
