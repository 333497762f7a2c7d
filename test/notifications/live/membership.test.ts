import { afterAll, beforeAll, expect, test } from 'vitest';
import { LikeMessage } from '../../reactions/likes/support/operations.ts';
import { JoinRoom, LeaveRoom } from '../../support/clients/operations.ts';
import { newUser, roomOf, say } from '../../support/clients/people.ts';
import { startTestApp, type TestApp } from '../../support/servers/app.ts';
import { NotificationsLive } from '../support/operations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

test('notificationChanged: a former member’s copy loses its message, and gets it back when they join again', async () => {
  const [aki, ben] = [await newUser(app), await newUser(app)];
  const roomId = await roomOf(aki, [ben]);
  const message = await say(ben, roomId, 'a secret');
  const changes = ben.subscribe(NotificationsLive, {});
  await aki.do(LikeMessage, { messageId: message.id });
  const shown = async () => (await changes.next()).notificationChanged.notification?.message?.id ?? null;
  expect(await shown()).toBe(message.id);
  await ben.do(LeaveRoom, { roomId });
  expect(await shown()).toBeNull();
  await ben.do(JoinRoom, { roomId });
  expect(await shown()).toBe(message.id);
  changes.close();
});
