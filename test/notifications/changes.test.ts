/** `notificationChanged` over websockets, from the request to the event. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { encodeId } from '../../src/graphql/ids.ts';
import type { NotificationsLiveSubscription } from '../generated/graphql.ts';
import { LikeMessage, UnlikeMessage } from '../reactions/likes/support/operations.ts';
import { watchBadge } from '../support/clients/badges.ts';
import type { Live, TestClient } from '../support/clients/client.ts';
import { AddMember, LeaveRoom, RemoveMember } from '../support/clients/operations.ts';
import { type Person, people, roomOf, say } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import { expectOne, nameOf } from './support/list.ts';
import { MarkNotificationsRead, NotificationList, NotificationsLive } from './support/operations.ts';

let app: TestApp;
let aki: Person;
let ben: Person;
let chi: Person;
let roomId: string;
let message: string;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());
beforeEach(async () => {
  [aki, ben, chi] = await people(app, 3);
  roomId = await roomOf(aki, [ben, chi]);
  message = (await say(aki, roomId, 'a message')).id;
});

type Changes = Live<NotificationsLiveSubscription>;
type Change = NonNullable<NotificationsLiveSubscription['notificationChanged']>;

/** Subscribes a user who has no unread notification. There is no first event to wait for. */
async function watch(person: TestClient): Promise<Changes> {
  const before = app.services.notificationStreams.size;
  const changes = person.subscribe(NotificationsLive, {});
  await eventually(() => expect(app.services.notificationStreams.size).toBe(before + 1));
  return changes;
}

const next = async (changes: Changes): Promise<Change> => (await changes.next()).notificationChanged;

const until = async (changes: Changes, text: string): Promise<Change> =>
  (await changes.until(({ notificationChanged }) => notificationChanged.notification?.text === text))
    .notificationChanged;

const like = (person: Person, messageId = message) => person.do(LikeMessage, { messageId });
const unlike = (person: Person, messageId = message) => person.do(UnlikeMessage, { messageId });

test('notificationChanged: sends a growing notification under the same id, and the badge grows', async () => {
  const changes = await watch(aki);
  const badge = watchBadge(aki);
  await badge.next();
  await like(ben);
  const first = await next(changes);
  expect(first).toMatchObject({
    notification: {
      kind: 'LIKE',
      text: `${nameOf(ben)} liked your message`,
      actors: [{ handle: ben.handle }],
      message: { id: message },
      readAt: null,
    },
    removedId: null,
    unread: { notifications: 1 },
  });
  await like(chi);
  const second = await until(changes, `${nameOf(chi)} and ${nameOf(ben)} liked your message`);
  expect(second.notification?.id).toBe(first.notification?.id);
  expect(second).toMatchObject({ notification: { actorCount: 2 }, unread: { notifications: 2 } });
  await badge.until(({ unread }) => unread.notifications === 2);
});

test('metrics: count created notifications and sent events', async () => {
  const counted = async (): Promise<number[]> => {
    const text = await (await fetch(`${app.url}/metrics`)).text();
    const value = (name: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')[1] ?? 0,
      );
    return [value('tsudoi_notifications_total{kind="LIKE"}'), value('tsudoi_notification_pushes_total')];
  };
  const [created = 0, pushed = 0] = await counted();
  const changes = await watch(aki);
  await like(ben);
  await next(changes);
  expect(await counted()).toEqual([created + 1, pushed + 1]);
});

test('notificationChanged: sends the unread notifications first', async () => {
  const another = (await say(aki, roomId, 'another message')).id;
  await like(ben);
  const { id } = await expectOne(aki, `${nameOf(ben)} liked your message`);
  await like(chi, another);
  const changes = await watch(aki);
  expect((await next(changes)).notification?.id).toBe(id);
  expect((await next(changes)).notification).toMatchObject({ message: { id: another }, readAt: null });
});

test('notificationChanged: sends the id of a deleted notification', async () => {
  const changes = await watch(aki);
  await like(ben);
  const id = (await next(changes)).notification?.id;
  await unlike(ben);
  expect(await next(changes)).toMatchObject({
    notification: null,
    removedId: id,
    unread: { notifications: 0 },
  });
});

test('notificationChanged: sends at most one event a second for many likes, and the last one has all', async () => {
  const crowd = await people(app, 12);
  const others = await roomOf(aki, crowd);
  const { id } = await say(aki, others, 'popular');
  const changes = await watch(aki);
  const started = performance.now();
  await Promise.all(crowd.map((one) => like(one, id)));
  const last = await changes.until(
    ({ notificationChanged }) => notificationChanged.notification?.actorCount === 12,
  );
  expect(last.notificationChanged.notification?.text).toMatch(/ and 11 others liked your message$/);
  expect(changes.seen.length).toBeLessThanOrEqual(Math.floor((performance.now() - started) / 1_000) + 1);
});

test('notificationChanged: sends read notifications, one or all, to every client of the user', async () => {
  const another = (await say(aki, roomId, 'another message')).id;
  const [phone, desk] = [await watch(aki), await watch(aki)];
  await like(ben);
  const id = (await next(phone)).notification?.id ?? '';
  await next(desk);
  await aki.do(MarkNotificationsRead, { ids: [id] });
  for (const changes of [phone, desk]) {
    expect(await next(changes)).toMatchObject({ notification: { id, readAt: expect.any(String) } });
  }
  await like(chi, another);
  const fresh = (await next(phone)).notification?.id;
  await next(desk);
  await aki.do(MarkNotificationsRead, {});
  for (const changes of [phone, desk]) {
    expect(await next(changes)).toMatchObject({
      notification: { id: fresh, readAt: expect.any(String) },
      unread: { notifications: 0 },
    });
  }
});

test('notificationChanged: has no message, actors or names for users who left the room or were removed', async () => {
  const [bens, chis] = [(await say(ben, roomId, "ben's")).id, (await say(chi, roomId, "chi's")).id];
  const [bensChanges, chisChanges] = [await watch(ben), await watch(chi)];
  await like(aki, bens);
  await like(aki, chis);
  for (const changes of [bensChanges, chisChanges]) {
    expect((await next(changes)).notification?.text).toBe(`${nameOf(aki)} liked your message`);
  }
  await ben.do(LeaveRoom, { roomId });
  await aki.do(RemoveMember, { roomId, userId: encodeId('User', chi.id) });
  for (const [person, changes] of [
    [ben, bensChanges],
    [chi, chisChanges],
  ] as const) {
    await person.do(MarkNotificationsRead, {});
    await changes.until(({ notificationChanged }) => notificationChanged.notification?.readAt !== null);
    // It is sent when they leave, and when it is read, or once for both.
    const [_before, ...after] = changes.seen;
    for (const { notificationChanged } of after) {
      expect(notificationChanged.notification).toMatchObject({
        text: 'Something happened in a room that you are no longer in',
        actors: [],
        message: null,
      });
    }
  }
});

test('notificationChanged: sends nothing of what is removed in a private room to a removed user', async () => {
  const closed = await roomOf(aki, [], { visibility: 'PRIVATE' });
  await aki.do(AddMember, { roomId: closed, userId: encodeId('User', chi.id) });
  const badge = watchBadge(chi);
  await badge.until(({ unread }) => unread.notifications === 1);
  await chi.do(MarkNotificationsRead, {}); // of being added
  await badge.until(({ unread }) => unread.notifications === 0);
  const [there, here] = [(await say(chi, closed, 'there')).id, (await say(chi, roomId, 'here')).id];
  // The notification itself is marked as read after the badge.
  await app.quiet();
  const changes = await watch(chi);
  await like(aki, there);
  const first = (await next(changes)).notification;
  expect(first).toMatchObject({ kind: 'LIKE', message: { id: there } });
  await aki.do(RemoveMember, { roomId: closed, userId: encodeId('User', chi.id) });
  expect(await next(changes)).toMatchObject({
    notification: { id: first?.id, message: null },
    unread: { notifications: 1 },
  });
  await unlike(aki, there);
  await like(aki, here);
  // The next event is of another room, and the removed like still counts.
  const second = await next(changes);
  expect(second).toMatchObject({ notification: { kind: 'LIKE' }, unread: { notifications: 2 } });
  expect(second.notification?.id).not.toBe(first?.id);
  const { viewer } = await chi.do(NotificationList, {});
  const listed = viewer.notifications.edges.map(({ node: { id, actorCount } }) => ({ id, actorCount }));
  expect(listed).toContainEqual({ id: first?.id, actorCount: 1 });
});

test('notificationChanged: the text is in the language of the client', async () => {
  const japanese = await app.as(aki.handle, { acceptLanguage: 'ja,en;q=0.5' });
  const changes = await watch(japanese);
  await like(ben);
  const event = await changes.next();
  expect(event.notificationChanged.notification?.text).toBe(
    `${nameOf(ben)}さんがあなたのメッセージに「いいね」しました`,
  );
});

test('notificationChanged: a closed subscription leaves no stream behind', async () => {
  const changes = await watch(aki);
  const before = app.services.notificationStreams.size;
  changes.close();
  await eventually(() => expect(app.services.notificationStreams.size).toBe(before - 1));
});
