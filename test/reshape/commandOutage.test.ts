/** The database does not respond while a command works: it says which one, and what was changed. */
import { expect, onTestFinished, test } from 'vitest';
import { readTableShape } from '../../src/reshape/tableShape.ts';
import { startFaultProxy } from '../stream/support/faultProxy.ts';
import { onDynamoDbLocal } from '../support/database/dynamo.ts';
import { copyCommand } from './support/copy.ts';
import { tableAndCopy } from './support/switching.ts';

test.skipIf(onDynamoDbLocal).each([
  ['rate', ['--rate', '100'], 'It is not known whether the rate was changed. Run this again.'],
  ['switch', [], 'The table in use is the same as before.'],
  ['hand-over', [], 'The table in use is the same as before.'],
] as const)(
  '%s',
  async (name, more, outcome) => {
    const { first, second } = await tableAndCopy();
    const proxy = await startFaultProxy(first.endpoint);
    onTestFinished(() => proxy.stop());
    // After it has opened both tables, which reads `SHAPE` of the first one.
    proxy.onRequest('GetItem', ({ Key }) => {
      if (JSON.stringify(Key).includes('CARRY')) proxy.mode = 'refuse';
    });
    const command = await copyCommand({ ...first, endpoint: proxy.endpoint }, second.table);
    const { code, stderr } = await command.run(name, ...more);
    expect(code).toBe(1);
    expect(stderr).toContain(`DynamoDB at ${proxy.endpoint} does not respond (E`);
    expect(stderr.trimEnd().endsWith(outcome), stderr).toBe(true);
    expect(stderr).not.toContain('The service cannot do this right now');
    expect(await readTableShape(first.dynamo)).not.toHaveProperty('notInUse');
  },
  60_000,
);

test.skipIf(onDynamoDbLocal)('the other table refuses the process: it is the one that is named', async () => {
  const { first, second } = await tableAndCopy();
  const proxy = await startFaultProxy(first.endpoint);
  onTestFinished(() => proxy.stop());
  proxy.mode = { error: 'AccessDeniedException', of: ['GetItem'] };
  const command = await copyCommand(first, second.table);
  expect(await command.run('status', '--to-endpoint', proxy.endpoint)).toMatchObject({
    code: 1,
    stderr: `DynamoDB at ${proxy.endpoint} refuses the request: AccessDeniedException: AccessDeniedException. The table was ${second.table}. Nothing was changed.\n`,
  });
});

test.skipIf(onDynamoDbLocal)(
  'a table that refuses the process is named, too',
  async () => {
    const { first, second } = await tableAndCopy();
    const proxy = await startFaultProxy(first.endpoint);
    onTestFinished(() => proxy.stop());
    proxy.onRequest('GetItem', ({ Key }) => {
      if (JSON.stringify(Key).includes('CARRY')) proxy.mode = { error: 'AccessDeniedException' };
    });
    const command = await copyCommand({ ...first, endpoint: proxy.endpoint }, second.table);
    const { code, stderr } = await command.run('rate', '--rate', '100');
    expect([code, stderr]).toEqual([
      1,
      `DynamoDB at ${proxy.endpoint} refuses the request: AccessDeniedException: AccessDeniedException. The table was ${second.table}. It is not known whether the rate was changed. Run this again.\n`,
    ]);
  },
  60_000,
);
