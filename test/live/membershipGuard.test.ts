import { beforeEach, expect, test } from 'vitest';
import type { Item } from '../../src/dynamo/item.ts';
import { createMembershipGuard, type ReaderGuard } from '../../src/live/membershipGuard.ts';

/** Reads, in order, which the test answers. */
let reads: Array<{ answer(item: Item | undefined): void; fail(): void }>;
let said: string[];
let reader: ReaderGuard;

beforeEach(() => {
  reads = [];
  said = [];
  const load = () =>
    new Promise<Item | undefined>((answer, reject) => {
      reads.push({ answer, fail: () => reject(new Error('no answer')) });
    });
  const guard = createMembershipGuard({ load, loadMany: () => Promise.reject(new Error('not used')) });
  reader = guard.createReader({
    user: 'ben',
    onMember: (room, { rev }) => said.push(`${room}: member, version ${rev}`),
    onFormer: (room) => said.push(`${room}: former`),
    onUnknown: (room) => said.push(`${room}: unknown`),
  });
});

const settled = () => new Promise(setImmediate);

async function answer(item: Item | undefined): Promise<void> {
  reads.shift()?.answer(item);
  await settled();
}

test('recheck: closes the room at once, and opens it when the user is a member', async () => {
  expect(reader.isOpen('a')).toBe(true);
  reader.recheck('a');
  expect([reader.isOpen('a'), reader.isOpen('b')]).toEqual([false, true]);
  await answer({ rev: 3 });
  expect([reader.isOpen('a'), said]).toEqual([true, ['a: member, version 3']]);
});

test('recheck: keeps the room closed for a former member', async () => {
  reader.recheck('a');
  await answer(undefined);
  expect([reader.isOpen('a'), said]).toEqual([false, ['a: former']]);
  reader.forget('a');
  expect(reader.isOpen('a')).toBe(true);
});

test('recheck: does not trust an answer that is older than the last removal', async () => {
  reader.recheck('a');
  reader.recheck('a');
  reader.recheck('a');
  expect(reads).toHaveLength(1);
  await answer({ rev: 3 });
  expect([reader.isOpen('a'), said]).toEqual([false, []]);
  expect(reads).toHaveLength(1);
  await answer(undefined);
  expect([reader.isOpen('a'), said]).toEqual([false, ['a: former']]);
});

test('recheck: keeps the room closed when the table does not answer, until all is read again', async () => {
  reader.recheck('a');
  reads.shift()?.fail();
  await settled();
  expect([reader.isOpen('a'), said]).toEqual([false, ['a: unknown']]);
  const doubts = reader.unknown();
  reader.settle(doubts);
  expect(reader.isOpen('a')).toBe(true);
});

test('settle: does not open a room that was closed after the read had begun', async () => {
  reader.recheck('a');
  reads.shift()?.fail();
  await settled();
  const doubts = reader.unknown();
  reader.recheck('a');
  reads.shift()?.fail();
  await settled();
  reader.settle(doubts);
  expect(reader.isOpen('a')).toBe(false);
});
