import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { toTimestamp } from '../../src/core/timestamps.ts';
import { createDynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { settleReadPositions } from '../../src/roomEvents/settleReadPositions.ts';
import { membershipItem, newMembership } from '../../src/rooms/room.ts';
import { counting } from '../stream/support/requests.ts';
import { openTestDynamo, type TestDynamo, testTimeouts } from '../support/database/dynamo.ts';

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
  ...{ room, author, threadTs: toTimestamp(position), position },
});

test('settleReadPositions: writes once for each author, for their last root', async () => {
  const room = newId();
  await join('aki', room, 10);
  await join('ben', room, 5);
  const { transport, count } = counting(db.transport);
  const dynamo = createDynamo({ transport, table: db.table, timeouts: testTimeouts });
  const roots = Array.from({ length: 10 }, (_, i) => root(room, i < 5 ? 'ben' : 'aki', i + 1));
  await settleReadPositions(dynamo, roots);
  expect(count('UpdateItem')).toBe(2);
  const settled = (user: string) => db.dynamo.get(keys.membership(user, room));
  expect(await settled('aki')).toMatchObject({ readPosition: 10 });
  expect(await settled('ben')).toMatchObject({ readPosition: 5 });
  expect(await settled('ben')).not.toHaveProperty('readTo');
});

test('settleReadPositions: leaves a membership that names a later root', async () => {
  const room = newId();
  await join('aki', room, 3);
  const roots = [1, 2].map((n) => root(room, 'aki', n));
  await settleReadPositions(db.dynamo, roots);
  expect(await db.dynamo.get(keys.membership('aki', room))).toMatchObject({
    ...{ readPosition: 0, readTo: toTimestamp(3) },
  });
});
