import { hostname } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { nameOf, readHeartbeats } from '../../src/reshape/heartbeats.ts';
import { startTestApp } from '../support/servers/app.ts';

test('a process is named so that it can be found: what it does, and its pid', async () => {
  const app = await startTestApp({ role: 'api' });
  onTestFinished(() => app.stop());
  const [found] = await readHeartbeats(app.dynamo, Date.now());
  if (found === undefined) throw new Error('There is no heartbeat.');
  const { server } = found;
  expect(nameOf(found)).toBe(`${server} on ${hostname()} (api, pid ${process.pid})`);
  expect(nameOf({ server, host: 'vm', knows: [], follows: 0 })).toBe(`${server} on vm`);
});
