import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RoomEvent } from '../../src/roomEvents/roomLogReader.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { createRoomFixture, nameOf, next, type RoomFixture, upTo } from './support/fixture.ts';

let db: TestDynamo;
let fixture: RoomFixture;
beforeAll(async () => {
  db = await openTestDynamo();
});
afterAll(() => db.stop());
beforeEach(async () => {
  fixture = await createRoomFixture(db.dynamo);
});

const count = (n: number) => Array.from({ length: n }, (_, i) => `message ${i + 1}`);

async function admitted(n: number): Promise<string[]> {
  const users = Array.from({ length: n }, (_, i) => `user${i}`);
  await Promise.all(users.map((user) => fixture.admit(user)));
  return users;
}

/** All open the room at once, from the same cursor. Resolves to what each received until `Synced`. */
async function openTogether(users: readonly string[]): Promise<RoomEvent[][]> {
  return Promise.all(
    users.map(async (user) => {
      const events = await fixture.open(user, 0);
      const received: RoomEvent[] = [];
      while (received.at(-1)?.type !== 'Synced') {
        const event = await next(events);
        if (event === undefined) throw new Error('The subscription has completed.');
        received.push(event);
      }
      await events.return?.();
      return received;
    }),
  );
}

describe('roomEvents: readers who missed the same and come back together', () => {
  test('cost the reads of one, and receive the same event objects', async () => {
    const users = await admitted(40);
    await fixture.say(...count(120));
    let reads = 0;
    fixture.onRead(() => void reads++);
    const received = await openTogether(users);
    // The room, access, the log, and three parts of the replay. 40 users' items for access are one batch.
    expect(reads).toBe(6);
    for (const events of received) {
      expect(events.map(nameOf)).toEqual([...count(120), 'Synced']);
      for (const [i, event] of events.entries()) expect(event).toBe(received[0]?.[i]);
    }
  });

  test('receive a change that happens after the replay was read', async () => {
    const [first = '', second = ''] = await admitted(2);
    await fixture.say(...count(10));
    const early = await fixture.open(first, 0);
    expect(await upTo(early, 'Synced')).toEqual([...count(10), 'Synced']);
    const late = await fixture.open(second, 0);
    const stored = await fixture.store('later');
    expect(await upTo(late, 'Synced')).toEqual([...count(10), 'Synced']);
    await fixture.publish(stored);
    expect(await upTo(late, 'later')).toEqual(['later']);
    expect(await upTo(early, 'later')).toEqual(['later']);
    await Promise.all([early.return?.(), late.return?.()]);
  });

  test('are all refused if it cannot be read, and the next ones read it again', async () => {
    const users = await admitted(3);
    await fixture.say(...count(10));
    fixture.onRead((reading) => {
      if (reading === 3) throw new Error('no answer');
    });
    const results = await Promise.allSettled(users.map((user) => openTogether([user])));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    fixture.onRead();
    for (const events of await openTogether(users)) expect(events).toHaveLength(11);
  });
});
