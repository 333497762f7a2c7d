/** Servers go on in a table of another AWS account, and come back. */
import { expect, onTestFinished, test } from 'vitest';
import { createDynamo } from '../../src/dynamo/dynamo.ts';
import { ensureTable } from '../../src/dynamo/ensureTable.ts';
import { changeUse } from '../../src/reshape/carry/marks.ts';
import { changeState } from '../../src/reshape/carry/state.ts';
import { readHeartbeats } from '../../src/reshape/heartbeats.ts';
import { readTableShape } from '../../src/reshape/tableShape.ts';
import { openView, readRoom } from '../roomEvents/support/model/view.ts';
import { queryBadge } from '../support/clients/badges.ts';
import { connectTo as connectPerson, people, roomOf } from '../support/clients/people.ts';
import { startAccounts } from '../support/database/accounts.ts';
import { documentedTable } from '../support/database/documentedTable.ts';
import { connectTo, openTestDynamo, type TestDynamo, testTimeouts } from '../support/database/dynamo.ts';
import { startTestApp } from '../support/servers/app.ts';
import { redisAvailable } from '../support/servers/redis.ts';
import { eventually } from '../support/time/eventually.ts';
import { recount } from '../verify/support/recount.ts';
import { type CopyCommand, copyCommand } from './support/copy.ts';
import { load, numbersIn } from './support/load.ts';
import { copyTo, switchBetween, twoServers } from './support/switching.ts';

/** A table, as processes of one account see it. */
async function tableAt(endpoint: string, table: string): Promise<TestDynamo> {
  const { destroy, ...connection } = connectTo(endpoint);
  onTestFinished(destroy);
  const { streamArn, layout } = await ensureTable(connection.client, table);
  const dynamo = createDynamo({ ...connection, table, timeouts: testTimeouts });
  return { ...connection, dynamo, table, streamArn, layout, endpoint, raw: connection, stop: async () => {} };
}

/** Tables of the same name, each made in its own account. */
async function twoAccounts() {
  const database = await openTestDynamo({ file: true });
  onTestFinished(() => database.stop());
  const accounts = await startAccounts(database);
  const name = database.table;
  return {
    accounts,
    home: await tableAt(accounts.first, name),
    homeArn: accounts.arnOf('first', name),
    abroad: await tableAt(accounts.second, name),
    arn: accounts.arnOf('second', name),
  };
}

const usersOf = async ({ dynamo }: TestDynamo) => (await readHeartbeats(dynamo, Date.now())).length;

/** By the commands of an operator. Resolves to what `switch` says. */
async function move({ begin, run }: CopyCommand): Promise<string> {
  const carrying = await begin('carry', '--rate', '100000');
  await carrying.says('"FOLLOWING"');
  expect(await run('verify')).toMatchObject({ code: 0 });
  carrying.signal('SIGTERM');
  expect(await carrying.ended).toMatchObject({ code: 0 });
  const { code, stdout, stderr } = await run('switch', '--within', '10000', '--no-way-back');
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('has not moved')]);
  return stdout;
}

test('another account: a server that is started there by the name ends a switch that was decided', async () => {
  const { accounts, home, abroad, homeArn, arn } = await twoAccounts();
  const across = await tableAt(accounts.first, arn);
  await copyTo(home, across);
  // As a switch leaves it whose processes all end.
  await changeState(across.dynamo, { place: { table: homeArn } });
  await changeUse(home.dynamo, { notInUse: { table: arn, stream: abroad.streamArn, place: { table: arn } } });
  const server = await startTestApp({ database: abroad });
  onTestFinished(() => server.stop());
  expect(await usersOf(abroad)).toBe(1);
});

/** Two tables of the other account, of which its owner has made one a copy of the other by their names. */
async function twoAbroad() {
  const { accounts, home, abroad, arn } = await twoAccounts();
  const second = await tableAt(accounts.second, `${abroad.table}-2`);
  await copyTo(abroad, second);
  return {
    abroad,
    second,
    /** A server of the first account. */
    start: (database: TestDynamo) =>
      startTestApp({
        database: { ...home, table: database === abroad ? arn : `${arn}-2` },
        shapeMs: 200,
        shapeBelievedMs: undefined,
      }),
  };
}

test('another account: a server that names the table by its ARN moves by the names that its owner uses', async () => {
  const { abroad, second, start } = await twoAbroad();
  const server = await start(abroad);
  onTestFinished(() => server.stop());
  expect(await switchBetween(abroad, second)).toMatchObject({ servers: 1, late: [] });
  expect([await usersOf(abroad), await usersOf(second)]).toEqual([0, 1]);
});

test.each(['former', 'other'])(
  'another account: a server that names the %s table by its ARN ends a switch by names that was decided',
  async (which) => {
    const { abroad, second, start } = await twoAbroad();
    await changeState(second.dynamo, { place: { table: abroad.table } });
    const { table, streamArn: stream } = second;
    await changeUse(abroad.dynamo, { notInUse: { table, stream, place: { table } } });
    if (which === 'former') await expect(start(abroad)).rejects.toThrow(`The table in use is ${table}. `);
    else {
      const server = await start(second);
      await server.stop();
    }
    expect(await readTableShape(second.dynamo)).not.toHaveProperty('notInUse');
  },
);

test.skipIf(!redisAvailable)(
  'another account: servers move to its table of the same name by the documented policies, work with one that names it there, and come back',
  async () => {
    const { accounts, home, abroad, homeArn, arn } = await twoAccounts();
    const name = home.table;
    const { actions, policies } = await documentedTable();
    accounts.allow(policies);
    const { whole, api, redisUrl } = await twoServers(home);
    const [aki, ben, chie, reader] = await people(whole, 4);
    const roomId = await roomOf(aki, [ben, chie, reader]);
    const work = load([aki, await connectPerson(api, chie)], roomId, ben.handle);
    const goesOn = async () => {
      const sent = work.sent.size;
      await eventually(() => expect(work.sent.size).toBeGreaterThan(sent + 10));
    };
    await goesOn();

    const env = { REDIS_URL: redisUrl };
    expect(await move(await copyCommand(home, arn, env))).toContain(
      `The table in use is ${arn}. Set TABLE_NAME to it before a server is started again.\n`,
    );
    expect((await readTableShape(home.dynamo)).notInUse).toEqual({
      table: arn,
      stream: abroad.streamArn,
      place: { table: arn },
    });
    expect([await usersOf(home), await usersOf(abroad)]).toEqual([0, 2]);
    await goesOn();
    await expect(startTestApp({ database: home })).rejects.toThrow(
      `This table is not in use. The table in use is ${arn}. Set TABLE_NAME to that one.`,
    );
    // One that is started in this account, and one in that account.
    const shared = { redisUrl, role: 'api', shapeMs: 200, shapeBelievedMs: undefined } as const;
    const byArn = await startTestApp({ ...shared, database: { ...home, table: arn } });
    onTestFinished(() => byArn.stop());
    const byName = await startTestApp({ ...shared, database: abroad });
    onTestFinished(() => byName.stop());
    const views = [];
    for (const app of [whole, byArn, byName])
      views.push(await openView(await connectPerson(app, reader), roomId));
    await goesOn();

    const back = await copyCommand({ endpoint: home.endpoint, table: arn }, name, env);
    expect(await move(back)).toContain(`The table in use is ${homeArn}. `);
    expect([await usersOf(home), await usersOf(abroad)]).toEqual([4, 0]);
    await goesOn();
    await work.stop();
    await whole.quiet();
    expect([...work.refusals.keys()].filter((code) => code !== 'UNAVAILABLE')).toEqual([]);
    expect((await numbersIn(home)).sort()).toEqual([...work.sent.values()].sort());
    expect(await recount(home.dynamo)).toEqual([]);
    expect((await queryBadge(ben)).notifications).toBe(work.sent.size);
    const state = await readRoom(reader, roomId);
    // If a switch takes longer than a second, reads are refused, and what needed them ends.
    for (const view of views) await view.shows(state, { resumes: true });
    // On AWS, copying writes batches. What is asked in addition is refused, and is not needed.
    expect([...accounts.called, 'BatchWriteItem'].sort()).toEqual([...actions, 'DescribeTimeToLive'].sort());
  },
  600_000,
);
