/** The database takes longer for a page than users would wait. */
import { expect, onTestFinished, test } from 'vitest';
import { onDynamoDbLocal } from '../support/database/dynamo.ts';
import { startFront } from '../web/support/front.ts';
import { copyCommand } from './support/copy.ts';
import { tableAndCopy } from './support/switching.ts';

/** Longer than an attempt of a server's request may take. */
const SLOW_MS = 1_500;

test.skipIf(onDynamoDbLocal)(
  'verify: waits for pages that take longer than a server would wait',
  async () => {
    const { first, second } = await tableAndCopy();
    const front = await startFront(first.endpoint);
    onTestFinished(() => front.stop());
    let scans = 0;
    front.delay(({ headers }) => {
      if (!String(headers['x-amz-target']).endsWith('.Scan')) return 0;
      scans++;
      return SLOW_MS;
    });
    // It answers at once. Only `verify` is slow.
    const carrying = await (await copyCommand(first, second.table)).begin('carry');
    onTestFinished(() => carrying.stop());
    await carrying.says('"FOLLOWING"');
    const command = await copyCommand({ ...first, endpoint: front.url }, second.table);
    const { code, stdout } = await command.run('verify');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/"differences":0.*\n.*"differences":0/)]);
    // Eight parts of two tables, twice.
    expect(scans).toBeGreaterThanOrEqual(2 * 2 * 8);
  },
  300_000,
);
