/** A command says why DynamoDB refuses it, for example which permission it lacks, and that it does not respond. */
import { expect, onTestFinished, test } from 'vitest';
import { startFaultProxy } from '../stream/support/faultProxy.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { command } from './support/commands.ts';

test.each([
  [
    'refuses',
    'AccessDeniedException',
    'DynamoDB refuses the request: AccessDeniedException: AccessDeniedException\n',
  ],
  [
    'does not respond to',
    'InternalServerError',
    'DynamoDB does not respond (InternalServerError). Run this again when it does.\n',
  ],
])(
  'a command that DynamoDB %s while it works',
  async (_what, error, stderr) => {
    const database = await openTestDynamo();
    onTestFinished(() => database.stop());
    const proxy = await startFaultProxy(database.endpoint);
    onTestFinished(() => proxy.stop());
    proxy.mode = { error, of: ['Query'] };
    expect(
      await command('timers', [], {
        DYNAMODB_ENDPOINT: proxy.endpoint,
        TABLE_NAME: database.table,
        LOG_LEVEL: 'silent',
      }),
    ).toMatchObject({
      code: 1,
      stdout: '',
      stderr,
    });
  },
  60_000,
);
