import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { CONVERSIONS } from '../../src/dynamo/table.ts';
import { createTestClock } from '../support/time/clock.ts';
import { until, upTo } from './support/consumerFixture.ts';
import { useReaderFixture } from './support/readerFixture.ts';
import { numbers, rootKey } from './support/stream.ts';

const fixture = useReaderFixture();

describe('createReader', () => {
  it('createReader: reads records from before and after its start, in order', async () => {
    for (const n of upTo(5)) await fixture.put(n);
    const { handled, reader } = fixture.start();
    await until(() => expect(numbers(handled)).toEqual(upTo(5)));
    for (const n of [6, 7, 8]) await fixture.put(n);
    await until(() => expect(numbers(handled)).toEqual(upTo(8)));
    await until(() => expect(reader.position).toBe(handled.at(-1)?.sequence));
  });

  it('createReader: starts after its checkpoint', async () => {
    for (const n of upTo(6)) await fixture.put(n);
    const first = fixture.start();
    await until(() => expect(first.handled).toHaveLength(6));
    const second = fixture.start({ checkpoint: first.handled[3]?.sequence });
    await until(() => expect(numbers(second.handled)).toEqual([5, 6]));
  });

  it('createReader: polls again at once while pages are full', async () => {
    const batch = (from: number) =>
      new BatchWriteItemCommand({
        RequestItems: {
          [fixture.db.table]: upTo(25).map((i) => {
            const { pk, sk } = rootKey('r', from + i);
            return { PutRequest: { Item: { pk: { S: pk }, sk: { S: sk }, n: { N: String(from + i) } } } };
          }),
        },
      });
    for (let from = 0; from < 2_100; from += 25) await fixture.db.client.send(batch(from));
    const clock = createTestClock();
    const { handled, reader } = fixture.start({ clock });
    // The clock does not move, so a wait would never end.
    await until(() => expect(handled).toHaveLength(2_100));
    expect(numbers(handled)).toEqual(upTo(2_100));
    // A new table has an item for each conversion, and one for its shape.
    expect(reader.records).toBe(2_100 + CONVERSIONS.length + 1);
  });

  it('createReader: moves its position after the changes are handled', async () => {
    await fixture.put(1);
    let refuse = (_: Error) => {};
    const { reader, end } = fixture.start({ handle: () => new Promise((_, reject) => (refuse = reject)) });
    await until(() => expect(reader.behindSince).toBeDefined());
    expect(reader.position).toBeUndefined();
    refuse(new Error('not done'));
    await expect(end).rejects.toThrow('not done');
    expect(reader.position).toBeUndefined();
  });

  it('createReader: handles nothing after it was stopped, and stops at once', async () => {
    fixture.proxy.onRequest('GetRecords', () => fixture.stop());
    await fixture.put(1);
    const { end, handled } = fixture.start({ clock: createTestClock() });
    expect(await end).toBe('stopped');
    expect(handled).toEqual([]);
  });

  it('createReader: ends at the end of the shard', async () => {
    await fixture.put(1);
    fixture.proxy.rewrite('GetRecords', ({ NextShardIterator: _, ...page }) => page);
    const { end, handled } = fixture.start();
    expect(await end).toBe('ended');
    expect(handled).toHaveLength(1);
  });

  it('createReader: resolves to `gone` if the stream does not know the shard', async () => {
    fixture.proxy.fail('GetRecords', 'ResourceNotFoundException');
    expect(await fixture.start().end).toBe('gone');
  });
});
