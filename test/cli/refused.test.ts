/** A command says why DynamoDB refuses it, for example which permission it lacks. */
import { expect, onTestFinished, test } from 'vitest';
import { startFaultProxy } from '../stream/support/faultProxy.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { command } from './support/commands.ts';

test('a command that DynamoDB refuses while it works', async () => {
  const database = await openTestDynamo();
  onTestFinished(() => database.stop());
  const proxy = await startFaultProxy(database.endpoint);
  onTestFinished(() => proxy.stop());
  proxy.mode = { error: 'AccessDeniedException', of: ['Query'] };
  expect(
    await command('timers', [], {
      DYNAMODB_ENDPOINT: proxy.endpoint,
      TABLE_NAME: database.table,
      LOG_LEVEL: 'silent',
    }),
  ).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'DynamoDB refuses the request: AccessDeniedException: AccessDeniedException\n',
  });
}, 60_000);
