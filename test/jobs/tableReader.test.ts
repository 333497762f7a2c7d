import { expect, onTestFinished, test } from 'vitest';
import { createAccountJob } from '../../src/accountDeletion/deletionJob.ts';
import { createTimestamps, toTimestamp } from '../../src/core/timestamps.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import type { Item } from '../../src/dynamo/item.ts';
import { type Key, keys } from '../../src/dynamo/keys.ts';
import { type After, createTableReader, STEP_ITEMS } from '../../src/jobs/tableReader.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';

const MESSAGES = 2 * STEP_ITEMS + 50;

async function dynamoWithMessages(): Promise<Dynamo> {
  const { dynamo, stop } = await openTestDynamo();
  onTestFinished(stop);
  for (let i = 0; i < MESSAGES; i++) {
    await dynamo.put({ ...keys.root('room', toTimestamp(i + 1)), author: 'aki', body: 'Hello', rev: 1 });
  }
  return dynamo;
}

test('createTableReader: a step has at most STEP_ITEMS items, and all steps together have each item once', async () => {
  const dynamo = await dynamoWithMessages();
  const table = createTableReader({ dynamo, now: () => 0 });
  const guard = { condition: 'author = :author', values: { ':author': 'aki' } };
  const steps: Item[][] = [];
  for (let after: Key | undefined, isOver = false; !isOver; isOver = after === undefined) {
    const { items, next } = await table.read(guard, after);
    steps.push([...items]);
    after = next;
  }
  expect(Math.max(...steps.map((items) => items.length))).toBe(STEP_ITEMS);
  expect(steps.flat().length).toBe(MESSAGES);
  expect(new Set(steps.flat().map(({ sk }) => sk)).size).toBe(MESSAGES);
});

test('createTableReader: a step begins again if its place is one of another table', async () => {
  const dynamo = await dynamoWithMessages();
  const guard = { condition: 'author = :author', values: { ':author': 'aki' } };
  const stepIn = async (tableInUse: string | undefined, after?: After) => {
    const reader = createTableReader({
      dynamo,
      now: () => 0,
      tableInUse: tableInUse === undefined ? undefined : () => tableInUse,
    });
    const { items, next } = await reader.read(guard, after);
    // As jobs store it.
    return { first: items[0]?.sk, next: next && (JSON.parse(JSON.stringify(next)) as After) };
  };
  const begun = await stepIn('one');
  const second = await stepIn('one', begun.next);
  expect(second.first).not.toBe(begun.first);
  expect(await stepIn('two', begun.next)).toMatchObject({ first: begun.first, next: { of: 'two' } });
  // A function does not know which table it is.
  expect(await stepIn(undefined, begun.next)).toMatchObject({ first: second.first });
  // As an earlier release stored it.
  const plain = await stepIn(undefined);
  expect(await stepIn('one', plain.next)).toEqual(second);
});

test('createTableReader: jobs take turns, so that together they read as much as one', () => {
  let now = 5_000;
  const { nextAt } = createTableReader({
    dynamo: { scanPage: () => Promise.reject(new Error('not read')) },
    now: () => now,
  });
  expect([nextAt(), nextAt(), nextAt()]).toEqual([6_000, 7_000, 8_000]);
  now = 20_000;
  expect(nextAt()).toBe(21_000);
});

test('a deleted account: one step empties at most STEP_ITEMS messages', async () => {
  const dynamo = await dynamoWithMessages();
  let writes = 0;
  const counting: Dynamo = {
    ...dynamo,
    tryTransact: (...args) => {
      writes++;
      return dynamo.tryTransact(...args);
    },
  };
  const job = createAccountJob({
    dynamo: counting,
    publisher: { publish: async () => {}, resync: () => {}, settled: async () => {}, stop: async () => {} },
    timestamps: createTimestamps(),
    now: Date.now,
    table: createTableReader({ dynamo: counting, now: Date.now }),
  });
  const steps: number[] = [];
  for (let cursor = 'table'; cursor.startsWith('table'); ) {
    writes = 0;
    const next = await job.step({ user: 'aki', eraseMessages: true }, cursor);
    steps.push(writes);
    cursor = typeof next === 'string' ? next : (next?.cursor ?? '');
  }
  expect(Math.max(...steps)).toBe(STEP_ITEMS);
  expect(steps.reduce((sum, one) => sum + one, 0)).toBe(MESSAGES);
});
