/** A table is named by its ARN: at emulators, in names in Redis, and by a server of the embedded database. */
import { randomUUID } from 'node:crypto';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openForCarry } from '../../src/app/commandDatabase.ts';
import { configAt, configBeside, openDatabase } from '../../src/app/database.ts';
import { openBus } from '../../src/app/redis.ts';
import { topic } from '../../src/bus/bus.ts';
import { loadConfig } from '../../src/config.ts';
import { ensureTable } from '../../src/dynamo/ensureTable.ts';
import { startAccounts } from '../support/database/accounts.ts';
import { connectTo, openTestDynamo } from '../support/database/dynamo.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';
import { patientLimits, redisAvailable, startRedis } from '../support/servers/redis.ts';
import { eventually } from '../support/time/eventually.ts';

const log = pino({ level: 'silent' });
const deployed = 'if AUTH_SECRET or AUTH_JWKS_URL is set, or ROLE is api or worker.';

test('at an emulator, the ARN of one of its tables is that table, and every other one is none', async () => {
  const { client, table, endpoint, stop } = await openTestDynamo();
  onTestFinished(stop);
  const { Table } = await client.send(new DescribeTableCommand({ TableName: table }));
  const arn = String(Table?.TableArn);
  const at = (TABLE_NAME: string) =>
    openDatabase(loadConfig({ DYNAMODB_ENDPOINT: endpoint, TABLE_NAME }), log);
  const database = await at(arn);
  onTestFinished(database.close);
  expect(database).toMatchObject({ table, arn, created: false });
  for (const other of [
    arn.replace(':000000000000:', ':222222222222:'),
    arn.replace(/dynamodb:[a-z]+:/, 'dynamodb:eu-west-1:'),
    `${arn}-missing`,
  ])
    await expect(at(other)).rejects.toThrow(
      `DynamoDB at ${endpoint} has no table ${other}. AWS is used without DYNAMODB_ENDPOINT, ${deployed}`,
    );
});

test('the embedded database has a table under its ARN, and creates none by one', async () => {
  const DATA_DIR = await temporaryDirectory();
  const first = await openDatabase(loadConfig({ DATA_DIR }), log);
  const { arn } = first;
  await first.close();
  const again = await openDatabase(loadConfig({ DATA_DIR, TABLE_NAME: arn }), log);
  expect(again).toMatchObject({ table: 'tsudoi', arn, created: false });
  await again.close();
  const missing = `${arn}-2`;
  await expect(openDatabase(loadConfig({ DATA_DIR, TABLE_NAME: missing }), log)).rejects.toThrow(
    `The embedded database has no table ${missing}. AWS is used ${deployed}`,
  );
});

test('configAt: on AWS, an ARN decides the region', () => {
  const table = 'arn:aws:dynamodb:eu-west-1:222222222222:table/tsudoi';
  const onAws = loadConfig({ AWS_REGION: 'eu-central-1', AUTH_SECRET: 'x'.repeat(32) });
  const dynamodb = { kind: 'aws', region: 'eu-west-1' };
  expect(configAt(onAws, { table })).toMatchObject({ tableName: table, dynamodb });
  const endpoint = { kind: 'endpoint', endpoint: 'http://dynamodb:8000' } as const;
  expect(configAt({ ...onAws, dynamodb: endpoint }, { table }).dynamodb).toEqual(endpoint);
  expect(configAt(onAws, { table, endpoint: endpoint.endpoint }).dynamodb).toEqual(endpoint);
});

test('configBeside: what a table says of another one is a name in the account of its ARN', () => {
  const onAws = loadConfig({ AWS_REGION: 'eu-west-1', AUTH_SECRET: 'x'.repeat(32) });
  const arn = (region: string, name: string) => `arn:aws:dynamodb:${region}:222222222222:table/${name}`;
  const byArn = { ...onAws, tableName: arn('eu-west-1', 'first') };
  const on = (region: string) => ({ kind: 'aws', region });
  for (const [place, expected] of [
    [{ table: 'second' }, { tableName: arn('eu-west-1', 'second'), dynamodb: on('eu-west-1') }],
    [
      { table: 'second', region: 'us-east-1' },
      { tableName: arn('us-east-1', 'second'), dynamodb: on('us-east-1') },
    ],
    [
      { table: arn('us-east-1', 'third') },
      { tableName: arn('us-east-1', 'third'), dynamodb: on('us-east-1') },
    ],
    [{ table: 'second', endpoint: 'http://dynamodb:8000' }, { tableName: 'second' }],
  ] as const)
    expect(configBeside(byArn, place)).toMatchObject(expected);
  expect(configBeside(onAws, { table: 'second' })).toMatchObject({ tableName: 'second' });
});

test('commands: what tables say of each other are ARNs on both sides if either is named by one', async () => {
  const database = await openTestDynamo();
  onTestFinished(() => database.stop());
  const accounts = await startAccounts(database);
  const own = connectTo(accounts.second);
  onTestFinished(own.destroy);
  const name = database.table;
  await ensureTable(own.client, name);
  const [home, abroad] = [accounts.arnOf('first', name), accounts.arnOf('second', name)];
  const opened = async (TABLE_NAME: string, table: string) => {
    const config = loadConfig({ DYNAMODB_ENDPOINT: accounts.first, TABLE_NAME });
    const { source, target } = await openForCarry(config, log, { table, create: false });
    await Promise.all([source.close(), target.close()]);
    expect([source.place, target.place]).toEqual([source.at.table, target.at.table]);
    return [source.at.table, target.at.table];
  };
  expect(await opened(name, abroad)).toEqual([home, abroad]);
  expect(await opened(abroad, name)).toEqual([abroad, home]);
  expect(await opened(name, name)).toEqual([name, name]);
});

test.skipIf(!redisAvailable)('servers that name a table by its ARN and by its name share a bus', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const name = `t${randomUUID()}`;
  const [byArn, byName] = [`arn:aws:dynamodb:eu-west-1:222222222222:table/${name}`, name].map((tableName) => {
    const bus = openBus({ bus: { kind: 'redis', url: redis.url }, tableName }, log, patientLimits);
    onTestFinished(() => bus.close());
    return bus;
  }) as [ReturnType<typeof openBus>, ReturnType<typeof openBus>];
  const news = topic<number>('news');
  const received: number[] = [];
  await byName.subscribe(news, (payload) => received.push(payload));
  // It is connected then.
  await eventually(() => byArn.publish(news, 1));
  await eventually(() => expect(received).toContain(1));
  // As in a switch between two accounts, which is taken back.
  await byName.listenTo(`arn:aws:dynamodb:eu-west-1:333333333333:table/${name}`);
  await byName.forget(`arn:aws:dynamodb:eu-west-1:333333333333:table/${name}`);
  await byArn.publish(news, 2);
  await eventually(() => expect(received).toContain(2));
});

test('a table of another account without a policy is refused in a sentence', async () => {
  const database = await openTestDynamo();
  onTestFinished(() => database.stop());
  const accounts = await startAccounts(database);
  const own = connectTo(accounts.second);
  onTestFinished(own.destroy);
  await ensureTable(own.client, database.table);
  accounts.allow({ table: [], stream: [] });
  const TABLE_NAME = accounts.arnOf('second', database.table);
  await expect(
    openDatabase(loadConfig({ DYNAMODB_ENDPOINT: accounts.first, TABLE_NAME }), log),
  ).rejects.toThrow(
    /^DynamoDB at \S+ refuses the request: AccessDeniedException: no resource-based policy allows dynamodb:DescribeTable$/,
  );
});
