/**
 * What the consumers of a table have left when its servers end, also by force, is handled before another table is in
 * use.
 */
import { expect, onTestFinished, test } from 'vitest';
import { catchUp } from '../../src/app/catchUp.ts';
import { loadConfig } from '../../src/config.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { createLeases } from '../../src/stream/leases.ts';
import { streamLabel } from '../../src/stream/records.ts';
import { listShards } from '../../src/stream/shards.ts';
import { silent } from '../stream/support/stream.ts';
import { queryBadge } from '../support/clients/badges.ts';
import { people, roomOf, say, userOf } from '../support/clients/people.ts';
import {
  onDynamoDbLocal,
  openTestDynamo,
  type TestDynamo,
  testTimeouts,
} from '../support/database/dynamo.ts';
import { startTestApp } from '../support/servers/app.ts';
import { recount } from '../verify/support/recount.ts';
import { copyCommand, tableBeside } from './support/copy.ts';

/**
 * The commands have the product's time limits, in which DynamoDB Local, under load, does not answer. See
 * `copying.test.ts`.
 */
const onEmbedded = test.skipIf(onDynamoDbLocal);

/**
 * A table with a message that a consumer has handled, and two that none has. Both mention Ben, who has read neither.
 */
async function leftBehind(): Promise<{ readonly database: TestDynamo; readonly ben: string }> {
  const database = await openTestDynamo({ file: true });
  onTestFinished(() => database.stop());
  const whole = await startTestApp({ database });
  onTestFinished(() => whole.stop());
  const [aki, ben] = await people(whole, 2);
  const roomId = await roomOf(aki, [ben]);
  await say(aki, roomId, `One for @${ben.handle}`);
  await whole.quiet();
  await whole.stop();
  const api = await startTestApp({ database, role: 'api' });
  onTestFinished(() => api.stop());
  const author = await userOf(api, aki.handle);
  for (const body of ['Two', 'Three']) await say(author, roomId, `${body} for @${ben.handle}`);
  await api.stop();
  return { database, ben: ben.handle };
}

/** What an app that handles no changes shows. */
async function badgeIn(database: TestDynamo, handle: string) {
  const app = await startTestApp({ database, role: 'api' });
  onTestFinished(() => app.stop());
  const badge = await queryBadge(await userOf(app, handle));
  await app.stop();
  return badge;
}

test('catchUp: handles what the consumers have left, and what that causes, although one of them still has its leases', async () => {
  const { database, ben } = await leftBehind();
  const { dynamo, streams, streamArn } = database;
  expect(await badgeIn(database, ben)).toMatchObject({ notifications: 1 });
  const killed = createLeases({ dynamo, stream: streamLabel(streamArn), owner: 'killed' });
  await killed.list();
  for (const { id } of await listShards(streams, streamArn)) await killed.take(id);
  const config = loadConfig({ DYNAMODB_ENDPOINT: database.endpoint, TABLE_NAME: database.table });
  const options = { config, database, log: silent, timeouts: testTimeouts };
  await catchUp(options, new AbortController().signal);
  expect(await badgeIn(database, ben)).toMatchObject({ notifications: 3 });
  expect(await recount(dynamo)).toEqual([]);
  // Once more changes nothing.
  await catchUp(options, new AbortController().signal);
  expect(await badgeIn(database, ben)).toMatchObject({ notifications: 3 });
});

test('catchUp: ends although items go on to expire', async () => {
  const { database, ben } = await leftBehind();
  const { dynamo, endpoint, table } = database;
  let isOver = false;
  async function expire(): Promise<void> {
    for (let i = 0; !isOver; i++) {
      const key = keys.idempotencyRecord('someone', `expiring ${i}`);
      await dynamo.put({ ...key, v: 1, expiresAt: 1 });
      await dynamo.remove(key);
    }
  }
  const expiring = expire();
  const config = loadConfig({ DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: table });
  const options = { config, database, log: silent, timeouts: testTimeouts };
  await catchUp(options, new AbortController().signal);
  isOver = true;
  await expiring;
  expect(await badgeIn(database, ben)).toMatchObject({ notifications: 3 });
});

onEmbedded(
  'hand-over: the table that is in use afterwards has what no consumer had handled, unless the operator says that one has',
  async () => {
    for (const [flags, notifications] of [
      [['--handled'], 1],
      [[], 3],
    ] as const) {
      const { database, ben } = await leftBehind();
      const name = `${database.table}-2`;
      const command = await copyCommand(database, name);
      const carrying = await command.begin('carry', '--create', '--rate', '100000');
      await carrying.says('"FOLLOWING"');
      expect(await command.run('verify')).toMatchObject({ code: 0 });
      carrying.signal('SIGTERM');
      await carrying.ended;
      const handingOver = await command.begin('hand-over', ...flags);
      // It goes on then, and the former table is a copy of the one in use.
      await handingOver.says('"FOLLOWING"');
      handingOver.signal('SIGTERM');
      expect(await handingOver.ended).toMatchObject({ code: 0 });
      const second = await tableBeside(database, name);
      expect(await badgeIn(second, ben)).toMatchObject({ notifications });
      if (notifications > 1) expect(await recount(second.dynamo)).toEqual([]);
    }
  },
);
