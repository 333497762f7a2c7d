import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { bulkWrite } from '../../src/dynamo/bulkWrite.ts';
import { createDynamo, type Dynamo } from '../../src/dynamo/dynamo.ts';
import { ConditionFailed, ConditionsFailed, TransactionConflicted } from '../../src/dynamo/errors.ts';
import { type Key, keyOf } from '../../src/dynamo/keys.ts';
import { SCAN_MAX } from '../../src/dynamo/reads.ts';
import { type FaultProxy, startFaultProxy } from '../stream/support/faultProxy.ts';
import { connectTo, openTestDynamo, type TestDynamo, testTimeouts } from '../support/database/dynamo.ts';
import { took } from '../support/time/ownTime.ts';

let database: TestDynamo;
let proxy: FaultProxy;
let dynamo: Dynamo;
/** With the timeouts of the product, not the longer ones of the tests. */
let impatient: Dynamo;
let writes = 0;
beforeAll(async () => {
  database = await openTestDynamo();
});
beforeEach(async () => {
  proxy = await startFaultProxy(database.endpoint);
  const { transport, destroy } = connectTo(proxy.endpoint);
  writes = 0;
  const options = { transport, table: database.table, onWrite: () => writes++ };
  dynamo = createDynamo({ ...options, timeouts: testTimeouts });
  impatient = createDynamo(options);
  return async () => {
    destroy();
    await proxy.stop();
  };
});
afterAll(() => database.stop());

let partitions = 0;
const partition = () => `P#${++partitions}`;
const range = (pk: string, from: string, to: string) => ({ pk, from, to });
const put = async (pk: string, ...sks: string[]) => {
  for (const sk of sks) await dynamo.put({ pk, sk });
};
const cancelled = (...codes: string[]) => ({
  __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
  message: 'Transaction cancelled',
  CancellationReasons: codes.map((Code) => ({ Code })),
});

describe('query', () => {
  test('query: returns the items of the range, both ends included, and distinguishes case', async () => {
    const pk = partition();
    await put(pk, 'AB#1', 'ab#1', 'ab#2', 'ab#3', 'abc', 'ac#1');
    const { items } = await dynamo.query(range(pk, 'ab#', 'ab#\u{10FFFF}'), { limit: 10 });
    expect(items.map(({ sk }) => sk)).toEqual(['ab#1', 'ab#2', 'ab#3']);
  });

  test('query: the same pages that are asked for in one turn are one request, and later ones are not older', async () => {
    const pk = partition();
    await put(pk, 'a');
    let requests = 0;
    const { transport, destroy } = connectTo(database.endpoint);
    const reader = createDynamo({ transport, table: database.table, onCost: () => requests++ });
    const read = async () => (await reader.query(range(pk, 'a', 'z'), { limit: 10 })).items.length;
    const first = Array.from({ length: 20 }, read);
    await put(pk, 'b');
    const second = Array.from({ length: 20 }, read);
    const found = await Promise.all([...first, ...second]);
    expect(found.slice(20)).toEqual(Array(20).fill(2));
    expect(requests).toBe(2);
    expect(await Promise.all([read(), reader.query(range(pk, 'a', 'z'), { limit: 1 })])).toEqual([
      2,
      { items: [{ pk, sk: 'a' }], more: true },
    ]);
    destroy();
  });

  test('query: says whether the range has more, in both directions', async () => {
    const pk = partition();
    await put(pk, ...'abcde');
    const whole = range(pk, 'a', 'z');
    const sks = async (page: Parameters<Dynamo['query']>[1]) => {
      const { items, more } = await dynamo.query(whole, page);
      return [items.map(({ sk }) => sk).join(''), more];
    };
    expect(await sks({ limit: 4 })).toEqual(['abcd', true]);
    expect(await sks({ limit: 5 })).toEqual(['abcde', false]);
    expect(await sks({ limit: 2, after: 'b' })).toEqual(['cd', true]);
    expect(await sks({ limit: 2, after: 'c' })).toEqual(['de', false]);
    expect(await sks({ limit: 2, reverse: true })).toEqual(['ed', true]);
    expect(await sks({ limit: 2, reverse: true, after: 'c' })).toEqual(['ba', false]);
    // The item with the key `after` need not exist.
    expect(await sks({ limit: 2, after: 'bb' })).toEqual(['cd', true]);
  });

  test('query: continues after a short or empty answer that is not the last', async () => {
    const pk = partition();
    await put(pk, ...'abcde');
    let pages = 0;
    proxy.rewrite('Query', (answer) => {
      pages++;
      const [first] = answer.Items;
      // As after 1 MB: nothing the first time, then one item at a time.
      const Items = pages === 1 ? [] : [first];
      const last = pages === 1 ? { pk: { S: pk }, sk: { S: '0' } } : { pk: first.pk, sk: first.sk };
      return { ...answer, Items, LastEvaluatedKey: last };
    });
    const { items, more } = await dynamo.query(range(pk, '0', 'z'), { limit: 3 });
    expect([items.map(({ sk }) => sk).join(''), more]).toEqual(['abc', true]);
    expect(pages).toBe(5);
  });
});

describe('batchGet', () => {
  test('batchGet: takes any number of keys, with repetitions, and returns the items in that order', async () => {
    const pk = partition();
    const present = Array.from({ length: 130 }, (_, i) => `k${i}`);
    await bulkWrite({ dynamo: database.dynamo, items: present.map((sk) => ({ pk, sk })), by: 'batches' });
    const wanted = [...present, 'absent', ...present].map((sk) => ({ pk, sk }));
    const items = await dynamo.batchGet(wanted);
    expect(items.map((item) => item?.sk)).toEqual([...present, undefined, ...present]);
    expect(proxy.count('BatchGetItem')).toBe(2);
  });

  test('batchGet: requests unprocessed keys again', async () => {
    const pk = partition();
    await put(pk, 'a', 'b', 'c');
    let asked = 0;
    proxy.rewrite('BatchGetItem', (answer, request) => {
      if (++asked > 2) return undefined;
      const [first, ...rest] = request.RequestItems[database.table].Keys;
      const found = answer.Responses[database.table].filter(
        (item: { sk: { S: string } }) => item.sk.S === first.sk.S,
      );
      return {
        Responses: { [database.table]: found },
        UnprocessedKeys: rest.length === 0 ? {} : { [database.table]: { Keys: rest, ConsistentRead: true } },
      };
    });
    const items = await dynamo.batchGet(['a', 'b', 'c'].map((sk) => ({ pk, sk })));
    expect(items.map((item) => item?.sk)).toEqual(['a', 'b', 'c']);
    expect(asked).toBe(3);
  });
});

describe('transact', () => {
  test('transact: a conflict is retried until the transaction succeeds', async () => {
    const pk = partition();
    proxy.answer('TransactWriteItems', cancelled('None', 'TransactionConflict'), 3);
    await dynamo.transact([{ put: { pk, sk: 'a' } }, { put: { pk, sk: 'b' } }]);
    expect(proxy.count('TransactWriteItems')).toBe(4);
    expect(await dynamo.get({ pk, sk: 'b' })).toBeDefined();
    expect(writes).toBe(1);
  });

  test('transact: makes at most `attempts` attempts', async () => {
    proxy.answer('TransactWriteItems', cancelled('TransactionConflict'), 100);
    const failed = dynamo.transact([{ put: { pk: partition(), sk: 'a' } }], { attempts: 3 });
    await expect(failed).rejects.toBeInstanceOf(TransactionConflicted);
    expect(proxy.count('TransactWriteItems')).toBe(3);
  });

  test('transact: rejects with UNAVAILABLE by the deadline if every attempt conflicts', async () => {
    proxy.answer('TransactWriteItems', cancelled('TransactionConflict'), 1_000);
    const failed = impatient.transact([{ put: { pk: partition(), sk: 'a' } }]);
    expect(await took(failed)).toBeLessThan(3_000);
    await expect(failed).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  describe.each([
    ['ahead', 3_600_000],
    ['back', -3_600_000],
  ])('transact: while the system clock jumps %s', (_, ms) => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['Date'] });
      for (const operation of ['TransactWriteItems', 'BatchGetItem'] as const) {
        proxy.onRequest(operation, () => void vi.setSystemTime(Date.now() + ms));
      }
      return () => vi.useRealTimers();
    });

    test('conflicts and unprocessed keys are retried', async () => {
      proxy.answer('TransactWriteItems', cancelled('TransactionConflict'), 2);
      const key = { pk: partition(), sk: 'a' };
      await dynamo.transact([{ put: key }]);
      let short = true;
      proxy.rewrite('BatchGetItem', (_answer, { RequestItems }) => {
        if (!short) return undefined;
        short = false;
        return { Responses: {}, UnprocessedKeys: RequestItems };
      });
      expect(await dynamo.batchGet([key])).toEqual([key]);
    });

    test('a transaction that always conflicts rejects by the deadline', async () => {
      proxy.answer('TransactWriteItems', cancelled('TransactionConflict'), 1_000);
      const started = performance.now();
      const failed = impatient.transact([{ put: { pk: partition(), sk: 'a' } }]);
      expect(await took(failed)).toBeLessThan(3_000);
      expect(performance.now() - started).toBeGreaterThan(1_000);
      await expect(failed).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    });
  });

  test.each([[['ConditionalCheckFailed', 'None']], [['ConditionalCheckFailed', 'TransactionConflict']]])(
    'transact: failed conditions (%s) are not retried',
    async (codes) => {
      proxy.answer('TransactWriteItems', cancelled(...codes));
      const pk = partition();
      const refused = dynamo.transact([{ put: { pk, sk: 'a' } }, { put: { pk, sk: 'b' } }]);
      await expect(refused).rejects.toBeInstanceOf(ConditionsFailed);
      expect(proxy.count('TransactWriteItems')).toBe(1);
      expect(writes).toBe(0);
    },
  );

  test('transact: reports which conditions failed, and the items that were stored', async () => {
    const pk = partition();
    await dynamo.put({ pk, sk: 'b', n: 7 });
    const error = await dynamo
      .transact([
        { put: { pk, sk: 'a' }, condition: 'attribute_not_exists(pk)' },
        { put: { pk, sk: 'b' }, condition: 'attribute_not_exists(pk)' },
        { check: { pk, sk: 'c' }, condition: 'attribute_exists(pk)' },
      ])
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      failed: [undefined, { item: { pk, sk: 'b', n: 7 } }, { item: undefined }],
    });
    expect(await dynamo.get({ pk, sk: 'a' })).toBeUndefined();
  });

  test('transact: writes once if the answer is lost and the request repeated', async () => {
    const pk = partition();
    await dynamo.put({ pk, sk: 'n', n: 0 });
    proxy.cut('TransactWriteItems', 2);
    await dynamo.transact([
      { key: { pk, sk: 'n' }, update: 'SET n = n + :one', values: { ':one': 1 } },
      { put: { pk, sk: 'once' }, condition: 'attribute_not_exists(pk)' },
    ]);
    expect(await dynamo.get({ pk, sk: 'n' })).toMatchObject({ n: 1 });
  });
});

test('scanPage: reads no more of a table of small items than a page may have', async () => {
  const items = Array.from({ length: SCAN_MAX + 1 }, (_, i) => ({ pk: `P#${i}`, sk: 'small' }));
  const small = await openTestDynamo({ items });
  onTestFinished(() => small.stop());
  const first = await small.dynamo.scanPage({});
  expect([first.scanned, first.items.length]).toEqual([SCAN_MAX, SCAN_MAX]);
  const second = await small.dynamo.scanPage({}, first.next);
  expect(second.next).toBeUndefined();
  const found = [...first.items, ...second.items].map(keyOf).filter(({ sk }) => sk === 'small');
  expect(found.map(({ pk }) => pk).sort()).toEqual(items.map(({ pk }) => pk).sort());
});

test('transact: sends no empty names or values, which DynamoDB would refuse', async () => {
  const key = { pk: partition(), sk: 'a' };
  await dynamo.put({ ...key, gone: 1 }, { names: {}, values: {} });
  const removing = { update: 'REMOVE gone', condition: 'attribute_exists(pk)', names: {}, values: {} };
  let sent = '';
  proxy.onRequest('TransactWriteItems', (request) => {
    sent = JSON.stringify(request);
  });
  await dynamo.transact([{ key, ...removing }]);
  expect(sent).toContain('REMOVE gone');
  expect(sent).not.toContain('ExpressionAttributeNames');
  await dynamo.transact([{ key, update: 'REMOVE gone', names: {}, values: {} }]);
  expect(sent).not.toContain('ExpressionAttribute');
  expect(await dynamo.get(key)).toEqual(key);
});

describe('a write of one item that conflicts with a transaction', () => {
  const conflict = {
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionConflictException',
    message: 'Transaction is ongoing for the item',
  };

  test.each([
    ['PutItem', (key: Key) => dynamo.put({ ...key, n: 2 })],
    ['UpdateItem', (key: Key) => dynamo.update(key, { update: 'SET n = n + :one', values: { ':one': 1 } })],
    ['DeleteItem', (key: Key) => dynamo.remove(key)],
  ] as const)('%s: is retried until it succeeds', async (operation, write) => {
    const key = { pk: partition(), sk: 'a' };
    await database.dynamo.put({ ...key, n: 1 });
    proxy.answer(operation, conflict, 3);
    await write(key);
    expect(proxy.count(operation)).toBe(4);
    expect((await dynamo.get(key))?.n).toBe(operation === 'DeleteItem' ? undefined : 2);
    expect(writes).toBe(1);
  });

  test('UpdateItem: rejects with UNAVAILABLE by the deadline if every attempt conflicts', async () => {
    proxy.answer('UpdateItem', conflict, 1_000);
    const failed = impatient.update(
      { pk: partition(), sk: 'a' },
      { update: 'SET n = :n', values: { ':n': 1 } },
    );
    expect(await took(failed)).toBeLessThan(3_000);
    await expect(failed).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(writes).toBe(0);
  });
});

test('put: a failed condition rejects with the item that was stored', async () => {
  const pk = partition();
  await dynamo.put({ pk, sk: 'a', n: 1 });
  const error = await dynamo
    .put({ pk, sk: 'a', n: 2 }, { condition: 'attribute_not_exists(pk)' })
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConditionFailed);
  expect((error as ConditionFailed).item).toEqual({ pk, sk: 'a', n: 1 });
});
