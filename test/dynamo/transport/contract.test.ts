/**
 * What both transports do, on a real database behind a proxy that misbehaves, and what they do with other names for
 * keys.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OutageError } from '../../../src/core/errors.ts';
import { TIMEOUTS } from '../../../src/dynamo/client.ts';
import { type Connection, type ConnectOptions, connect } from '../../../src/dynamo/connect.ts';
import { ServiceError } from '../../../src/dynamo/errors.ts';
import { DEFAULT_LAYOUT } from '../../../src/dynamo/keyLayout.ts';
import { accessIn } from '../../../src/dynamo/transport/keyLayout.ts';
import type { Input, Operation, Transport } from '../../../src/dynamo/transport/transport.ts';
import { type FaultProxy, startFaultProxy } from '../../stream/support/faultProxy.ts';
import {
  OTHER_LAYOUT,
  openTestDynamo,
  type TestDynamo,
  testTimeouts,
} from '../../support/database/dynamo.ts';
import { took } from '../../support/time/ownTime.ts';

const layouts = { 'the usual keys': DEFAULT_LAYOUT, 'other names for keys': OTHER_LAYOUT };
const kinds = (['sdk', 'direct'] as const).flatMap((via) =>
  (Object.keys(layouts) as Array<keyof typeof layouts>).map((names) => [via, names] as const),
);

const databases = new Map<string, TestDynamo>();
let proxy: FaultProxy;
beforeAll(async () => {
  for (const [names, layout] of Object.entries(layouts))
    databases.set(names, await openTestDynamo({ layout }));
});
afterAll(async () => {
  for (const one of databases.values()) await one.stop();
});

let partitions = 0;
/** A key that no other test uses. */
const newKey = (sk = 'a') => ({ pk: `P#${++partitions}`, sk });
const slow = { timeoutMs: testTimeouts.callMs };

describe.each(kinds)('transport %s, %s', (via, names) => {
  let connection: Connection;
  let transport: Transport;
  let TableName: string;
  const connected = (options: Omit<ConnectOptions, 'via'>) =>
    accessIn(layouts[names], connect({ ...options, via }));
  beforeEach(async () => {
    const database = databases.get(names) as TestDynamo;
    TableName = database.table;
    proxy = await startFaultProxy(database.endpoint);
    connection = connected({ endpoint: proxy.endpoint, timeouts: testTimeouts });
    transport = connection.transport;
    return async () => {
      connection.destroy();
      await proxy.stop();
    };
  });

  const send = <O extends Operation>(operation: O, input: Input<O>) => transport.send(operation, input, slow);
  const get = async (Key: { pk: string; sk: string }) =>
    (await send('GetItem', { TableName, Key, ConsistentRead: true })).Item;
  const refusal = async (work: Promise<unknown>): Promise<ServiceError> => {
    const error: unknown = await work.catch((reason: unknown) => reason);
    if (!(error instanceof ServiceError)) throw new Error('It was not refused.', { cause: error });
    return error;
  };

  test('stores and reads an item with values of every type', async () => {
    const Item = {
      ...newKey(),
      text: '"日本語" \\ \n \u0000',
      empty: '',
      zero: 0,
      minus: -1.5,
      big: Number.MAX_SAFE_INTEGER,
      tiny: 1e-7,
      huge: 2n ** 60n,
      yes: true,
      no: false,
      nothing: null,
      list: [1, 'a', [], {}, null],
      map: { 'a b': { deep: [{ x: 1 }] } },
      strings: new Set(['a', 'b']),
      numbers: new Set([1, 2]),
      bytes: new Uint8Array([0, 255, 7]),
    };
    await send('PutItem', { TableName, Item: { ...Item, left: undefined, out: { left: undefined } } });
    expect(await get({ pk: Item.pk, sk: Item.sk })).toEqual({ ...Item, out: {} });
    expect(await get(newKey())).toBeUndefined();
  });

  test('updates and deletes, with names and values', async () => {
    const Key = newKey();
    const { Attributes } = await send('UpdateItem', {
      TableName,
      Key,
      UpdateExpression: 'SET #n = :n, tags = :tags',
      ReturnValues: 'ALL_NEW',
      ExpressionAttributeNames: { '#n': 'name' },
      ExpressionAttributeValues: { ':n': 'Aki', ':tags': ['x', { y: 1 }] },
    });
    expect(Attributes).toEqual({ ...Key, name: 'Aki', tags: ['x', { y: 1 }] });
    await send('DeleteItem', { TableName, Key, ConditionExpression: 'attribute_exists(pk)' });
    expect(await get(Key)).toBeUndefined();
  });

  test('reads a range in pages', async () => {
    const { pk } = newKey();
    const RequestItems = {
      [TableName]: ['a', 'b', 'c'].map((sk) => ({ PutRequest: { Item: { pk, sk, n: 1 } } })),
    };
    expect((await send('BatchWriteItem', { RequestItems })).UnprocessedItems ?? {}).toEqual({});
    const range = {
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: 2,
    };
    const first = await send('Query', range);
    expect(first.Items?.map(({ sk }) => sk)).toEqual(['c', 'b']);
    expect(first.LastEvaluatedKey).toEqual({ pk, sk: 'b' });
    const second = await send('Query', { ...range, ExclusiveStartKey: { pk, sk: 'b' } });
    expect(second.Items).toEqual([{ pk, sk: 'a', n: 1 }]);
    const scanned = await send('Scan', {
      TableName,
      ConsistentRead: true,
      FilterExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
    });
    expect(scanned.Items?.map(({ sk }) => sk)).toEqual(['a', 'b', 'c']);
    const found = await send('BatchGetItem', {
      RequestItems: { [TableName]: { Keys: ['a', 'z'].map((sk) => ({ pk, sk })), ConsistentRead: true } },
    });
    expect(found.Responses?.[TableName]).toEqual([{ pk, sk: 'a', n: 1 }]);
    expect(found.UnprocessedKeys ?? {}).toEqual({});
  });

  test('reads keys and items that DynamoDB did not process', async () => {
    const [a, b] = [newKey(), newKey()];
    proxy.rewrite('BatchGetItem', (_, { RequestItems }) => ({
      Responses: {},
      UnprocessedKeys: RequestItems,
    }));
    proxy.rewrite('BatchWriteItem', (_, { RequestItems }) => ({ UnprocessedItems: RequestItems }));
    const reading = { [TableName]: { Keys: [a, b], ConsistentRead: true } };
    const read = await send('BatchGetItem', { RequestItems: reading });
    expect(read.UnprocessedKeys?.[TableName]?.Keys).toEqual([a, b]);
    const writing = { [TableName]: [{ PutRequest: { Item: { ...a, n: 1 } } }] };
    const written = await send('BatchWriteItem', { RequestItems: writing });
    expect(written.UnprocessedItems?.[TableName]?.[0]?.PutRequest?.Item).toEqual({ ...a, n: 1 });
  });

  test('reports what a request cost, if asked', async () => {
    const Item = newKey();
    const put = await send('PutItem', { TableName, Item, ReturnConsumedCapacity: 'TOTAL' });
    expect(put.ConsumedCapacity).toMatchObject({ CapacityUnits: 1 });
    const TransactItems = [{ Put: { TableName, Item } }];
    const all = await send('TransactWriteItems', { TransactItems, ReturnConsumedCapacity: 'TOTAL' });
    expect(all.ConsumedCapacity).toMatchObject([{ TableName, CapacityUnits: 2 }]);
    expect((await send('PutItem', { TableName, Item })).ConsumedCapacity).toBeUndefined();
  });

  test('says which item is stored if a condition does not hold', async () => {
    const stored = { ...newKey(), tags: new Set(['x']), n: 7 };
    const { pk, sk } = stored;
    await send('PutItem', { TableName, Item: stored });
    const condition = {
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    } as const;
    const one = await refusal(send('PutItem', { TableName, Item: { pk, sk }, ...condition }));
    expect(one).toMatchObject({ name: 'ConditionalCheckFailedException', item: stored });
    expect(one.$metadata.httpStatusCode).toBe(400);
    const TransactItems = [
      { Put: { TableName, Item: newKey(), ...condition } },
      { Delete: { TableName, Key: { pk, sk }, ...condition } },
      { ConditionCheck: { TableName, Key: newKey(), ConditionExpression: 'attribute_exists(pk)' } },
    ];
    const all = await refusal(send('TransactWriteItems', { TransactItems }));
    expect(all).toMatchObject({
      name: 'TransactionCanceledException',
      reasons: [
        { code: 'None', item: undefined },
        { code: 'ConditionalCheckFailed', item: stored },
        { code: 'ConditionalCheckFailed', item: undefined },
      ],
    });
  });

  test('rejects with what DynamoDB says of a wrong request, at once', async () => {
    const missing = await refusal(send('GetItem', { TableName: 'no-such-table', Key: newKey() }));
    expect(missing.name).toBe('ResourceNotFoundException');
    const Item = { ...newKey(), long: 'x'.repeat(410_000) };
    const large = await refusal(send('PutItem', { TableName, Item }));
    expect(large.name).toBe('ValidationException');
    expect(large.message).toMatch(/size/i);
    expect(proxy.count('PutItem')).toBe(1);
  });

  // Names have nothing to do with attempts and deadlines, of which these tests wait for many.
  const oncePerKind = <T>(cases: readonly T[]): readonly T[] => (names === 'the usual keys' ? cases : []);

  test.each(
    oncePerKind([
      'ThrottlingException',
      'ProvisionedThroughputExceededException',
      'TransactionInProgressException',
      'RequestLimitExceeded',
    ]),
  )('tries again after %s, three times in all', async (error) => {
    const Item = newKey();
    proxy.fail('PutItem', error, 2);
    await send('PutItem', { TableName, Item });
    expect(proxy.count('PutItem')).toBe(3);
    expect(await get(Item)).toEqual(Item);
    proxy.fail('PutItem', error, 3);
    await expect(send('PutItem', { TableName, Item })).rejects.toBeInstanceOf(OutageError);
    expect(proxy.count('PutItem')).toBe(6);
  });

  test('does not try again after a conflict of transactions', async () => {
    const error = { __type: 'x#TransactionCanceledException', CancellationReasons: [{ Code: 'None' }] };
    proxy.answer('TransactWriteItems', error);
    const TransactItems = [{ Put: { TableName, Item: newKey() } }];
    const { name, reasons } = await refusal(send('TransactWriteItems', { TransactItems }));
    expect({ name, codes: reasons.map(({ code }) => code) }).toEqual({
      name: 'TransactionCanceledException',
      codes: ['None'],
    });
    expect(proxy.count('TransactWriteItems')).toBe(1);
  });

  test('a transaction whose answer was lost is done once', async () => {
    const Key = newKey();
    proxy.cut('TransactWriteItems', 2);
    const Update = {
      TableName,
      Key,
      UpdateExpression: 'ADD n :one',
      ExpressionAttributeValues: { ':one': 1 },
    };
    const ClientRequestToken = `${via}-${Key.pk}`;
    await send('TransactWriteItems', { TransactItems: [{ Update }], ClientRequestToken });
    expect(proxy.count('TransactWriteItems')).toBe(3);
    expect(await get(Key)).toEqual({ ...Key, n: 1 });
  });

  test.each(oncePerKind(['refuse', 'silent'] as const))(
    'ends at its deadline if the database is away: %s',
    async (mode) => {
      connection.destroy();
      connection = connected({ endpoint: proxy.endpoint, timeouts: TIMEOUTS });
      proxy.mode = mode;
      const input = { TableName, Key: newKey() };
      const failed = connection.transport.send('GetItem', input, { timeoutMs: TIMEOUTS.callMs });
      await expect(failed).rejects.toBeInstanceOf(OutageError);
      expect(await took(failed.catch(() => {}))).toBeLessThan(3_000);
      proxy.mode = 'pass';
      await expect(connection.transport.send('GetItem', input, slow)).resolves.toBeDefined();
    },
  );

  test('ends at its deadline while it waits for another attempt', async () => {
    proxy.fail('GetItem', 'ThrottlingException', 1_000);
    const failed = transport.send('GetItem', { TableName, Key: newKey() }, { timeoutMs: 1 });
    await expect(failed).rejects.toBeInstanceOf(OutageError);
    expect(proxy.count('GetItem')).toBeLessThanOrEqual(1);
  });

  test('ends when its signal is aborted, before and during a request', async () => {
    const controller = new AbortController();
    proxy.mode = 'silent';
    proxy.onRequest('GetItem', () => controller.abort());
    const input = { TableName, Key: newKey() };
    const options = { ...slow, signal: controller.signal };
    const failed = transport.send('GetItem', input, options);
    // A silent proxy calls no listener, so the abort comes from here.
    setImmediate(() => controller.abort());
    await expect(failed).rejects.toBeInstanceOf(OutageError);
    await expect(transport.send('GetItem', input, options)).rejects.toBeInstanceOf(OutageError);
  });

  test('sends many requests at a time', async () => {
    const { pk } = newKey();
    const all = Array.from({ length: 30 }, (_, n) => ({ pk, sk: `${n}`, n }));
    await Promise.all(all.map((Item) => send('PutItem', { TableName, Item })));
    const found = await Promise.all(all.map(({ sk }) => get({ pk, sk })));
    expect(found).toEqual(all);
  });

  test.each([
    [503, '<html>Service Unavailable</html>'],
    [500, '{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError"}'],
    [503, ''],
    [200, '<html>Welcome</html>'],
    [502, '{"__type":'],
  ])('an answer that is none (%i %s) is an outage', async (status, body) => {
    const server = createServer((_, response) => response.writeHead(status).end(body));
    server.listen(0, '127.0.0.1');
    const { port } = await new Promise<AddressInfo>((resolve) =>
      server.once('listening', () => resolve(server.address() as AddressInfo)),
    );
    const broken = connected({ endpoint: `http://127.0.0.1:${port}`, timeouts: testTimeouts });
    const failed = broken.transport.send('GetItem', { TableName, Key: newKey() }, slow);
    await expect(failed).rejects.toBeInstanceOf(OutageError);
    broken.destroy();
    server.closeAllConnections();
    server.close();
  });
});
