import { expect } from 'vitest';
import { createJobControl } from '../../../src/jobs/control.ts';
import type { TestApp } from '../../support/servers/app.ts';
import { eventually } from '../../support/time/eventually.ts';

/** The job of a deleted account is open for an hour. Waits until it has read the table, and ends it there. */
export async function endJobs(app: TestApp): Promise<void> {
  const control = createJobControl({ dynamo: app.dynamo, now: Date.now });
  await eventually(async () => {
    const open = [...(await control.list('QUEUED', 100)), ...(await control.list('RUNNING', 100))];
    const accounts = open.filter(({ kind }) => kind === 'deleteAccount');
    expect(accounts.map(({ cursor }) => cursor)).toEqual(accounts.map(() => 'lateDevices'));
    for (const { id } of accounts) await control.cancel({ id });
  });
  await app.quiet();
}
