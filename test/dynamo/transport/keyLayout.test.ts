/** Tables that name their keys in other ways, on a real database: the program does not notice. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServiceError } from '../../../src/dynamo/errors.ts';
import { type Item, isKept } from '../../../src/dynamo/item.ts';
import { KEY_ATTRIBUTES, type KeyLayout, namesOf } from '../../../src/dynamo/keyLayout.ts';
import type { Input, Operation, Transport } from '../../../src/dynamo/transport/transport.ts';
import {
  OTHER_LAYOUT,
  openTestDynamo,
  type TestDynamo,
  testTimeouts,
} from '../../support/database/dynamo.ts';
import { scaled } from '../../support/run/budget.ts';
import { readRecords } from '../../support/stream/stream.ts';

/** Only some names differ, and what is a hash here is called as a range elsewhere. */
const PARTLY: KeyLayout = { pk: 'SK', sk: 'sk', gsi1pk: 'PK', gsi1sk: 'gsi1sk' };

let usual: TestDynamo;
const others: TestDynamo[] = [];
beforeAll(async () => {
  usual = await openTestDynamo();
  for (const layout of [OTHER_LAYOUT, PARTLY]) others.push(await openTestDynamo({ layout }));
});
afterAll(async () => {
  for (const one of [usual, ...others]) await one?.stop();
});

/** A request for any table. */
type Request = <T extends string>(table: T) => readonly [Operation, Input<Operation>];

const options = { timeoutMs: testTimeouts.callMs };
const sent = <O extends Operation>(transport: Transport, operation: O, input: Input<Operation>) =>
  transport.send(operation, input as Input<O>, options);

const sorted = (items: unknown): Item[] =>
  (items as Item[]).sort((a, b) => (`${a.pk} ${a.sk}` < `${b.pk} ${b.sk}` ? -1 : 1));

/** What a request returns or is refused with, without the table's name. Reads of several partitions have no order. */
async function resultOf({ transport, table }: TestDynamo, request: Request): Promise<unknown> {
  const [operation, input] = request(table);
  try {
    const output: Record<string, unknown> = {
      ...(await sent(transport, operation, input)),
      // The SDK adds the id of the request, and DynamoDB Local the table's name.
      $metadata: undefined,
      ConsumedCapacity: undefined,
    };
    for (const field of ['Responses', 'UnprocessedKeys', 'UnprocessedItems'])
      if (output[field] !== undefined) output[field] = sorted(Object.values(output[field] as object).flat());
    if (operation === 'Scan') output.Items = sorted(output.Items);
    return output;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { name, item, reasons } = error;
    return { name, item, reasons };
  }
}

const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const key = fc.record({ pk: pick('P#1', 'P#2'), sk: pick('a', 'b', 'pk') });
const entry = fc.record({ gsi1pk: pick('LIST', 'pk'), gsi1sk: pick('1', '2') });
const rest = fc.record(
  { n: fc.nat(3), map: pick({ pk: 1 }, { PK: 'x', sk: { gsi1pk: 2 } }), text: pick('pk = :pk', 'sk') },
  { requiredKeys: [] },
);
const item = fc
  .tuple(key, fc.option(entry), rest)
  .map(([key, entry, rest]) => ({ ...key, ...entry, ...rest }));

/** Conditions that name keys in all ways, or not at all. */
const condition = pick(
  { ConditionExpression: 'attribute_not_exists(pk)' },
  { ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(gsi1pk)' },
  {
    ConditionExpression: '#p = :pk OR (begins_with(gsi1sk,:pk) AND #m.#p = :one)',
    ExpressionAttributeNames: { '#p': 'pk', '#m': 'map' },
    ExpressionAttributeValues: { ':pk': 'P#1', ':one': 1 },
  },
  {
    ConditionExpression: 'sk IN (:sk) AND NOT n > :n AND size(pk) > :n',
    ExpressionAttributeValues: { ':sk': 'a', ':n': 1 },
  },
  {
    ConditionExpression: 'map.sk.gsi1pk = :two',
    ExpressionAttributeValues: { ':two': 2 },
  },
  {},
).map((fields) =>
  'ConditionExpression' in fields
    ? { ...fields, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }
    : fields,
);

const update = pick(
  {
    UpdateExpression: 'SET gsi1pk = :list, gsi1sk = if_not_exists(gsi1sk, :one), #n = :n',
    ExpressionAttributeNames: { '#n': 'n' },
    ExpressionAttributeValues: { ':list': 'LIST', ':one': '1', ':n': 2 },
  },
  { UpdateExpression: 'REMOVE gsi1pk, gsi1sk, map.pk' },
  {
    UpdateExpression: 'SET #i = :sk, gsi1sk = sk REMOVE map.#i',
    ExpressionAttributeNames: { '#i': 'gsi1pk' },
    ExpressionAttributeValues: { ':sk': 'LIST' },
  },
  {
    UpdateExpression: 'ADD n :one SET copied = pk',
    ExpressionAttributeValues: { ':one': 1 },
    ConditionExpression: 'attribute_exists(sk)',
  },
);

const write = fc.oneof(
  fc.tuple(item, condition).map(([Item, fields]) => ({ Put: { Item, ...fields } })),
  fc.tuple(key, update).map(([Key, fields]) => ({ Update: { Key, ...fields } })),
  fc.tuple(key, condition).map(([Key, fields]) => ({ Delete: { Key, ...fields } })),
  fc.tuple(key, condition).map(([Key, fields]) => ({
    ConditionCheck: { Key, ConditionExpression: 'attribute_exists(pk)', ...fields },
  })),
);

const range = pick(
  { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': 'P#1' } },
  {
    KeyConditionExpression: '#k = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeNames: { '#k': 'pk' },
    ExpressionAttributeValues: { ':pk': 'P#1', ':from': 'a', ':to': 'z' },
    ExclusiveStartKey: { pk: 'P#1', sk: 'a' },
  },
  {
    IndexName: 'gsi1',
    KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk >= :from',
    ExpressionAttributeValues: { ':pk': 'LIST', ':from': '1' },
    ExclusiveStartKey: { gsi1pk: 'LIST', gsi1sk: '1', pk: 'P#1', sk: 'a' },
  },
);

const filter = pick(
  {},
  {
    FilterExpression: 'contains(pk, :p) AND attribute_exists(gsi1pk)',
    ExpressionAttributeValues: { ':p': '1' },
  },
  {
    FilterExpression: '#pk <> sk AND #pk IN (:p, :q)',
    ExpressionAttributeNames: { '#pk': 'pk' },
    ExpressionAttributeValues: { ':p': 'P#1', ':q': 'P#2' },
  },
);

const unique = <T extends { readonly pk: string; readonly sk: string }>(keys: readonly T[]): T[] => [
  ...new Map(keys.map((one) => [`${one.pk} ${one.sk}`, one])).values(),
];

const request: fc.Arbitrary<Request> = fc.oneof(
  key.map(
    (Key): Request =>
      (TableName) => ['GetItem', { TableName, Key, ConsistentRead: true }],
  ),
  fc.tuple(item, condition).map(
    ([Item, fields]): Request =>
      (TableName) => ['PutItem', { TableName, Item, ...fields }],
  ),
  fc.tuple(key, update).map(
    ([Key, fields]): Request =>
      (TableName) => ['UpdateItem', { TableName, Key, ReturnValues: 'ALL_NEW', ...fields }],
  ),
  fc.tuple(key, condition).map(
    ([Key, fields]): Request =>
      (TableName) => ['DeleteItem', { TableName, Key, ...fields }],
  ),
  fc.array(write, { minLength: 1, maxLength: 4 }).map(
    (writes): Request =>
      (TableName) => {
        const all = writes.map((one) =>
          Object.fromEntries(Object.entries(one).map(([kind, fields]) => [kind, { TableName, ...fields }])),
        );
        return ['TransactWriteItems', { TransactItems: all as Input<'TransactWriteItems'>['TransactItems'] }];
      },
  ),
  fc.array(key, { minLength: 1, maxLength: 6 }).map(
    (keys): Request =>
      (table) => [
        'BatchGetItem',
        { RequestItems: { [table]: { Keys: unique(keys), ConsistentRead: true } } },
      ],
  ),
  fc.array(item, { minLength: 1, maxLength: 4 }).map(
    (items): Request =>
      (table) => [
        'BatchWriteItem',
        { RequestItems: { [table]: unique(items).map((Item) => ({ PutRequest: { Item } })) } },
      ],
  ),
  fc.tuple(range, fc.boolean(), pick(1, 2, 10)).map(
    ([fields, ScanIndexForward, Limit]): Request =>
      (TableName) => ['Query', { TableName, ...fields, ScanIndexForward, Limit }],
  ),
  filter.map(
    (fields): Request =>
      (TableName) => ['Scan', { TableName, ConsistentRead: true, ...fields }],
  ),
);

describe('tables with other names for their keys', () => {
  test('every request has the result that it has in a table with the usual names', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 12 }), async (requests) => {
        for (const one of requests) {
          const expected = await resultOf(usual, one);
          for (const other of others) expect(await resultOf(other, one)).toEqual(expected);
        }
      }),
      { numRuns: scaled(60) },
    );
    const records = await readRecords(usual);
    expect(records.length).toBeGreaterThan(0);
    const imagesOf = (all: typeof records) =>
      all.map(({ eventName, dynamodb }) => {
        const { Keys, NewImage, OldImage } = dynamodb ?? {};
        return { eventName, Keys, NewImage, OldImage };
      });
    for (const other of others) expect(imagesOf(await readRecords(other))).toEqual(imagesOf(records));
  }, 300_000);

  test('the table has its own names', async () => {
    const [other] = others as [TestDynamo];
    const { transport, table, layout, raw } = other;
    const Item = { pk: 'OWN', sk: 's', gsi1pk: 'l', gsi1sk: '1', v: 1, map: { pk: 1, PK: 2 } };
    await transport.send('PutItem', { TableName: table, Item }, options);
    const stored = await raw.transport.send('Scan', { TableName: table, ConsistentRead: true }, options);
    const own = stored.Items?.find((one) => one[layout.pk] === 'OWN') ?? {};
    expect(Object.keys(own).sort()).toEqual([...namesOf(layout), 'v', 'map'].sort());
    expect(own.map).toEqual(Item.map);
    for (const one of stored.Items ?? [])
      for (const name of KEY_ATTRIBUTES) expect(one).not.toHaveProperty(name);
  });

  test('an attribute that has the name of a key and is none is never taken for one', async () => {
    const [{ transport, table, raw }] = others as [TestDynamo];
    const Item = { PK: 'FOREIGN', Range: 's', pk: 'other', gsi1pk: 'list', v: 1 };
    await raw.transport.send('PutItem', { TableName: table, Item } as unknown as Input<'PutItem'>, options);
    const found = await transport.send(
      'GetItem',
      { TableName: table, Key: { pk: 'FOREIGN', sk: 's' } },
      options,
    );
    expect(found.Item).toEqual({ pk: 'FOREIGN', sk: 's', v: 1 });
  });

  test('an item that is kept is the same object each time, until it changes', async () => {
    const [{ dynamo }] = others as [TestDynamo];
    const itemKey = { pk: 'KEPT', sk: 's' };
    const range = { pk: 'KEPT', from: '0', to: 'z' };
    const read = async () => (await dynamo.query(range, { limit: 5 })).items[0];
    await dynamo.put({ ...itemKey, v: 1, n: 1 });
    await read();
    await read();
    const kept = await read();
    if (kept === undefined || !isKept(kept)) return expect(process.env.DYNAMODB_CLIENT).toBe('sdk');
    expect(await read()).toBe(kept);
    await dynamo.put({ ...itemKey, v: 1, n: 2 });
    expect(await read()).toEqual({ ...itemKey, v: 1, n: 2 });
  });
});
