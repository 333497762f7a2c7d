import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  CreateRoom,
  JoinRoom,
  MarkRoomRead,
  SendMessage,
  UnreadLive,
  UnreadNow,
} from '../support/clients/operations.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

test('unread: another user’s badge changes over the websocket when a message is sent', async () => {
  const [aki, ben] = await Promise.all([app.as('aki'), app.as('ben')]);
  const { createRoom } = await aki.do(CreateRoom, { input: { name: 'Lobby', visibility: 'PUBLIC' } });
  const roomId = createRoom.room.id;
  await ben.do(JoinRoom, { roomId });

  const badge = ben.subscribe(UnreadLive);
  expect((await badge.next()).unread).toMatchObject({ total: 0, rooms: [] });

  await aki.do(SendMessage, { input: { roomId, body: 'Hello, Ben!' } });
  const { unread } = await badge.next();
  expect(unread).toMatchObject({ total: 1, rooms: [{ unreadCount: 1, room: { name: 'Lobby' } }] });

  await ben.do(MarkRoomRead, { input: { roomId } });
  expect((await badge.next()).unread).toMatchObject({ total: 0, rooms: [{ unreadCount: 0 }] });
  expect((await ben.do(UnreadNow)).viewer.unread.total).toBe(0);
});
