import { afterAll, beforeAll, expect, test } from 'vitest';
import { RoomEvents } from '../roomEvents/operations.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { JoinRoom, Me, RoomById, UpdateRoom } from '../support/operations.ts';
import { people, roomOf } from '../support/people.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

test('what is given changes, what is left out stays, and null removes', async () => {
  const [aki] = await people(app, 1);
  const roomId = await roomOf(aki, [], { topic: 'Tea', capacity: 3 });
  const update = async (changes: object) =>
    (await aki.do(UpdateRoom, { input: { roomId, ...changes } })).updateRoom.room;
  expect(await update({ name: 'Lobby' })).toMatchObject({ name: 'Lobby', topic: 'Tea', capacity: 3 });
  expect(await update({ topic: 'Coffee', capacity: 5 })).toMatchObject({
    name: 'Lobby',
    topic: 'Coffee',
    capacity: 5,
  });
  expect(await update({ topic: null, capacity: null })).toMatchObject({ topic: null, capacity: null });
  expect(await update({ topic: 'x' })).toMatchObject({ topic: 'x' });
  expect(await update({ topic: '  ' })).toMatchObject({ name: 'Lobby', topic: null });
  expect(await update({})).toMatchObject({ name: 'Lobby', memberCount: 1 });
  for (const wrong of [
    { name: null },
    { name: ' ' },
    { name: 'x'.repeat(81) },
    { topic: 'x'.repeat(251) },
    { capacity: 0 },
  ]) {
    expect(await aki.refused(UpdateRoom, { input: { roomId, ...wrong } })).toBe('BAD_USER_INPUT');
  }
});

test('everybody in the room hears of it, with the room as it is now', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  // That Ben came in is in the room's log by then.
  await app.quiet();
  const live = ben.subscribe(RoomEvents, { roomId, after: null });
  await live.next();
  await aki.do(UpdateRoom, { input: { roomId, name: 'Other' } });
  expect((await live.next()).roomEvents).toMatchObject({
    __typename: 'RoomChanged',
    room: { name: 'Other' },
  });
  await aki.do(UpdateRoom, { input: { roomId, capacity: 7 } });
  expect((await live.next()).roomEvents).toMatchObject({ __typename: 'RoomChanged', room: { capacity: 7 } });
  live.close();
});

test('a capacity is never under the people who are there', async () => {
  const [aki, ben, chi] = await people(app, 3);
  const roomId = await roomOf(aki, [ben]);
  const resize = (capacity: number) => aki.refused(UpdateRoom, { input: { roomId, capacity } });
  expect(await resize(1)).toBe('CONFLICT');
  expect(await resize(2)).toBeUndefined();
  expect(await chi.refused(JoinRoom, { roomId })).toBe('ROOM_FULL');
  // A change that is refused in part is refused altogether.
  expect(await aki.refused(UpdateRoom, { input: { roomId, name: 'New', capacity: 1 } })).toBe('CONFLICT');
  expect((await aki.do(RoomById, { id: roomId })).room).toMatchObject({ name: 'Room', capacity: 2 });
});

test('of people who join while the seats are made fewer there are never more than seats', async () => {
  for (let round = 0; round < 4; round++) {
    const [aki, ...crowd] = await people(app, 7);
    const roomId = await roomOf(aki, [], { capacity: 7 });
    for (const person of crowd) await person.do(Me);
    const [fewer] = await Promise.all([
      aki.refused(UpdateRoom, { input: { roomId, capacity: 3 } }),
      ...crowd.map((person) => person.refused(JoinRoom, { roomId })),
    ]);
    const { room } = await aki.do(RoomById, { id: roomId });
    expect(room?.capacity).toBe(fewer === undefined ? 3 : 7);
    expect(room?.memberCount).toBeLessThanOrEqual(room?.capacity ?? 0);
    expect(room?.memberCount).toBe(room?.capacity);
  }
});

test('who renames and who resizes at once keep each other’s change', async () => {
  const [aki] = await people(app, 1);
  const roomId = await roomOf(aki);
  await Promise.all(
    [{ name: 'New' }, { topic: 'Tea' }, { capacity: 9 }].map((changes) =>
      aki.do(UpdateRoom, { input: { roomId, ...changes } }),
    ),
  );
  const { room } = await aki.do(RoomById, { id: roomId });
  expect(room).toMatchObject({ name: 'New', topic: 'Tea', capacity: 9 });
});
