/** INVITED: a user was added to a private or direct room by another user. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backfillNotifications } from '../../src/notifications/derive/backfill.ts';
import { NotificationRooms, OpenDirectRoom } from '../rooms/support/operations.ts';
import { AddMember, LeaveRoom, Me, RemoveMember } from '../support/clients/operations.ts';
import { globalId, type Person, people, roomOf } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { MarkNotificationsRead } from './support/operations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const add = (by: Person, roomId: string, person: Person) =>
  by.do(AddMember, { roomId, userId: globalId(person) });

async function notificationsOf(person: Person) {
  await app.quiet();
  const { viewer } = await person.do(NotificationRooms);
  return viewer.notifications.edges.map(({ node }) => node);
}

test('INVITED: adding someone to a private room notifies them, and leaves nothing of it after they left', async () => {
  const [aki, ben] = await people(app, 2);
  await ben.do(Me);
  const roomId = await roomOf(aki, [], { visibility: 'PRIVATE', name: 'Secret' });
  await add(aki, roomId, ben);
  expect(await notificationsOf(ben)).toMatchObject([
    {
      kind: 'INVITED',
      text: `${aki.handle.replace(/^u/, 'U')} added you to a room`,
      actors: [{ handle: aki.handle }],
      room: { id: roomId, name: 'Secret' },
      message: null,
      readAt: null,
    },
  ]);
  expect(await notificationsOf(aki)).toEqual([]);
  await ben.do(LeaveRoom, { roomId });
  const [withheld] = await notificationsOf(ben);
  expect(withheld).toMatchObject({ room: null, message: null, actors: [] });
  expect(withheld?.text).not.toContain(aki.handle);
});

test('INVITED: opening a direct room notifies the others', async () => {
  const [aki, ben, chi] = await people(app, 3);
  await Promise.all([ben.do(Me), chi.do(Me)]);
  await aki.do(OpenDirectRoom, { userIds: [ben, chi].map(globalId) });
  await aki.do(OpenDirectRoom, { userIds: [ben, chi].map(globalId) });
  for (const person of [ben, chi]) {
    expect(await notificationsOf(person)).toMatchObject([{ kind: 'INVITED', actorCount: 1 }]);
  }
  expect(await notificationsOf(aki)).toEqual([]);
});

test('INVITED: public rooms, joins and replays notify no one; being added, removed and added again does once', async () => {
  const [aki, ben] = await people(app, 2);
  await ben.do(Me);
  await add(aki, await roomOf(aki), ben);
  await roomOf(aki, [ben]);
  expect(await notificationsOf(ben)).toEqual([]);
  const roomId = await roomOf(aki, [], { visibility: 'PRIVATE' });
  await add(aki, roomId, ben);
  expect(await notificationsOf(ben)).toHaveLength(1);
  await ben.do(MarkNotificationsRead, {});
  await aki.do(RemoveMember, { roomId, userId: globalId(ben) });
  await add(aki, roomId, ben);
  const after = await notificationsOf(ben);
  expect(after).toMatchObject([{ kind: 'INVITED', actorCount: 1 }]);
  expect(after[0]?.readAt).not.toBeNull();
  const retention = 30 * 24 * 3_600;
  expect(await backfillNotifications({ dynamo: app.dynamo, retention, now: Date.now })).toBe(0);
});
