import { beforeEach, expect, test } from 'vitest';
import type { Item } from '../../src/dynamo/item.ts';
import { createMembershipGuard, type RoomGate } from '../../src/live/membershipGuard.ts';

/** Reads, in order, which the test answers. */
let reads: Array<{ answer(item: Item | undefined): void; fail(): void }>;
let said: string[];
let roomExists = true;
let gate: RoomGate;

beforeEach(() => {
  reads = [];
  said = [];
  roomExists = true;
  const loadMany = () =>
    new Promise<Array<Item | undefined>>((answer, reject) => {
      reads.push({
        answer: (membership) => answer([membership, roomExists ? {} : undefined]),
        fail: () => reject(new Error('no answer')),
      });
    });
  const guard = createMembershipGuard({ load: () => Promise.reject(new Error('not used')), loadMany });
  gate = guard.createGate({
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
  expect(gate.isOpen('a')).toBe(true);
  gate.recheck('a');
  expect([gate.isOpen('a'), gate.isOpen('b')]).toEqual([false, true]);
  await answer({ rev: 3 });
  expect([gate.isOpen('a'), said]).toEqual([true, ['a: member, version 3']]);
});

test('recheck: keeps the room closed for a former member', async () => {
  gate.recheck('a');
  await answer(undefined);
  expect([gate.isOpen('a'), said]).toEqual([false, ['a: former']]);
  gate.forget('a');
  expect(gate.isOpen('a')).toBe(true);
});

test('recheck: keeps a deleted room closed for its members', async () => {
  roomExists = false;
  gate.recheck('a');
  await answer({ rev: 3 });
  expect([gate.isOpen('a'), said]).toEqual([false, ['a: former']]);
});

test('recheck: does not trust an answer that is older than the last removal', async () => {
  gate.recheck('a');
  gate.recheck('a');
  gate.recheck('a');
  expect(reads).toHaveLength(1);
  await answer({ rev: 3 });
  expect([gate.isOpen('a'), said]).toEqual([false, []]);
  expect(reads).toHaveLength(1);
  await answer(undefined);
  expect([gate.isOpen('a'), said]).toEqual([false, ['a: former']]);
});

test('recheck: keeps the room closed when the table does not answer, until all is read again', async () => {
  gate.recheck('a');
  reads.shift()?.fail();
  await settled();
  expect([gate.isOpen('a'), said]).toEqual([false, ['a: unknown']]);
  const doubts = gate.unknown();
  gate.settle(doubts);
  expect(gate.isOpen('a')).toBe(true);
});

test('settle: does not open a room that was closed after the read had begun', async () => {
  gate.recheck('a');
  reads.shift()?.fail();
  await settled();
  const doubts = gate.unknown();
  gate.recheck('a');
  reads.shift()?.fail();
  await settled();
  gate.settle(doubts);
  expect(gate.isOpen('a')).toBe(false);
});
