import { afterAll, beforeAll, expect, test } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { eventsCursor } from '../../src/roomEvents/types.ts';
import { DeleteMessage, EditMessage } from '../messages/support/operations.ts';
import { CreateRoom, JoinRoom, LeaveRoom, SendMessage } from '../support/clients/operations.ts';
import { rawId } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { EventsCursor, MembershipEvents, RoomEvents, SetTyping } from './support/operations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

async function roomOfTwo() {
  const [aki, ben] = await Promise.all([app.as('aki'), app.as('ben')]);
  const { createRoom } = await aki.do(CreateRoom, { input: { name: 'Events', visibility: 'PUBLIC' } });
  await ben.do(JoinRoom, { roomId: createRoom.room.id });
  return { aki, ben, roomId: createRoom.room.id };
}

test('roomEvents: without a cursor begins with Synced and continues with new events', async () => {
  const { aki, ben, roomId } = await roomOfTwo();
  const events = ben.subscribe(RoomEvents, { roomId });
  expect((await events.next()).roomEvents.__typename).toBe('Synced');

  const { sendMessage } = await aki.do(SendMessage, { input: { roomId, body: 'One' } });
  const messageId = sendMessage.message.id;
  const added = await events.until(({ roomEvents }) => roomEvents.__typename === 'MessageAdded');
  expect(added.roomEvents).toMatchObject({ message: { id: messageId, body: 'One', position: 1 } });

  await aki.do(EditMessage, { messageId, body: 'Two' });
  expect((await events.next()).roomEvents).toMatchObject({
    __typename: 'MessageChanged',
    message: { body: 'Two' },
  });
  await aki.do(SendMessage, { input: { roomId, body: 'Reply', replyTo: messageId } });
  await events.until(
    ({ roomEvents: e }) => e.__typename === 'MessageAdded' && e.message.root?.id === messageId,
  );
  await aki.do(DeleteMessage, { messageId });
  await events.until(
    ({ roomEvents: e }) => e.__typename === 'MessageChanged' && e.message.deletedAt !== null,
  );
});

test('roomEvents: with the last cursor first sends what was missed', async () => {
  const { aki, ben, roomId } = await roomOfTwo();
  const { room } = await ben.do(EventsCursor, { roomId });
  const bodies = Array.from({ length: 60 }, (_, i) => `message ${i}`);
  for (const body of bodies) await aki.do(SendMessage, { input: { roomId, body } });

  const events = ben.subscribe(RoomEvents, { roomId, after: room?.eventsCursor ?? null });
  const seen: string[] = [];
  const cursors: string[] = [];
  while (seen.length < bodies.length) {
    const { roomEvents } = await events.next();
    if (roomEvents.__typename !== 'MessageAdded') continue;
    cursors.push(roomEvents.cursor);
    seen.push(roomEvents.message.body ?? '');
  }
  expect(seen).toEqual(bodies);
  expect(new Set(cursors).size).toBe(cursors.length);
});

test('roomEvents: completes when the viewer leaves', async () => {
  const { aki, ben, roomId } = await roomOfTwo();
  const events = ben.subscribe(RoomEvents, { roomId });
  await events.until(({ roomEvents }) => roomEvents.__typename === 'Synced');
  await ben.do(LeaveRoom, { roomId });
  await aki.do(SendMessage, { input: { roomId, body: 'Not for Ben' } });
  await expect(events.until(() => false)).rejects.toThrow('complete');
  expect(JSON.stringify(events.seen)).not.toContain('Not for Ben');
});

test('MembershipChanged: has the private fields for the viewer’s own membership only', async () => {
  const { aki, ben, roomId } = await roomOfTwo();
  const after = eventsCursor(rawId(roomId), 0);
  const joinOfBen = async (person: typeof aki) => {
    const events = person.subscribe(MembershipEvents, { roomId, after });
    const joined = await events.until(
      ({ roomEvents: e }) => e.__typename === 'MembershipChanged' && e.user.handle === 'ben',
    );
    return joined.roomEvents;
  };
  expect(await joinOfBen(ben)).toMatchObject({ membership: { muted: false, unreadCount: 0 } });
  expect(await joinOfBen(aki)).toMatchObject({ membership: { muted: null, unreadCount: null } });
});

test('TypingChanged: is sent to the others and not to the user who types', async () => {
  const { aki, ben, roomId } = await roomOfTwo();
  const events = ben.subscribe(RoomEvents, { roomId });
  await events.until(({ roomEvents }) => roomEvents.__typename === 'Synced');
  await aki.do(SetTyping, { roomId, typing: true });
  const started = await events.until(({ roomEvents }) => roomEvents.__typename === 'TypingChanged');
  expect(started.roomEvents).toMatchObject({ users: [{ handle: 'aki' }] });
  await aki.do(SetTyping, { roomId, typing: false });
  const ended = await events.until(({ roomEvents }) => roomEvents.__typename === 'TypingChanged');
  expect(ended.roomEvents).toMatchObject({ users: [] });
});

test('MembershipChanged: the profile that was read for an event is kept for the following ones', async () => {
  const { ben, roomId } = await roomOfTwo();
  const { users, rooms, profileCache } = app.services;
  const carol = await users.ensure({ sub: 'carol', handle: 'carol', name: 'Carol' });
  const events = ben.subscribe(RoomEvents, { roomId });
  await events.until(({ roomEvents }) => roomEvents.__typename === 'Synced');
  expect(profileCache.get(keys.user(carol))).toBeUndefined();
  await rooms.join(carol, rawId(roomId));
  await events.until(
    ({ roomEvents: e }) => e.__typename === 'MembershipChanged' && e.user.handle === 'carol',
  );
  expect(profileCache.get(keys.user(carol))).toMatchObject({ displayName: 'Carol' });
});
