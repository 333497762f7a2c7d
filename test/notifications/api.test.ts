import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { encodeId } from '../../src/graphql/ids.ts';
import { LikeMessage, UnlikeMessage } from '../reactions/likes/support/operations.ts';
import { AddStamp } from '../reactions/stamps/support/operations.ts';
import { createClient } from '../support/clients/client.ts';
import { LeaveRoom, Me, UpdateProfile } from '../support/clients/operations.ts';
import { type Person, people, roomOf, say } from '../support/clients/people.ts';
import { startTestApp, type TestApp, tokenFor } from '../support/servers/app.ts';
import { badgeOf, expectOne, expectTexts, listNotifications, nameOf } from './support/list.ts';
import {
  MarkNotificationsRead,
  MarkThreadRead,
  NotificationById,
  NotificationList,
} from './support/operations.ts';

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

const like = (person: Person, messageId = message) => person.do(LikeMessage, { messageId });
const unlike = (person: Person, messageId = message) => person.do(UnlikeMessage, { messageId });

describe('notifications:', () => {
  test('are sent for likes, stamps, replies and mentions, with the message and the actors', async () => {
    await like(ben);
    await expectOne(aki, `${nameOf(ben)} liked your message`);
    await ben.do(AddStamp, { messageId: message, stamp: 'tea' });
    await expectTexts(aki, [`${nameOf(ben)} stamped your message`, `${nameOf(ben)} liked your message`]);
    const reply = await say(ben, roomId, 'a reply', message);
    const texts = ['replied in a thread', 'stamped your message', 'liked your message'];
    await expectTexts(
      aki,
      texts.map((text) => `${nameOf(ben)} ${text}`),
    );
    const call = await say(chi, roomId, `hello @${aki.handle}`);
    const [mention, replied, stamped, liked] = await expectTexts(aki, [
      `${nameOf(chi)} mentioned you`,
      ...texts.map((text) => `${nameOf(ben)} ${text}`),
    ]);
    const bens = { actorCount: 1, actors: [{ handle: ben.handle }], readAt: null };
    expect(liked).toMatchObject({ kind: 'LIKE', message: { id: message }, latestReply: null, ...bens });
    expect(stamped).toMatchObject({ kind: 'STAMP', message: { id: message }, latestReply: null, ...bens });
    expect(replied).toMatchObject({ kind: 'REPLY', message: { id: message }, latestReply: { id: reply.id } });
    expect(mention).toMatchObject({
      kind: 'MENTION',
      message: { id: call.id, body: `hello @${aki.handle}` },
      actors: [{ handle: chi.handle }],
    });
    expect(await badgeOf(aki)).toBe(4);
  });

  test('have the newest three different stamps, newest first', async () => {
    for (const stamp of ['heart', 'party', 'tea', 'cake'])
      await ben.do(AddStamp, { messageId: message, stamp });
    await chi.do(AddStamp, { messageId: message, stamp: 'party' });
    const one = await expectOne(aki, `${nameOf(chi)} and ${nameOf(ben)} stamped your message`);
    expect(one.stamps.map(({ key }) => key)).toEqual(['party', 'cake', 'tea']);
    await aki.do(MarkNotificationsRead, { ids: [one.id] });
    await ben.do(AddStamp, { messageId: message, stamp: 'clap' });
    const [news] = await expectTexts(aki, [
      `${nameOf(ben)} stamped your message`,
      `${nameOf(chi)} and ${nameOf(ben)} stamped your message`,
    ]);
    expect(news?.stamps.map(({ key }) => key)).toEqual(['clap']);
  });

  test('group many users: the text names the newest two, and actorCount counts all', async () => {
    const crowd = await people(app, 3);
    const others = await roomOf(aki, [ben, chi, ...crowd]);
    const { id } = await say(aki, others, 'another message');
    await like(ben, id);
    const first = await expectOne(aki, `${nameOf(ben)} liked your message`);
    await like(chi, id);
    const second = await expectOne(aki, `${nameOf(chi)} and ${nameOf(ben)} liked your message`);
    expect(second.actors).toEqual([{ handle: chi.handle }, { handle: ben.handle }]);
    for (const one of crowd) await like(one, id);
    const all = await expectOne(aki, `${nameOf(crowd[2])} and 4 others liked your message`);
    expect(all).toMatchObject({ id: first.id, actorCount: 5 });
    expect(all.actors).toHaveLength(2);
    expect(await badgeOf(aki)).toBe(5);
  });

  test('do not count a removed like, and count it once when it is added again', async () => {
    await like(ben);
    await like(chi);
    await expectOne(aki, `${nameOf(chi)} and ${nameOf(ben)} liked your message`);
    await unlike(chi);
    await expectOne(aki, `${nameOf(ben)} liked your message`);
    await unlike(ben);
    await expectTexts(aki, []);
    expect(await badgeOf(aki)).toBe(0);
    await like(ben);
    await expectOne(aki, `${nameOf(ben)} liked your message`);
    expect(await badgeOf(aki)).toBe(1);
  });
});

describe('Notification.text:', () => {
  test('uses the language that the user has chosen', async () => {
    await aki.do(UpdateProfile, { input: { locale: 'ja-JP' } });
    await like(ben);
    await expectOne(aki, `${nameOf(ben)}さんがあなたのメッセージに「いいね」しました`);
    await like(chi);
    await expectOne(aki, `${nameOf(chi)}さんと${nameOf(ben)}さんがあなたのメッセージに「いいね」しました`);
  });

  test('uses the language that the client accepts if the user has chosen none', async () => {
    const token = await tokenFor(aki.handle);
    const japanese = createClient(app.url, token, { acceptLanguage: 'fr, ja;q=0.9, en;q=0.1' });
    expect((await japanese.do(Me)).viewer.locale).toBe('ja');
    await like(ben);
    await expectOne(japanese, `${nameOf(ben)}さんがあなたのメッセージに「いいね」しました`);
    const german = createClient(app.url, token, { acceptLanguage: 'de' });
    await expectOne(german, `${nameOf(ben)} liked your message`);
  });
});

describe('markNotificationsRead:', () => {
  test('removes a notification from the badge and keeps it in the list, and the next like creates a new one', async () => {
    await like(ben);
    const one = await expectOne(aki, `${nameOf(ben)} liked your message`);
    const { markNotificationsRead } = await aki.do(MarkNotificationsRead, { ids: [one.id] });
    expect(markNotificationsRead).toMatchObject({
      notifications: [{ id: one.id, text: one.text, readAt: expect.any(String) }],
      unread: { notifications: 0 },
    });
    expect(await listNotifications(aki, true)).toEqual([]);
    await like(chi);
    const [fresh, read] = await expectTexts(aki, [
      `${nameOf(chi)} liked your message`,
      `${nameOf(ben)} liked your message`,
    ]);
    expect(fresh).toMatchObject({ readAt: null, actorCount: 1 });
    expect(read).toMatchObject({ id: one.id, readAt: markNotificationsRead.notifications[0]?.readAt });
    expect(fresh?.id).not.toBe(one.id);
    expect(await badgeOf(aki)).toBe(1);
  });

  test('is idempotent, and accepts the same id twice', async () => {
    await like(ben);
    const { id } = await expectOne(aki, `${nameOf(ben)} liked your message`);
    const first = await aki.do(MarkNotificationsRead, { ids: [id, id] });
    const again = await aki.do(MarkNotificationsRead, { ids: [id] });
    expect(first.markNotificationsRead.notifications).toHaveLength(1);
    expect(again).toEqual(first);
  });

  test('without ids marks all as read and empties the badge', async () => {
    const another = (await say(aki, roomId, 'another message')).id;
    await like(ben);
    await like(chi, another);
    await expectTexts(aki, [`${nameOf(chi)} liked your message`, `${nameOf(ben)} liked your message`], true);
    const { markNotificationsRead } = await aki.do(MarkNotificationsRead, {});
    expect(markNotificationsRead).toMatchObject({ notifications: [], unread: { notifications: 0 } });
    expect(await listNotifications(aki, true)).toEqual([]);
    const all = await listNotifications(aki);
    expect(all.map(({ readAt }) => typeof readAt)).toEqual(['string', 'string']);
    await like(ben, another);
    await expectTexts(aki, [`${nameOf(ben)} liked your message`], true);
    expect(await listNotifications(aki)).toHaveLength(3);
  });

  test('with an empty list changes nothing', async () => {
    await like(ben);
    await expectOne(aki, `${nameOf(ben)} liked your message`);
    expect((await aki.do(MarkNotificationsRead, { ids: [] })).markNotificationsRead).toMatchObject({
      notifications: [],
      unread: { notifications: 1 },
    });
  });

  test.each(["another user's", 'absent', 'malformed', 'of another type'])(
    'refuses an id that is %s together with a good one, and changes nothing',
    async (which) => {
      await like(ben);
      const good = await expectOne(aki, `${nameOf(ben)} liked your message`);
      await like(aki, (await say(ben, roomId, "ben's message")).id);
      const theirs = await expectOne(ben, `${nameOf(aki)} liked your message`);
      const bad = {
        "another user's": theirs.id,
        absent: encodeId('Notification', '0123456789abcdef'),
        malformed: 'nonsense',
        'of another type': message,
      }[which];
      const { errors } = await aki.send(MarkNotificationsRead, { ids: [good.id, bad ?? ''] });
      expect(errors?.[0]?.extensions?.code).toBe('NOT_FOUND');
      expect([await badgeOf(aki), await badgeOf(ben)]).toEqual([1, 1]);
      expect(await listNotifications(aki)).toEqual([good]);
      expect(await listNotifications(ben)).toEqual([theirs]);
    },
  );

  test('refuses more than 100 ids', async () => {
    const ids = Array.from({ length: 101 }, () => 'x');
    const { errors } = await aki.send(MarkNotificationsRead, { ids });
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: 'input.ids',
      limit: 100,
    });
  });
});

describe('Viewer.notifications:', () => {
  test('continues after a cursor, and refuses a cursor of another list', async () => {
    const ids: string[] = [];
    const texts: string[] = [];
    for (const who of [ben, chi, ben]) {
      const { id } = await say(aki, roomId, 'one more');
      await like(who, id);
      ids.push(id);
      texts.unshift(`${nameOf(who)} liked your message`);
      await expectTexts(aki, texts);
    }
    const first = (await aki.do(NotificationList, { first: 2 })).viewer.notifications;
    expect(first.edges.map(({ node }) => node.message?.id)).toEqual([ids[2], ids[1]]);
    expect(first.pageInfo).toEqual({ hasNextPage: true, endCursor: first.edges[1]?.cursor });
    const after = first.pageInfo.endCursor ?? '';
    const second = (await aki.do(NotificationList, { first: 2, after })).viewer.notifications;
    expect(second.edges.map(({ node }) => node.message?.id)).toEqual([ids[0]]);
    expect(second.pageInfo.hasNextPage).toBe(false);
    expect(await ben.refused(NotificationList, { after })).toBe('BAD_USER_INPUT');
    expect(await aki.refused(NotificationList, { after: 'nonsense' })).toBe('BAD_USER_INPUT');
    expect(await aki.refused(NotificationList, { first: 101 })).toBe('BAD_USER_INPUT');
    expect(await aki.refused(NotificationList, { first: 0 })).toBe('BAD_USER_INPUT');
  });
});

describe('Notification:', () => {
  test('is readable by its id only for its own user', async () => {
    await like(ben);
    const { id, text } = await expectOne(aki, `${nameOf(ben)} liked your message`);
    expect((await aki.do(NotificationById, { id })).node).toMatchObject({ id, text });
    expect((await ben.do(NotificationById, { id })).node).toBeNull();
    expect((await aki.do(NotificationById, { id: encodeId('Notification', 'none') })).node).toBeNull();
  });

  test('has no message, actors or names for a user who left the room', async () => {
    const root = (await say(ben, roomId, 'a thread')).id;
    await say(chi, roomId, `look @${aki.handle}`, root);
    await expectTexts(aki, [`${nameOf(chi)} mentioned you`]);
    const { id: messageId } = await say(chi, roomId, "chi's message");
    await like(ben, messageId);
    const one = await expectOne(chi, `${nameOf(ben)} liked your message`);
    await chi.do(LeaveRoom, { roomId });
    const withheld = {
      text: 'Something happened in a room that you are no longer in',
      actors: [],
      message: null,
      actorCount: 1,
    };
    expect(await listNotifications(chi)).toMatchObject([withheld]);
    expect((await chi.do(NotificationById, { id: one.id })).node).toMatchObject(withheld);
    const { markNotificationsRead } = await chi.do(MarkNotificationsRead, { ids: [one.id] });
    expect(markNotificationsRead.notifications).toMatchObject([{ text: withheld.text }]);
    expect(await badgeOf(chi)).toBe(0);
  });
});

test('markThreadRead: takes the thread out of the badge, named by any of its messages', async () => {
  const reply = await say(ben, roomId, `a reply to @${aki.handle}`, message);
  await app.quiet();
  expect(await badgeOf(aki)).toBe(1);
  const { markThreadRead } = await aki.do(MarkThreadRead, { messageId: reply.id });
  expect(markThreadRead).toEqual({ message: { id: message }, unread: { total: 0, notifications: 0 } });
});
