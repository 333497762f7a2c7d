/** A root and the mention in it count once, at every moment, in the live badge as well. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MarkNotificationsRead } from '../notifications/support/operations.ts';
import { queryBadge, shows, watchBadge } from '../support/clients/badges.ts';
import { MarkRoomRead } from '../support/clients/operations.ts';
import { type Person, people, roomOf, say } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { MuteRoom } from './support/operations.ts';

let app: TestApp;
let aki: Person;
let ben: Person;
let roomId: string;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());
beforeEach(async () => {
  [aki, ben] = await people(app, 2);
  roomId = await roomOf(aki, [ben]);
});

const mention = () => say(aki, roomId, `@${ben.handle}, look`);
const badgeWith = (total: number, notifications: number, unread: number) => ({
  total,
  notifications,
  rooms: unread === 0 ? {} : { [roomId]: unread },
});

test('unread: the total never counts a mention and its root twice', async () => {
  const badge = watchBadge(ben);
  // The first state is made of two reads, between which a mention may arrive: it is corrected by the next event.
  await shows(badge, badgeWith(0, 0, 0));
  for (let n = 1; n <= 20; n++) {
    await mention();
    await shows(badge, badgeWith(n, n, n));
    expect(Math.max(...badge.seen.map(({ unread }) => unread.total))).toBe(n);
  }
  expect(await queryBadge(ben)).toEqual(badgeWith(20, 20, 20));
  const before = badge.seen.length;
  await ben.do(MarkRoomRead, { input: { roomId } });
  await shows(badge, badgeWith(0, 0, 0));
  expect(Math.max(...badge.seen.slice(before).map(({ unread }) => unread.total))).toBeLessThanOrEqual(20);
});

test('unread: all notifications are read, and their roots stay in the total', async () => {
  const badge = watchBadge(ben);
  await mention();
  await say(aki, roomId, 'Hello.');
  await shows(badge, badgeWith(2, 1, 2));
  await ben.do(MarkNotificationsRead, {});
  await shows(badge, badgeWith(2, 0, 2));
  await mention();
  await shows(badge, badgeWith(3, 1, 3));
});

test('unread: a muted room leaves its mentions in the total', async () => {
  const badge = watchBadge(ben);
  await mention();
  await say(aki, roomId, 'Hello.');
  await shows(badge, badgeWith(2, 1, 2));
  await ben.do(MuteRoom, { roomId, muted: true });
  await shows(badge, badgeWith(1, 1, 2));
  await ben.do(MuteRoom, { roomId, muted: false });
  await shows(badge, badgeWith(2, 1, 2));
});
