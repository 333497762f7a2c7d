import { afterAll, beforeAll, expect, test } from 'vitest';
import { RoomEvents } from '../roomEvents/support/operations.ts';
import { CreateRoom, JoinRoom, Me, RoomById, UpdateRoom } from '../support/clients/operations.ts';
import { people, roomOf } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

test('updateRoom: changes given fields, keeps absent ones and removes null ones', async () => {
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

test('rooms: names and topics lose outer white space', async () => {
  const [aki] = await people(app, 1);
  const input = { name: ' \u3000Lobby\u00a0', topic: '  Tea time ', visibility: 'PUBLIC' as const };
  const { room } = (await aki.do(CreateRoom, { input })).createRoom;
  expect(room).toMatchObject({ name: 'Lobby', topic: 'Tea time' });
  const changes = { name: 'Kitchen ', topic: ' Coffee' };
  const { updateRoom } = await aki.do(UpdateRoom, { input: { roomId: room.id, ...changes } });
  expect(updateRoom.room).toMatchObject({ name: 'Kitchen', topic: 'Coffee' });
});

test.each([
  ['name', 'evil\u202etxt'],
  ['name', '\u2066isolated\u2069'],
  ['topic', 'evil\u202etxt'],
  ['topic', 'a\u200fmark'],
])('rooms: a %s with a control of the direction of text is refused (%#)', async (field, value) => {
  const [aki] = await people(app, 1);
  const roomId = await roomOf(aki, [], { topic: 'Tea' });
  const input = { name: 'Lobby', visibility: 'PUBLIC' as const, [field]: value };
  const wrong = `input.${field}`;
  const message = `\`${wrong}\` must not have controls of the direction of text.`;
  const expected = { code: 'BAD_USER_INPUT', field: wrong, fields: [{ field: wrong, message }] };
  for (const { errors } of [
    await aki.send(CreateRoom, { input }),
    await aki.send(UpdateRoom, { input: { roomId, [field]: value } }),
  ]) {
    expect(errors?.[0]?.extensions).toEqual(expected);
  }
});

test('updateRoom: sends RoomChanged with the current room to all members', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  // After this, Ben's join is in the room's log.
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

test('updateRoom: refuses a capacity below the number of members with CONFLICT', async () => {
  const [aki, ben, chi] = await people(app, 3);
  const roomId = await roomOf(aki, [ben]);
  const resize = (capacity: number) => aki.refused(UpdateRoom, { input: { roomId, capacity } });
  expect(await resize(1)).toBe('CONFLICT');
  expect(await resize(2)).toBeUndefined();
  expect(await chi.refused(JoinRoom, { roomId })).toBe('ROOM_FULL');
  // If one part is refused, nothing changes.
  expect(await aki.refused(UpdateRoom, { input: { roomId, name: 'New', capacity: 1 } })).toBe('CONFLICT');
  expect((await aki.do(RoomById, { id: roomId })).room).toMatchObject({ name: 'Room', capacity: 2 });
});

test('updateRoom: never leaves more members than seats while users join', async () => {
  for (let round = 0; round < 4; round++) {
    const [aki, ...crowd] = await people(app, 7);
    const roomId = await roomOf(aki, [], { capacity: 7 });
    for (const person of crowd) await person.do(Me);
    const [refusal] = await Promise.all([
      aki.refused(UpdateRoom, { input: { roomId, capacity: 3 } }),
      ...crowd.map((person) => person.refused(JoinRoom, { roomId })),
    ]);
    const { room } = await aki.do(RoomById, { id: roomId });
    expect(room?.capacity).toBe(refusal === undefined ? 3 : 7);
    expect(room?.memberCount).toBeLessThanOrEqual(room?.capacity ?? 0);
    expect(room?.memberCount).toBe(room?.capacity);
  }
});

test('updateRoom: keeps concurrent changes of different fields', async () => {
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
