/** The conversion's job moves from one process to another, and back. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { newId } from '../../src/core/ids.ts';
import { toTimestamp } from '../../src/core/timestamps.ts';
import { bulkWrite } from '../../src/dynamo/bulkWrite.ts';
import type { Item } from '../../src/dynamo/item.ts';
import { messageItem, newMessage } from '../../src/messages/message.ts';
import { createConversionJob, progressOf } from '../../src/reshape/conversionJob.ts';
import { onDynamoDbLocal, openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { hastyClock } from '../support/time/clock.ts';
import { createRehearsal, messagesIn, withoutShape } from './support/job.ts';

let database: TestDynamo;
beforeAll(async () => {
  database = await openTestDynamo({ file: true });
});
afterAll(() => database.stop());

const LONG = 'あ'.repeat(500);

test('a process that gets the job back in a later pass reads again what it had read in an earlier one', async () => {
  const { dynamo } = database;
  await withoutShape(dynamo);
  const room = newId();
  const items = Array.from({ length: 60 }, (_, i) => {
    const ts = toTimestamp(1_700_000_000_000_000 + i);
    return messageItem(newMessage({ room, threadTs: ts, ts, author: 'aki', body: LONG, mentions: [] }));
  });
  await bulkWrite({ dynamo, items, by: onDynamoDbLocal ? 'batches' : 'transactions' });
  const { start, status, now: realNow } = createRehearsal(dynamo);
  await start({ rate: 100_000 });
  const { version } = await status();

  // Longer than a step of the change before could take.
  let later = 60_000;
  const now = () => realNow() + later;
  let time = 0;
  /** A step of this one ends after a few groups. */
  const slowClock: Clock = { ...hastyClock, now: () => (time += 400) };
  const slow = createConversionJob({ dynamo, now, clock: slowClock });
  const fast = createConversionJob({ dynamo, now, clock: hastyClock });
  async function step(job: typeof slow, cursor: string | null): Promise<string | null> {
    later += 20_000;
    const next = await job.step({ version }, cursor);
    return next === null || typeof next === 'string' ? next : next.cursor;
  }
  const isConverted = ({ bodyApart }: Item) => bodyApart === true;
  const messages = async () =>
    Object.values(await messagesIn(dynamo)).filter(({ sk }) => !(sk as string).startsWith('BODY#'));

  let cursor = await step(slow, null);
  const first = (await messages()).filter(isConverted);
  expect(first.length).toBeGreaterThan(0);
  expect(first.length).toBeLessThan(60);
  while (cursor !== null && progressOf(cursor).pass === 1) cursor = await step(fast, cursor);
  // A server that has not looked at the shape yet.
  const late = items.find(({ sk }) => sk === first[0]?.sk);
  if (late === undefined) throw new Error('Nothing was converted.');
  await dynamo.put(late);
  while (cursor !== null) cursor = await step(slow, cursor);
  expect((await messages()).filter((item) => !isConverted(item))).toEqual([]);
  expect(await status()).toMatchObject({ change: { converted: true } });
});
