/**
 * The second half of docs/backups.md: a table as point-in-time recovery restores it becomes the table of the servers.
 */
import { CreateTableCommand, UpdateTableCommand, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createCommandRebuild } from '../../src/app/commandServices.ts';
import { counters } from '../../src/app/features.ts';
import { createDynamo } from '../../src/dynamo/dynamo.ts';
import { tableDefinition } from '../../src/dynamo/table.ts';
import { verify } from '../../src/verify/verify.ts';
import { queryBadge } from '../support/clients/badges.ts';
import { SendMessage } from '../support/clients/operations.ts';
import { roomOf } from '../support/clients/people.ts';
import { openTestDynamo, type TestDynamo, testTimeouts } from '../support/database/dynamo.ts';
import { startTestApp } from '../support/servers/app.ts';
import { recount } from '../verify/support/recount.ts';

const DAY_S = 86_400;

/** All items of the table in a new one, as AWS restores them: without a stream, which is then switched on. */
async function restored(database: TestDynamo): Promise<TestDynamo> {
  const { client, transport } = database;
  const table = `${database.table}-restored`;
  const { StreamSpecification, ...definition } = tableDefinition(table);
  await client.send(new CreateTableCommand(definition));
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 0.05, maxDelay: 1 }, { TableName: table });
  const dynamo = createDynamo({ transport, table, timeouts: testTimeouts });
  for await (const item of database.dynamo.scan({})) {
    await dynamo.put({ ...item, pk: String(item.pk), sk: String(item.sk) });
  }
  const { TableDescription } = await client.send(
    new UpdateTableCommand({ TableName: table, StreamSpecification }),
  );
  return { ...database, dynamo, table, streamArn: TableDescription?.LatestStreamArn ?? '' };
}

test('restore: what was stored and not derived at that moment is derived by a repair', async () => {
  const database = await openTestDynamo({ file: true });
  onTestFinished(() => database.stop());
  const first = await startTestApp({ database });
  const [aki, ben] = [await first.as('aki'), await first.as('ben')];
  const roomId = await roomOf(aki, [ben]);
  await aki.do(SendMessage, { input: { roomId, body: 'One' } });
  await first.quiet();
  await first.stop();
  // Without a consumer: the moment is between a message and what follows from it.
  const second = await startTestApp({ database, role: 'api' });
  await (await second.as('aki')).do(SendMessage, { input: { roomId, body: 'Two, for @ben' } });
  const copy = await restored(database);
  await (await second.as('aki')).do(SendMessage, { input: { roomId, body: 'Lost: after that moment' } });
  await second.stop();

  const app = await startTestApp({ database: copy });
  onTestFinished(() => app.stop());
  const reader = await app.as('ben');
  expect(await queryBadge(reader)).toMatchObject({ rooms: { [roomId]: 1 } });

  // `tsudoi repair --forgotten`.
  const options = { dynamo: copy.dynamo, onItem() {} };
  await createCommandRebuild({ ...options, log: pino({ level: 'silent' }), retention: 30 * DAY_S })(
    new AbortController().signal,
  );
  const { differences } = await verify({ ...options, counters, fix: true });
  expect(differences.every(({ fixed }) => fixed)).toBe(true);
  await app.quiet();
  expect(await queryBadge(reader)).toMatchObject({ notifications: 1, rooms: { [roomId]: 2 } });
  // The log has a gap at what was forgotten, so clients read the room again. All numbers are right.
  expect(await recount(copy.dynamo)).toEqual([expect.stringMatching(/^the log of \w+ has a gap before/)]);
});
