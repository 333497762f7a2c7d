/** REMINDER: the viewer is reminded of a message that they have saved. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { backfillNotifications } from '../../src/notifications/derive/backfill.ts';
import { createReminding } from '../../src/saved/reminders/reminding.ts';
import { NotificationRooms } from '../rooms/support/operations.ts';
import { RemoveSavedMessage, SaveMessage, SnoozeReminder } from '../saved/support/operations.ts';
import { LeaveRoom } from '../support/clients/operations.ts';
import { type Person, people, roomOf, say } from '../support/clients/people.ts';
import { itemsIn } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { openTimers } from '../timers/support/timers.ts';
import { MuteRoom } from '../unread/support/operations.ts';
import { MarkNotificationsRead } from './support/operations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const ahead = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

/** Ends the person's reminders as if their times had come. */
async function remind({ id }: Person): Promise<void> {
  const { handle } = createReminding({ dynamo: app.dynamo });
  for (const timer of await openTimers(app.dynamo)) {
    if (timer.about.user !== id || timer.kind !== 'reminder') continue;
    await handle(timer as never);
    await app.dynamo.remove(keys.timer(timer.due, timer.id));
  }
}

async function notificationsOf(person: Person) {
  await app.quiet();
  const { viewer } = await person.do(NotificationRooms);
  return viewer.notifications.edges.map(({ node }) => node);
}

async function reminded() {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  const message = await say(aki, roomId, 'one');
  const { saveMessage } = await ben.do(SaveMessage, {
    input: { messageId: message.id, remindAt: ahead(60) },
  });
  return { aki, ben, roomId, message, id: saveMessage.savedMessage.id };
}

test('REMINDER: is in the bell of its user alone, once, and again after a snooze', async () => {
  const { aki, ben, roomId, message, id } = await reminded();
  expect(await notificationsOf(ben)).toEqual([]);
  await remind(ben);
  const [first] = await notificationsOf(ben);
  expect(first).toMatchObject({
    kind: 'REMINDER',
    text: 'You asked to be reminded of a message',
    actorCount: 1,
    actors: [{ handle: ben.handle }],
    room: { id: roomId },
    message: { id: message.id },
    readAt: null,
  });
  expect(await notificationsOf(aki)).toEqual([]);
  await ben.do(SnoozeReminder, { id, remindAt: ahead(120) });
  await remind(ben);
  // It was unread: it moves up.
  expect(await notificationsOf(ben)).toMatchObject([{ id: first?.id, actorCount: 1, readAt: null }]);
  await ben.do(MarkNotificationsRead, { ids: [first?.id ?? ''] });
  await ben.do(SnoozeReminder, { id, remindAt: ahead(180) });
  await remind(ben);
  const both = await notificationsOf(ben);
  expect(both.map(({ readAt }) => readAt === null)).toEqual([true, false]);
  // What was said of it stays when the message is not saved any more.
  await ben.do(RemoveSavedMessage, { input: { messageId: message.id } });
  expect(await notificationsOf(ben)).toHaveLength(2);
});

test('REMINDER: rings in a muted room, and says nothing of a room that the user has left', async () => {
  const { aki, ben, roomId } = await reminded();
  await ben.do(MuteRoom, { roomId, muted: true });
  await remind(ben);
  const [first] = await notificationsOf(ben);
  expect(first).toMatchObject({ kind: 'REMINDER', readAt: null });
  await ben.do(SaveMessage, {
    input: { messageId: (await say(aki, roomId, 'two')).id, remindAt: ahead(60) },
  });
  await ben.do(LeaveRoom, { roomId });
  await remind(ben);
  const all = await notificationsOf(ben);
  expect(all).toHaveLength(2);
  for (const one of all) {
    expect(one).toMatchObject({
      kind: 'REMINDER',
      room: null,
      message: null,
      actors: [],
      text: 'You asked to be reminded of a message in a room that you are no longer in',
    });
  }
});

test('REMINDER: one that the stream lost is derived again, and no other', async () => {
  const { ben } = await reminded();
  await remind(ben);
  await app.quiet();
  const options = { dynamo: app.dynamo, retention: 30 * 24 * 3_600, now: Date.now };
  await backfillNotifications(options);
  expect(await notificationsOf(ben)).toHaveLength(1);
  for (const { pk, sk } of await itemsIn(app.dynamo, { pk: keys.user(ben.id).pk, from: 'A', to: '~' })) {
    if (/^(?:NOTE|UNREAD)#/.test(String(sk))) await app.dynamo.remove({ pk: String(pk), sk: String(sk) });
  }
  for await (const { pk, sk } of app.dynamo.scan({})) {
    if (String(pk).startsWith(`NOTE#${ben.id}#REMINDER#`))
      await app.dynamo.remove({ pk: String(pk), sk: String(sk) });
  }
  expect(await itemsIn(app.dynamo, ranges.notifications(ben.id))).toEqual([]);
  expect(await backfillNotifications(options)).toBeGreaterThan(0);
  expect(await notificationsOf(ben)).toMatchObject([{ kind: 'REMINDER' }]);
});
