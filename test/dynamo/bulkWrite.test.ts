import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { toTimestamp } from '../../src/core/timestamps.ts';
import { bulkWrite, type Unit } from '../../src/dynamo/bulkWrite.ts';
import type { Connection } from '../../src/dynamo/connect.ts';
import { createDynamo, type Dynamo } from '../../src/dynamo/dynamo.ts';
import type { Item } from '../../src/dynamo/item.ts';
import { type Key, keys, ranges } from '../../src/dynamo/keys.ts';
import { type FaultProxy, startFaultProxy } from '../stream/support/faultProxy.ts';
import {
  connectTo,
  onDynamoDbLocal,
  openTestDynamo,
  type TestDynamo,
  testTimeouts,
} from '../support/database/dynamo.ts';
import { itemsIn } from '../support/database/table.ts';

const COUNT = 430;

/** A number as a request has it. */
const numberOf = (value: unknown): number => Number((value as { readonly N: string }).N);

/**
 * Only the embedded database is filled by transactions. On DynamoDB Local, one of 100 items can take more than the
 * second that a request has; it continues after the request was given up, so the next one takes even longer.
 */
const METHODS = onDynamoDbLocal ? (['batches'] as const) : (['batches', 'transactions'] as const);

describe.each(METHODS)('bulkWrite by %s', (by) => {
  const operation = by === 'batches' ? 'BatchWriteItem' : 'TransactWriteItems';
  let database: TestDynamo;
  let proxy: FaultProxy;
  let connection: Connection;
  let dynamo: Dynamo;
  let room: string;
  let taken: number;

  beforeAll(async () => {
    database = await openTestDynamo();
  });
  afterAll(() => database?.stop());
  beforeEach(async () => {
    proxy = await startFaultProxy(database.endpoint);
    connection = connectTo(proxy.endpoint);
    dynamo = createDynamo({ transport: connection.transport, table: database.table, timeouts: testTimeouts });
    room = newId();
    taken = 0;
  });
  afterEach(async () => {
    connection.destroy();
    await proxy.stop();
  });

  function* items(): Generator<Key & Item> {
    for (let n = 1; n <= COUNT; n++) {
      taken++;
      yield { ...keys.root(room, toTimestamp(n)), v: 1, n };
    }
  }

  const expectAllStored = async () => {
    const stored = await itemsIn(database.dynamo, ranges.roots(room));
    expect(stored.map(({ n }) => n)).toEqual(Array.from({ length: COUNT }, (_, i) => i + 1));
  };

  test('bulkWrite: stores everything, and takes at most 200 items ahead of what is written', async () => {
    let written = 0;
    let ahead = 0;
    await bulkWrite({
      dynamo,
      by,
      items: items(),
      onWritten(part) {
        written += part.length;
        ahead = Math.max(ahead, taken - written);
      },
    });
    await expectAllStored();
    expect(written).toBe(COUNT);
    expect(ahead).toBeLessThanOrEqual(200);
  });

  test('bulkWrite: continues after throttling, server errors and lost answers', async () => {
    proxy.fail(operation, 'ThrottlingException', 5);
    proxy.fail(operation, 'InternalServerError', 2);
    proxy.cut(operation, 2);
    await bulkWrite({ dynamo, by, items: items() });
    await expectAllStored();
  });

  test('bulkWrite: sends each unit of several items in one transaction', async () => {
    const inTransactions: number[][] = [];
    proxy.onRequest('TransactWriteItems', ({ TransactItems }) => {
      inTransactions.push(
        TransactItems.map(({ Put }: { Put: { Item: { n: unknown } } }) => numberOf(Put.Item.n)),
      );
    });
    // Three do not divide the size of any request.
    function* units(): Generator<Unit> {
      const all = [...items()];
      while (all.length > 0) {
        yield all.splice(0, 3);
        yield* all.splice(0, 1);
      }
    }
    await bulkWrite({ dynamo, by, items: units() });
    await expectAllStored();
    const requestOf = (n: number) => inTransactions.findIndex((some) => some.includes(n));
    for (let n = 1; n + 2 <= COUNT; n += 4) {
      expect(requestOf(n)).toBeGreaterThanOrEqual(0);
      expect([requestOf(n + 1), requestOf(n + 2)]).toEqual([requestOf(n), requestOf(n)]);
      expect(requestOf(n + 3) >= 0).toBe(by === 'transactions' && n + 3 <= COUNT);
    }
  });

  test('bulkWrite: rejects with UNAVAILABLE after its time limit, and takes no more items', async () => {
    proxy.mode = 'refuse';
    const writing = bulkWrite({ dynamo, by, items: items(), timeoutMs: 300 });
    await expect(writing).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(taken).toBeLessThan(COUNT);
  });

  test('bulkWrite: rejects at once with an error that a retry cannot fix', async () => {
    proxy.fail(operation, 'ValidationException', 100);
    await expect(bulkWrite({ dynamo, by, items: items() })).rejects.toMatchObject({
      name: 'ValidationException',
    });
  });

  test('bulkWrite: rejects when nothing is under way any more', async () => {
    let [sent, answered] = [0, 0];
    proxy.onRequest(operation, () => void sent++);
    proxy.rewrite(operation, () => void answered++);
    proxy.fail(operation, 'ValidationException');
    await expect(bulkWrite({ dynamo, by, items: items() })).rejects.toMatchObject({
      name: 'ValidationException',
    });
    expect(sent).toBeGreaterThan(1);
    expect(answered).toBe(sent - 1);
  });

  test('bulkWrite: sends nothing more once it may not go on', async () => {
    let written = 0;
    const onWritten = (part: readonly Item[]) => {
      written += part.length;
    };
    const mayGoOn = () => written === 0;
    expect(await bulkWrite({ dynamo, by, items: items(), onWritten, mayGoOn })).toBe(false);
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(COUNT);
  });

  if (by !== 'batches') return;

  test('bulkWrite: sends unprocessed items again, and only those', async () => {
    const sent: number[] = [];
    let answers = 0;
    proxy.onRequest(operation, ({ RequestItems }) => {
      sent.push(RequestItems[database.table].length);
    });
    proxy.rewrite(operation, (answer, { RequestItems }) => {
      // DynamoDB takes only ten items of the first three batches, and then only five.
      if (++answers > 6) return undefined;
      const left = RequestItems[database.table].slice(RequestItems[database.table].length > 15 ? 10 : 5);
      return { ...answer, UnprocessedItems: { [database.table]: left } };
    });
    await bulkWrite({ dynamo, by, items: items() });
    await expectAllStored();
    expect(sent.filter((size) => size === 15).length).toBeGreaterThan(0);
    expect(sent.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(COUNT);
  });
});
