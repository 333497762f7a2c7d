import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { toTimestamp } from '../../src/core/timestamps.ts';
import { bulkWrite } from '../../src/dynamo/bulkWrite.ts';
import { createClient } from '../../src/dynamo/client.ts';
import { createDynamo, type Dynamo } from '../../src/dynamo/dynamo.ts';
import type { Item } from '../../src/dynamo/item.ts';
import { type Key, keys, ranges } from '../../src/dynamo/keys.ts';
import { type FaultProxy, startFaultProxy } from '../stream/faultProxy.ts';
import { onDynamoDbLocal, openTestDynamo, patience, type TestDynamo } from '../support/dynamo.ts';
import { itemsIn } from '../support/table.ts';

const COUNT = 430;

/**
 * Transactions are for the embedded database alone. DynamoDB Local can take more than the second that a request has for
 * one of a hundred items, and goes on with each that was given up, so that the next takes longer still.
 */
const WAYS = onDynamoDbLocal ? (['batches'] as const) : (['batches', 'transactions'] as const);

describe.each(WAYS)('writing in bulk by %s', (by) => {
  const operation = by === 'batches' ? 'BatchWriteItem' : 'TransactWriteItems';
  let database: TestDynamo;
  let proxy: FaultProxy;
  let dynamo: Dynamo;
  let room: string;
  let drawn: number;

  beforeAll(async () => {
    database = await openTestDynamo();
  });
  afterAll(() => database?.stop());
  beforeEach(async () => {
    proxy = await startFaultProxy(database.endpoint);
    const client = createClient({ endpoint: proxy.endpoint, patience });
    dynamo = createDynamo({ client, table: database.table });
    room = newId();
    drawn = 0;
  });
  afterEach(async () => {
    dynamo.client.destroy();
    await proxy.stop();
  });

  function* items(): Generator<Key & Item> {
    for (let n = 1; n <= COUNT; n++) {
      drawn++;
      yield { ...keys.root(room, toTimestamp(n)), v: 1, n };
    }
  }

  const isAllThere = async () => {
    const stored = await itemsIn(database.dynamo, ranges.roots(room));
    expect(stored.map(({ n }) => n)).toEqual(Array.from({ length: COUNT }, (_, i) => i + 1));
  };

  test('stores everything, and draws no more than is under way', async () => {
    let written = 0;
    let ahead = 0;
    await bulkWrite({
      dynamo,
      by,
      items: items(),
      onWritten(part) {
        written += part.length;
        ahead = Math.max(ahead, drawn - written);
      },
    });
    await isAllThere();
    expect(written).toBe(COUNT);
    expect(ahead).toBeLessThanOrEqual(200);
  });

  test('goes on through throttling, faults and lost answers', async () => {
    proxy.fail(operation, 'ThrottlingException', 5);
    proxy.fail(operation, 'InternalServerError', 2);
    proxy.cut(operation, 2);
    await bulkWrite({ dynamo, by, items: items() });
    await isAllThere();
  });

  test('gives up after its patience, and draws no more', async () => {
    proxy.mode = 'refuse';
    const writing = bulkWrite({ dynamo, by, items: items(), patienceMs: 300 });
    await expect(writing).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(drawn).toBeLessThan(COUNT);
  });

  test('fails at once on what no patience mends', async () => {
    proxy.fail(operation, 'ValidationException', 100);
    await expect(bulkWrite({ dynamo, by, items: items() })).rejects.toMatchObject({
      name: 'ValidationException',
    });
  });

  if (by !== 'batches') return;

  test('sends again what was not taken, and only that', async () => {
    const sent: number[] = [];
    let answers = 0;
    proxy.onRequest(operation, ({ RequestItems }) => {
      sent.push(RequestItems[database.table].length);
    });
    proxy.rewrite(operation, (answer, { RequestItems }) => {
      // Of the first three batches only ten are taken at first, and then only five.
      if (++answers > 6) return undefined;
      const left = RequestItems[database.table].slice(RequestItems[database.table].length > 15 ? 10 : 5);
      return { ...answer, UnprocessedItems: { [database.table]: left } };
    });
    await bulkWrite({ dynamo, by, items: items() });
    await isAllThere();
    expect(sent.filter((size) => size === 15).length).toBeGreaterThan(0);
    expect(sent.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(COUNT);
  });
});
