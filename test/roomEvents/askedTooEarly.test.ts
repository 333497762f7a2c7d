/** The id of a direct room is known before the room exists, so anyone can subscribe to it too early. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { held } from '../support/time/held.ts';
import { createRoomFixture, type RoomFixture, upTo } from './support/fixture.ts';

let db: TestDynamo;
let fixture: RoomFixture;
beforeAll(async () => {
  db = await openTestDynamo();
});
afterAll(() => db.stop());
beforeEach(async () => {
  fixture = await createRoomFixture(db.dynamo);
  await fixture.admit('ben');
});

/** A stranger subscribes before the room exists, and is refused when the returned function is called. */
async function askTooEarly() {
  const { dynamo } = db;
  const key = keys.room(fixture.room);
  const room = await dynamo.get(key);
  await dynamo.remove(key);
  const access = held();
  let refused: Promise<unknown> = Promise.resolve();
  // The first read is the room, the second one the access.
  await new Promise<void>((resolve) => {
    fixture.onRead((reading) => {
      if (reading !== 1) return;
      resolve();
      return access.promise;
    });
    refused = fixture.open('stranger').catch(() => 'refused');
  });
  await dynamo.put({ ...room, ...key });
  return async () => {
    access.letGo();
    expect(await refused).toBe('refused');
  };
}

test('roomEvents: members receive events also if a stranger subscribed before the room existed', async () => {
  const refuse = await askTooEarly();
  const events = await fixture.open('ben');
  expect(await upTo(events, 'Synced')).toEqual(['Synced']);
  expect(fixture.rooms.getRoom(fixture.room)?.name).toBe('Room');
  await fixture.say('one');
  expect(await upTo(events, 'one')).toEqual(['one']);
  await refuse();
  await fixture.say('two');
  expect(await upTo(events, 'two')).toEqual(['two']);
  await events.return?.();
  expect([fixture.rooms.size, fixture.bus.listening]).toEqual([0, 0]);
});

test('roomEvents: a member who is removed while such a room is being read is refused', async () => {
  const refuse = await askTooEarly();
  // The reads: the access, the room, and the access again.
  fixture.onRead(async (reading) => {
    if (reading === 1) await fixture.expel('ben');
  });
  await expect(fixture.open('ben')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await refuse();
  expect([fixture.rooms.size, fixture.bus.listening]).toEqual([0, 0]);
});

test('room cache: a room that did not exist when another listener asked for it is read again', async () => {
  const { rooms, room, bus } = fixture;
  const key = keys.room(room);
  const item = await db.dynamo.get(key);
  await db.dynamo.remove(key);
  const [early, later] = [() => {}, () => {}];
  await rooms.subscribe([room], early);
  await db.dynamo.put({ ...item, ...key });
  await rooms.subscribe([room], later);
  expect(rooms.getRoom(room)?.name).toBe('Room');
  for (const listener of [early, later]) rooms.unsubscribe(room, listener);
  expect([rooms.size, bus.listening]).toEqual([0, 0]);
});
