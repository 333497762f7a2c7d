/** The table that a server finds is compared with what it needs; what can be added is added while it is in use. */
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { addLacks, compareTable, ensureTable, readLayout } from '../../src/dynamo/ensureTable.ts';
import { DEFAULT_LAYOUT } from '../../src/dynamo/keyLayout.ts';
import { INDEX, tableDefinition } from '../../src/dynamo/table.ts';
import { lacksOf } from '../../src/dynamo/tableLacks.ts';
import { startFaultProxy } from '../stream/support/faultProxy.ts';
import { connectTo, OTHER_LAYOUT, openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';

let database: TestDynamo;
beforeEach(async () => {
  database = await openTestDynamo();
});
afterEach(() => database.stop());

/** A table like ours, except for `changes`. Its attributes are those that its keys name. Resolves to its name. */
async function create(changes: Partial<CreateTableCommandInput>): Promise<string> {
  const name = `${database.table}-other`;
  const input = { ...tableDefinition(name), ...changes };
  const schemas = [
    input.KeySchema,
    ...(input.GlobalSecondaryIndexes ?? []).map(({ KeySchema }) => KeySchema),
  ];
  const names = new Set(schemas.flatMap((schema) => schema?.map(({ AttributeName }) => AttributeName)));
  const AttributeDefinitions = input.AttributeDefinitions?.filter(({ AttributeName }) =>
    names.has(AttributeName),
  );
  await database.client.send(new CreateTableCommand({ ...input, AttributeDefinitions }));
  return name;
}

const key = (hash: string, range: string) => [
  { AttributeName: hash, KeyType: 'HASH' as const },
  { AttributeName: range, KeyType: 'RANGE' as const },
];
/** A table whose keys and index have these names. */
function named(hash: string, range: string, ...ofIndex: readonly string[]) {
  const names = new Set([hash, range, ...ofIndex]);
  const [indexHash = '', indexRange] = ofIndex;
  const index = indexRange === undefined ? key(indexHash, '').slice(0, 1) : key(indexHash, indexRange);
  return {
    AttributeDefinitions: [...names].map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
    KeySchema: key(hash, range),
    GlobalSecondaryIndexes: [
      { IndexName: INDEX, KeySchema: index, Projection: { ProjectionType: 'KEYS_ONLY' as const } },
    ],
  };
}
const add = (name: string) => addLacks(database.client, name, { clock: systemClock });
const partsOf = async (name: string) => (await compareTable(database.client, name))?.map(({ part }) => part);

describe('ensureTable', () => {
  test('ensureTable: a table that it made lacks nothing, and is found again without a warning', async () => {
    expect(await compareTable(database.client, database.table)).toEqual([]);
    expect(await ensureTable(database.client, database.table)).toEqual({
      created: false,
      arn: expect.stringMatching(`^arn:aws:dynamodb:[a-z]+:0{12}:table/${database.table}$`),
      streamArn: database.streamArn,
      layout: DEFAULT_LAYOUT,
      warning: undefined,
    });
    expect(await compareTable(database.client, 'missing')).toBeUndefined();
  });

  test.each([
    [
      'a key of one attribute',
      { KeySchema: key('pk', 'sk').slice(0, 1) },
      /^The table \S+ has the key pk \(S\) and not two strings, such as pk \(S\), sk \(S\), so .* TABLE_NAME/,
    ],
    [
      'numbers in its key',
      {
        AttributeDefinitions: tableDefinition('').AttributeDefinitions.map((one) =>
          one.AttributeName === 'sk' ? { ...one, AttributeType: 'N' as const } : one,
        ),
      },
      /^The table \S+ has the key pk \(S\), sk \(N\) and not two strings/,
    ],
    [
      'the usual names exchanged',
      { KeySchema: key('sk', 'pk') },
      /^The table \S+ has the key sk \(S\), pk \(S\) and the index gsi1 on gsi1pk \(S\), gsi1sk \(S\): these names can be used only if the four differ, and each begins with an upper-case letter,.* TABLE_NAME/,
    ],
    ['a key that other attributes of items could have', named('body', 'SK', 'A', 'B'), /upper-case letter/],
    ['an index on a key of the table', named('PK', 'SK', 'SK', 'PK'), /only if the four differ/],
    [
      'an index with a key of one attribute',
      named('PK', 'SK', 'A'),
      /^The index gsi1 .* and not two strings\.$/,
    ],
    [
      'such a key and no index',
      { ...named('body', 'SK', 'A', 'B'), GlobalSecondaryIndexes: undefined },
      /^The table \S+ has the key body \(S\), SK \(S\): these names can be used only if/,
    ],
    [
      'other keys and no index',
      { ...named('PK', 'SK', 'A', 'B'), GlobalSecondaryIndexes: undefined },
      /^The table \S+ has no index gsi1\. Create it with the names that its keys have in the items/,
    ],
    [
      'no index',
      { GlobalSecondaryIndexes: undefined },
      /^The table \S+ has no index gsi1\. `npm run -s table -- --add` adds it\.$/,
    ],
    [
      'an index with another key',
      {
        GlobalSecondaryIndexes: [
          {
            IndexName: INDEX,
            KeySchema: key('gsi1sk', 'gsi1pk'),
            Projection: { ProjectionType: 'ALL' as const },
          },
        ],
      },
      /^The index gsi1 of the table \S+ has the key gsi1sk \(S\), gsi1pk \(S\) and not gsi1pk \(S\), gsi1sk \(S\)\. Delete/,
    ],
    [
      'no stream',
      { StreamSpecification: { StreamEnabled: false } },
      /^The table \S+ has no stream of NEW_AND_OLD/,
    ],
    [
      'a stream of keys',
      { StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' as const } },
      /^The table \S+ has no stream of NEW_AND_OLD/,
    ],
  ])('ensureTable: refuses a table with %s in one line', async (_what, changes, line) => {
    const name = await create(changes);
    await expect(ensureTable(database.client, name)).rejects.toMatchObject({
      name: 'ForeignTable',
      message: expect.stringMatching(line),
    });
  });

  /** A client for which all tables have this state. */
  async function seen(TableStatus: string) {
    const proxy = await startFaultProxy(database.endpoint);
    onTestFinished(() => proxy.stop());
    proxy.rewrite('DescribeTable', ({ Table }) => ({ Table: { ...Table, TableStatus } }));
    const { client, destroy } = connectTo(proxy.endpoint);
    onTestFinished(destroy);
    return client;
  }

  test.each([
    ['CREATING', 'The table TABLE is still being created or restored. Run this again when it is ACTIVE.'],
    ['DELETING', 'The table TABLE is being deleted.'],
    [
      'INACCESSIBLE_ENCRYPTION_CREDENTIALS',
      'DynamoDB cannot use the key that encrypts the table TABLE (INACCESSIBLE_ENCRYPTION_CREDENTIALS). Enable the key, or allow its use again.',
    ],
  ])('ensureTable, compareTable: a table that is %s', async (state, line) => {
    const client = await seen(state);
    const { table } = database;
    const refused = { name: 'ForeignTable', message: line.replace('TABLE', table) };
    await expect(ensureTable(client, table, { waitMs: 200 })).rejects.toMatchObject(refused);
    await expect(compareTable(client, table)).rejects.toMatchObject(refused);
  });

  test('ensureTable, compareTable: a table that is changed serves requests, so they do not wait', async () => {
    const client = await seen('UPDATING');
    const { table } = database;
    expect(await ensureTable(client, table, { waitMs: 200 })).toMatchObject({ created: false });
    expect(await compareTable(client, table)).toEqual([]);
  });

  test('ensureTable: the line names the setting that the table has its name from', async () => {
    const name = await create({ StreamSpecification: { StreamEnabled: false } });
    await expect(ensureTable(database.client, name, { setting: '--to-table' })).rejects.toThrow(
      'Set --to-table to the table to use.',
    );
  });

  test('ensureTable: finds out how a table names its keys, and creates one with given names', async () => {
    const { client } = database;
    const own = await create(named('PK', 'SK', 'GSI1PK', 'GSI1SK'));
    const layout = { pk: 'PK', sk: 'SK', gsi1pk: 'GSI1PK', gsi1sk: 'GSI1SK' };
    expect((await ensureTable(client, own)).layout).toEqual(layout);
    expect(await readLayout(client, own)).toEqual(layout);
    const name = `${own}-2`;
    const made = await ensureTable(client, name, { layout: OTHER_LAYOUT });
    expect(made).toMatchObject({ created: true, layout: OTHER_LAYOUT });
    expect(await compareTable(client, name)).toEqual([]);
    // It begins like every new table.
    const { Items: items = [] } = await client.send(new ScanCommand({ TableName: name }));
    expect(items.map((item) => item[OTHER_LAYOUT.pk]?.S).sort()).toEqual([
      'CONVERSIONS',
      'CONVERSIONS',
      'SHAPE',
    ]);
    expect(await ensureTable(client, name, { layout: OTHER_LAYOUT })).toMatchObject({ created: false });
    await expect(ensureTable(client, name, { layout })).rejects.toThrow(
      /exists, and its keys are PK,Range,Index\.1-hash,GSI1SK, not PK,SK,GSI1PK,GSI1SK\./,
    );
  });

  test('readLayout: if the description is refused, takes the usual names only for a table that has them', async () => {
    const proxy = await startFaultProxy(database.endpoint);
    onTestFinished(() => proxy.stop());
    const { client, destroy } = connectTo(proxy.endpoint);
    onTestFinished(destroy);
    const denied = (name: string) => {
      proxy.fail('DescribeTable', 'AccessDeniedException');
      return readLayout(client, name);
    };
    expect(await denied(database.table)).toEqual(DEFAULT_LAYOUT);
    const name = await create(named('PK', 'SK', 'A', 'B'));
    await expect(denied(name)).rejects.toMatchObject({
      name: 'ForeignTable',
      message: expect.stringMatching(
        /^This process may not see .*-other names .*dynamodb:DescribeTable.*: ValidationException\.$/,
      ),
    });
    expect(await readLayout(client, name)).toMatchObject({ pk: 'PK', gsi1sk: 'B' });
    await expect(readLayout(client, 'missing')).rejects.toThrow(
      /dynamodb:DescribeTable.*: ResourceNotFoundException\.$/,
    );
    // Without an answer, nothing is known of the table.
    proxy.fail('GetItem', 'ThrottlingException', 100);
    await expect(denied(database.table)).rejects.toMatchObject({ name: 'ThrottlingException' });
  });

  test('readLayout: refuses names that the program cannot use', async () => {
    const name = await create(named('body', 'SK', 'A', 'B'));
    await expect(readLayout(database.client, name)).rejects.toThrow(/upper-case letter/);
  });

  test('ensureTable: warns of a table that keeps expired items', async () => {
    const name = await create({});
    const { warning } = await ensureTable(database.client, name);
    expect(warning).toMatch(/^The table \S+ keeps expired items and grows: its time to live is off\. /);
    await database.client.send(
      new UpdateTimeToLiveCommand({
        TableName: name,
        TimeToLiveSpecification: { Enabled: true, AttributeName: 'until' },
      }),
    );
    expect((await ensureTable(database.client, name)).warning).toMatch(/by until and not by expiresAt/);
  });

  test('ensureTable: a server that may not ask about expired items starts with a warning', async () => {
    const proxy = await startFaultProxy(database.endpoint);
    onTestFinished(() => proxy.stop());
    const { client, destroy } = connectTo(proxy.endpoint);
    onTestFinished(destroy);
    proxy.fail('DescribeTimeToLive', 'AccessDeniedException');
    const { warning } = await ensureTable(client, database.table);
    expect(warning).toContain('dynamodb:DescribeTimeToLive');
  });
});

describe('addLacks', () => {
  test('addLacks: adds the index over what is there, and switches the expiry on', async () => {
    const name = await create({ GlobalSecondaryIndexes: undefined });
    const Item = { pk: { S: 'p' }, sk: { S: 's' }, gsi1pk: { S: 'list' }, gsi1sk: { S: '1' } };
    await database.client.send(new PutItemCommand({ TableName: name, Item }));
    expect(await partsOf(name)).toEqual(['index', 'expiry']);
    expect(await add(name)).toEqual([]);
    expect(await partsOf(name)).toEqual([]);
    const { Items } = await database.client.send(
      new QueryCommand({
        TableName: name,
        IndexName: INDEX,
        KeyConditionExpression: 'gsi1pk = :list',
        ExpressionAttributeValues: { ':list': { S: 'list' } },
      }),
    );
    expect(Items).toEqual([Item]);
    // A second time there is nothing to do.
    expect(await add(name)).toEqual([]);
    expect((await ensureTable(database.client, name)).warning).toBeUndefined();
  });

  test('addLacks: adds the index also if items are deleted by another attribute, and says that', async () => {
    const name = await create({ GlobalSecondaryIndexes: undefined });
    await database.client.send(
      new UpdateTimeToLiveCommand({
        TableName: name,
        TimeToLiveSpecification: { Enabled: true, AttributeName: 'until' },
      }),
    );
    expect((await add(name)).map(({ text }) => text)).toEqual([
      expect.stringContaining('by until and not by'),
    ]);
  });

  test('addLacks: adds no index if it does not know what its keys are called', async () => {
    const name = await create({ ...named('PK', 'SK', 'A', 'B'), GlobalSecondaryIndexes: undefined });
    expect((await add(name)).map(({ part }) => part)).toEqual(['index', 'expiry']);
    const { Table } = await database.client.send(new DescribeTableCommand({ TableName: name }));
    expect(Table?.GlobalSecondaryIndexes).toBeUndefined();
  });

  test('addLacks: changes nothing in a table of another program', async () => {
    const name = await create({
      KeySchema: key('sk', 'pk'),
      GlobalSecondaryIndexes: undefined,
      StreamSpecification: { StreamEnabled: false },
    });
    expect((await add(name)).map(({ part }) => part)).toEqual(['keys', 'stream', 'index', 'expiry']);
    const { Table } = await database.client.send(new DescribeTableCommand({ TableName: name }));
    expect(Table?.GlobalSecondaryIndexes).toBeUndefined();
    const expiry = await database.client.send(new DescribeTimeToLiveCommand({ TableName: name }));
    expect(expiry.TimeToLiveDescription?.TimeToLiveStatus).toBe('DISABLED');
  });
});

test('lacksOf: an index that is being built is not there yet; one that is updated is', () => {
  const { GlobalSecondaryIndexes, ...table } = tableDefinition('t');
  const withIndex = (IndexStatus: 'CREATING' | 'UPDATING' | 'DELETING') =>
    lacksOf({
      ...table,
      GlobalSecondaryIndexes: GlobalSecondaryIndexes.map((index) => ({ ...index, IndexStatus })),
    });
  expect(withIndex('CREATING').map(({ text }) => text)).toEqual([expect.stringContaining('is being built')]);
  expect(withIndex('DELETING')).toHaveLength(1);
  expect(withIndex('UPDATING')).toEqual([]);
});
