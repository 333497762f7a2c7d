import { afterAll, beforeAll, expect, test } from 'vitest';
import { OutageError } from '../../src/core/errors.ts';
import { newId } from '../../src/core/ids.ts';
import { toTimestamp } from '../../src/core/timestamps.ts';
import { createDynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import type { Transport } from '../../src/dynamo/transport/transport.ts';
import { createAuthorsPositions } from '../../src/roomEvents/authorsPositions.ts';
import { membershipItem, newMembership } from '../../src/rooms/room.ts';
import { counting } from '../stream/support/requests.ts';
import { openTestDynamo, type TestDynamo, testTimeouts } from '../support/database/dynamo.ts';
import { createTestClock } from '../support/time/clock.ts';
import { eventually } from '../support/time/eventually.ts';

let db: TestDynamo;
beforeAll(async () => {
  db = await openTestDynamo();
});
afterAll(() => db.stop());

/** A member whose last root is pending. */
async function join(user: string, room: string, lastRoot: number): Promise<void> {
  const joined = newMembership({ user, room, role: 'MEMBER', joinCount: 0, readPosition: 0 }, '');
  await db.dynamo.put(membershipItem({ ...joined, pendingReadRoot: toTimestamp(lastRoot) }));
}

const root = (room: string, author: string, position: number) => ({
  room,
  author,
  threadTs: toTimestamp(position),
  position,
});

test('authors: writes once for each author, for their last root', async () => {
  const room = newId();
  await join('aki', room, 10);
  await join('ben', room, 5);
  const { transport, count } = counting(db.transport);
  const dynamo = createDynamo({ transport, table: db.table, timeouts: testTimeouts });
  const roots = Array.from({ length: 10 }, (_, i) => root(room, i < 5 ? 'ben' : 'aki', i + 1));
  await createAuthorsPositions({ dynamo }).settle(roots);
  expect(count('UpdateItem')).toBe(2);
  const settled = (user: string) => db.dynamo.get(keys.membership(user, room));
  expect(await settled('aki')).toMatchObject({ readPosition: 10 });
  expect(await settled('ben')).toMatchObject({ readPosition: 5 });
  expect(await settled('ben')).not.toHaveProperty('readTo');
});

test('authors: leaves a membership that names a later root', async () => {
  const room = newId();
  await join('aki', room, 3);
  const roots = [1, 2].map((n) => root(room, 'aki', n));
  await createAuthorsPositions(db).settle(roots);
  expect(await db.dynamo.get(keys.membership('aki', room))).toMatchObject({
    readPosition: 0,
    readTo: toTimestamp(3),
  });
});

/** Counted writes of authors that wait for two seconds, by a clock that the test moves. */
function puttingOff() {
  const clock = createTestClock();
  const { transport, count } = counting(db.transport);
  const dynamo = createDynamo({ transport, table: db.table, timeouts: testTimeouts });
  const authors = createAuthorsPositions({ dynamo, putOffMs: 2_000, clock });
  return { clock, authors, writes: () => count('UpdateItem') };
}

const positionOf = async (user: string, room: string) =>
  (await db.dynamo.get(keys.membership(user, room)))?.readPosition;

test('authors: what comes within two seconds is one write for each author', async () => {
  const room = newId();
  await join('aki', room, 3);
  await join('ben', room, 4);
  const { clock, authors, writes } = puttingOff();
  await authors.settle([root(room, 'aki', 1)]);
  clock.advance(1_900);
  await authors.settle([root(room, 'aki', 2), root(room, 'aki', 3), root(room, 'ben', 4)]);
  // A record that arrives again.
  await authors.settle([root(room, 'aki', 2)]);
  expect(writes()).toBe(0);
  clock.advance(100);
  await eventually(async () => {
    expect(await positionOf('aki', room)).toBe(3);
    expect(await positionOf('ben', room)).toBe(4);
  });
  expect(writes()).toBe(2);
  expect(clock.waiting).toBe(0);
  // And so does what comes later.
  await join('aki', room, 5);
  await authors.settle([root(room, 'aki', 5)]);
  clock.advance(2_000);
  await eventually(async () => expect(await positionOf('aki', room)).toBe(5));
});

test('authors: flush writes what waits, once', async () => {
  const room = newId();
  await join('aki', room, 1);
  const { clock, authors, writes } = puttingOff();
  await authors.settle([root(room, 'aki', 1)]);
  await authors.flush();
  expect(await positionOf('aki', room)).toBe(1);
  expect(clock.waiting).toBe(0);
  await authors.flush();
  expect(writes()).toBe(1);
});

test('authors: flush waits for writes that were begun before', async () => {
  const room = newId();
  await join('aki', room, 1);
  const { clock, authors } = puttingOff();
  await authors.settle([root(room, 'aki', 1)]);
  clock.advance(2_000);
  await authors.flush();
  expect(await positionOf('aki', room)).toBe(1);
});

test('authors: of a thousand that wait, the writes begin at once, and the batch does not wait for them', async () => {
  const room = newId();
  await join('aki', room, 1_000);
  const { clock, authors, writes } = puttingOff();
  await authors.settle(Array.from({ length: 999 }, (_, i) => root(room, `author-${i}`, i + 1)));
  expect(writes()).toBe(0);
  await authors.settle([root(room, 'aki', 1_000)]);
  expect(writes()).toBeLessThan(1_000);
  expect(clock.waiting).toBe(0);
  await authors.flush();
  expect(writes()).toBe(1_000);
  expect(await positionOf('aki', room)).toBe(1_000);
});

test('authors: writes that were put off and fail are given up, and later ones are not', async () => {
  const room = newId();
  await join('aki', room, 1);
  await join('ben', room, 2);
  const down = { isDown: true };
  const transport: Transport = {
    send: (...request) => (down.isDown ? Promise.reject(new OutageError()) : db.transport.send(...request)),
  };
  const dynamo = createDynamo({ transport, table: db.table, timeouts: testTimeouts });
  const authors = createAuthorsPositions({ dynamo, putOffMs: 2_000, clock: createTestClock() });
  await authors.settle([root(room, 'aki', 1)]);
  await authors.flush();
  down.isDown = false;
  await authors.settle([root(room, 'ben', 2)]);
  await authors.flush();
  expect(await positionOf('aki', room)).toBe(0);
  expect(await positionOf('ben', room)).toBe(2);
  // What is not put off says so.
  down.isDown = true;
  await expect(createAuthorsPositions({ dynamo }).settle([root(room, 'aki', 1)])).rejects.toThrow(
    OutageError,
  );
});
