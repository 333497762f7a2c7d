/** A hand-over fails when the table is out of use already: it is taken back, or every start says what to run. */
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { OutageError } from '../../src/core/errors.ts';
import { connect } from '../../src/dynamo/connect.ts';
import { createDynamo } from '../../src/dynamo/dynamo.ts';
import { accessIn } from '../../src/dynamo/transport/keyLayout.ts';
import { handOver } from '../../src/reshape/carry/handOver.ts';
import { readTableShape, unendedHandOver } from '../../src/reshape/tableShape.ts';
import { emulatorPacing } from '../../src/stream/reader.ts';
import { type FaultProxy, startFaultProxy } from '../stream/support/faultProxy.ts';
import {
  dynamodbClient,
  onDynamoDbLocal,
  type TestDynamo,
  testTimeouts,
} from '../support/database/dynamo.ts';
import { startTestApp } from '../support/servers/app.ts';
import { copyCommand } from './support/copy.ts';
import { aroundUse, placesOf, sidesOf, switchBetween, tableAndCopy } from './support/switching.ts';

const log = pino({ level: 'silent' });
const options = { by: 'transactions', pacing: emulatorPacing, log, now: Date.now } as const;
/** Requests end soon when the database does not respond. */
const OUTAGE_TIMEOUTS = { ...testTimeouts, callMs: 500 };

const isInUse = async ({ dynamo }: TestDynamo) => (await readTableShape(dynamo)).notInUse === undefined;
const startOn = async (database: TestDynamo) => (await startTestApp({ database })).stop();

/** The same table, through a proxy. */
async function through(database: TestDynamo, proxy: FaultProxy): Promise<TestDynamo> {
  const { table, layout } = database;
  const connection = connect({ endpoint: proxy.endpoint, timeouts: OUTAGE_TIMEOUTS, via: dynamodbClient });
  onTestFinished(() => connection.destroy());
  const { transport, streams } = accessIn(layout, connection);
  return {
    ...database,
    transport,
    streams,
    dynamo: createDynamo({ transport, table, timeouts: OUTAGE_TIMEOUTS }),
  };
}

/** A table and its copy, and a hand-over between them that the database does not answer in the middle. */
async function failed() {
  const { first, second } = await tableAndCopy();
  const proxy = await startFaultProxy(first.endpoint);
  onTestFinished(() => proxy.stop());
  const sides = sidesOf(await through(first, proxy), await through(second, proxy));
  const run = () =>
    handOver(sides, {
      ...options,
      ...placesOf(first, second),
      settleMs: 1_000,
      async catchUp() {
        proxy.mode = 'refuse';
        throw new OutageError();
      },
    });
  const unended = unendedHandOver(first.table, second.table);
  await expect(run()).rejects.toThrow(`The table does not respond. ${unended}`);
  return { first, second, unended, proxy, run };
}

test.skipIf(onDynamoDbLocal)(
  'the database does not answer until the end: each start and command says what to run, and that ends it',
  async () => {
    const { first, second, unended } = await failed();
    expect([await isInUse(first), await isInUse(second)]).toEqual([false, false]);
    expect(unended).toContain(
      `TABLE_NAME=${first.table} npm run -s reshape -- hand-over --to-table ${second.table}`,
    );
    await expect(startOn(first)).rejects.toThrow(unended);
    await expect(startOn(second)).rejects.toThrow(unended);
    await expect(switchBetween(first, second)).rejects.toThrow(unended);
    const command = await copyCommand(first, second.table);
    expect(await command.run('carry')).toMatchObject({ code: 1, stderr: `${unended}\n` });
    const { code, stdout } = await command.run('hand-over', '--no-way-back');
    expect([code, stdout]).toEqual([0, expect.stringContaining(`The table in use is ${second.table}.`)]);
    await startOn(second);
    await expect(startOn(first)).rejects.toThrow(`The table in use is ${second.table}. Set TABLE_NAME`);
    // It was done, so the same command says so once more.
    const again = await command.run('hand-over', '--no-way-back');
    expect([again.code, again.stdout]).toEqual([0, stdout]);
  },
  120_000,
);

test.skipIf(onDynamoDbLocal)(
  'it is run again, and the database does not answer again: it is still not ended',
  async () => {
    const { unended, proxy, run } = await failed();
    proxy.mode = 'pass';
    // Whether a process uses the tables.
    proxy.onRequest('Query', () => {
      proxy.mode = 'refuse';
    });
    await expect(run()).rejects.toThrow(`The table does not respond. ${unended}`);
  },
);

test('a hand-over that was decided, and killed before it noted that: the next start finds it out', async () => {
  const { first, second } = await tableAndCopy();
  let isDecided = false;
  const killed = aroundUse(first, async (_, send) => {
    if (isDecided) throw new OutageError();
    isDecided = true;
    return send();
  });
  await handOver(sidesOf(killed, second), {
    ...options,
    ...placesOf(first, second),
    catchUp: async () => {},
  });
  expect((await readTableShape(first.dynamo)).notInUse).toHaveProperty('handOver');
  await expect(startOn(first)).rejects.toThrow(`The table in use is ${second.table}. Set TABLE_NAME`);
  expect((await readTableShape(first.dynamo)).notInUse).not.toHaveProperty('handOver');
  await startOn(second);
});
