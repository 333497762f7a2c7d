/** What timers cost, with few and with many open ones. */
import { expect, onTestFinished, test } from 'vitest';
import { bulkWrite } from '../../src/dynamo/bulkWrite.ts';
import { timerItem } from '../../src/timers/timer.ts';
import { onDynamoDbLocal, openTestDynamo } from '../support/database/dynamo.ts';
import { scaled } from '../support/run/budget.ts';
import { createRunner, set, timer } from './support/timers.ts';

const HOUR = 3_600_000;
/** 100,000 in CI. DynamoDB Local becomes slow with more items. */
const OPEN = onDynamoDbLocal ? 1_000 : scaled(10_000);

test(`an idle look reads 16 units, with ${OPEN} open timers as without, and a due timer 1 and 1`, async () => {
  let [reads, writes, requests] = [0, 0, 0];
  const db = await openTestDynamo({
    file: true,
    onCost({ readUnits, writeUnits }) {
      reads += readUnits;
      writes += writeUnits;
      requests++;
    },
  });
  onTestFinished(() => db.stop());
  const { dynamo } = db;
  async function costOf(work: () => Promise<void>) {
    [reads, writes, requests] = [0, 0, 0];
    await work();
    return { reads, writes, requests };
  }
  /** An empty query costs nothing on DynamoDB Local, a unit on AWS. */
  const idle = { reads: onDynamoDbLocal ? 0 : 16, writes: 0, requests: 16 };
  const { runner, clock, ended } = createRunner(dynamo);
  expect(await costOf(runner.look)).toEqual(idle);

  const items = Array.from({ length: OPEN }, (_, i) =>
    timerItem(timer({ id: `later${i}`, due: HOUR + i, owner: `u${i % 1_000}` })),
  );
  await bulkWrite({ dynamo, items, by: onDynamoDbLocal ? 'batches' : 'transactions', timeoutMs: 600_000 });
  expect(await costOf(runner.look)).toEqual(idle);

  await set(dynamo, { id: 'now', due: 1_000 });
  await runner.look();
  const next = (count: number) => async () => {
    clock.advance(1_000);
    await ended(count);
  };
  expect(await costOf(next(1))).toEqual({ reads: 1, writes: 1, requests: 2 });
  expect(await costOf(() => set(dynamo, { id: 'fails', due: 2_000, kind: 'unknown' }))).toMatchObject({
    writes: 2,
  });
  await runner.look();
  // DynamoDB Local reports one of a transaction's two writes.
  expect(await costOf(next(2))).toEqual({ reads: 1, writes: onDynamoDbLocal ? 2 : 4, requests: 2 });
  await runner.pause();
});
