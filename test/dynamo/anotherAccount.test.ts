/** A table of another AWS account is named by its ARN, and used by what its policies allow. */
import { CreateTableCommand, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { bulkWrite } from '../../src/dynamo/bulkWrite.ts';
import { connect } from '../../src/dynamo/connect.ts';
import { createDynamo } from '../../src/dynamo/dynamo.ts';
import { addLacks, compareTable, ensureTable } from '../../src/dynamo/ensureTable.ts';
import { DEFAULT_LAYOUT } from '../../src/dynamo/keyLayout.ts';
import { tableDefinition } from '../../src/dynamo/table.ts';
import { startAccounts } from '../support/database/accounts.ts';
import { documentedTable } from '../support/database/documentedTable.ts';
import { connectTo, openTestDynamo, testTimeouts } from '../support/database/dynamo.ts';

async function open() {
  const database = await openTestDynamo();
  onTestFinished(() => database.stop());
  return database;
}

const item = (sk: string) => ({ pk: 'p', sk, v: 1, gsi1pk: 'list', gsi1sk: sk });
const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map(item) as [Item, Item, Item, Item, Item];
type Item = ReturnType<typeof item>;
const key = ({ pk, sk }: Item) => ({ pk, sk });
const range = { pk: 'p', from: 'a', to: 'z' };

test.each([
  ['direct', 'arn'],
  ['direct', 'name'],
  ['sdk', 'arn'],
  ['sdk', 'name'],
] as const)(
  'by its ARN, %s reads and writes the table of the other account, if batches answer with the %s',
  async (via, answersWith) => {
    const database = await open();
    const accounts = await startAccounts(database, { answersWith });
    accounts.allow((await documentedTable()).policies);
    // The other account has a table of the same name.
    const name = database.table;
    const arn = accounts.arnOf('second', name);
    const own = connectTo(accounts.second);
    onTestFinished(own.destroy);
    await ensureTable(own.client, name);
    const other = connect({ endpoint: accounts.first, timeouts: testTimeouts, via, table: arn });
    onTestFinished(other.destroy);
    const dynamo = createDynamo({ transport: other.transport, table: arn, timeouts: testTimeouts });
    await dynamo.put(a);
    await dynamo.update(key(a), { update: 'SET n = :n', values: { ':n': 1 } });
    await dynamo.transact([{ put: b }, { put: c }]);
    await bulkWrite({ dynamo, items: [d, e], by: 'batches' });
    await dynamo.remove(key(c));
    expect(await dynamo.get(key(a))).toEqual({ ...a, n: 1 });
    expect(await dynamo.batchGet([d, c, b].map(key))).toEqual([d, undefined, b]);
    expect(await dynamo.get(key(e))).toEqual(e);
    expect((await dynamo.query(range, { limit: 5 })).items).toEqual([{ ...a, n: 1 }, b, d, e]);
    expect((await dynamo.queryIndex('list', { limit: 5 })).items).toHaveLength(4);
    expect(
      (await dynamo.scanPage({ condition: 'v = :v AND pk = :p', values: { ':v': 1, ':p': 'p' } })).items,
    ).toHaveLength(4);
    // Copying on AWS writes batches.
    expect(accounts.called).toContain('BatchWriteItem');
    const ofFirst = createDynamo({ transport: other.transport, table: name, timeouts: testTimeouts });
    expect(await ofFirst.get(key(a))).toBeUndefined();
    const ofSecond = createDynamo({ transport: own.transport, table: name, timeouts: testTimeouts });
    expect(await ofSecond.get(key(b))).toEqual(b);
  },
);

test('the policies of docs/aws.md are needed: that of the table, its resource for the index, and that of the stream', async () => {
  const database = await open();
  const accounts = await startAccounts(database);
  const [own, other] = [connectTo(accounts.second), connectTo(accounts.first)];
  onTestFinished(own.destroy);
  onTestFinished(other.destroy);
  const { streamArn } = await ensureTable(own.client, database.table);
  const table = accounts.arnOf('second', database.table);
  const dynamo = createDynamo({ transport: other.transport, table, timeouts: testTimeouts });
  const tried = async () => {
    const all = [
      dynamo.get(key(a)),
      dynamo.queryIndex('list', { limit: 5 }),
      other.streams.send('DescribeStream', { StreamArn: streamArn }),
    ];
    return (await Promise.allSettled(all)).map(({ status }) => status);
  };
  const { policies } = await documentedTable();
  const withoutIndex = policies.table.map(({ actions }) => ({ actions, resources: ['table'] }));
  const everything = [...policies.table, ...policies.stream];
  const [yes, no] = ['fulfilled', 'rejected'];
  for (const [allowed, expected] of [
    [policies, [yes, yes, yes]],
    [{ ...policies, table: withoutIndex }, [yes, no, yes]],
    [{ table: everything, stream: [] }, [yes, yes, no]],
    [{ table: [], stream: everything }, [no, no, yes]],
  ] as const) {
    accounts.allow(allowed);
    expect(await tried()).toEqual(expected);
  }
});

test('ensureTable: finds a table by its ARN, and says what only its own account knows', async () => {
  const database = await open();
  const accounts = await startAccounts(database);
  const [own, other] = [connectTo(accounts.second), connectTo(accounts.first)];
  onTestFinished(own.destroy);
  onTestFinished(other.destroy);
  const arn = accounts.arnOf('second', database.table);
  const { streamArn } = await ensureTable(own.client, database.table);
  expect(streamArn).toContain(`${arn}/stream/`);
  const unknown = `Whether the table ${arn} deletes expired items is only known in its own account (see \`npm run -s table\` there), or this role may not ask (dynamodb:DescribeTimeToLive).`;
  expect(await ensureTable(other.client, arn)).toEqual({
    created: false,
    arn,
    streamArn,
    warning: unknown,
    layout: DEFAULT_LAYOUT,
  });
  expect(await compareTable(other.client, arn)).toEqual([{ part: 'expiry', text: unknown }]);
});

test('addLacks: lets a table of the own account delete expired items by its ARN, and asks nothing of another one', async () => {
  const database = await open();
  const accounts = await startAccounts(database);
  const [own, other] = [connectTo(accounts.second), connectTo(accounts.first)];
  onTestFinished(own.destroy);
  onTestFinished(other.destroy);
  const { table } = database;
  const arn = accounts.arnOf('second', table);
  await own.client.send(new CreateTableCommand(tableDefinition(table)));
  await waitUntilTableExists({ client: own.client, maxWaitTime: 60, minDelay: 0.05 }, { TableName: table });
  const clock = systemClock;
  expect(await addLacks(other.client, arn, { clock })).toMatchObject([{ part: 'expiry' }]);
  expect(accounts.called.has('UpdateTimeToLive')).toBe(false);
  expect(await compareTable(own.client, arn)).toMatchObject([{ part: 'expiry' }]);
  expect(await addLacks(own.client, arn, { clock })).toEqual([]);
});

test('the table of docs/aws.md is the one that the program creates', async () => {
  expect((await documentedTable()).definition).toEqual(tableDefinition('tsudoi'));
});

test('ensureTable: creates no table in another account', async () => {
  const accounts = await startAccounts(await open());
  const { client, destroy } = connectTo(accounts.first);
  onTestFinished(destroy);
  for (const arn of [
    accounts.arnOf('second', 'missing'),
    'arn:aws:dynamodb:eu-west-1:333333333333:table/missing',
  ])
    await expect(ensureTable(client, arn)).rejects.toThrow(
      `There is no table ${arn} that this process may see. It has to be created in its own account, and to get a policy there (docs/aws.md).`,
    );
  expect(accounts.called.has('CreateTable')).toBe(false);
});
