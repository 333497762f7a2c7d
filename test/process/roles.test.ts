/** What a process serves, by its role and settings. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { freePort } from '../../src/dev/embeddedDynamodb/database.ts';
import { UnreadNow } from '../support/clients/operations.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';
import { eventually } from '../support/time/eventually.ts';
import { clientAt, deployed, noProcessWith, printedTokens, run } from './support/run.ts';

const status = async (url: string) => (await fetch(url)).status;

test('ROLE=all: with AUTH_SECRET it has no demo users and no tokens, and serves the operator routes', async () => {
  const dataDir = join(await temporaryDirectory(), 'data');
  const program = await run({ env: deployed({ DATA_DIR: dataDir }) });
  const { url } = await program.ready();
  expect(printedTokens(program).size).toBe(0);
  expect(program.stdout).not.toContain('AUTH');

  const aki = await clientAt(url, 'aki');
  expect((await aki.do(UnreadNow)).viewer.unread).toMatchObject({ total: 0, rooms: [] });
  expect(await status(`${url}/healthz`)).toBe(200);
  expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({
    ok: true,
    dependencies: { dynamodb: { ok: true }, bus: { ok: true }, consumer: { ok: true } },
  });
  expect(await (await fetch(`${url}/metrics`)).text()).toContain('tsudoi_operations_total');
});

test('METRICS_PORT: a second listener serves the metrics to other machines, and nothing for users', async () => {
  const dataDir = join(await temporaryDirectory(), 'data');
  const program = await run({ env: deployed({ DATA_DIR: dataDir, METRICS_PORT: '0' }) });
  const { url } = await program.ready();
  const metrics = /Metrics +(http\S+)/.exec(program.stdout)?.[1] ?? '';
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  expect(await (await fetch(metrics, { headers })).text()).toContain('tsudoi_operations_total');
  expect((await fetch(`${url}/metrics`, { headers })).status).toBe(404);
  expect(await status(new URL('/healthz', metrics).href)).toBe(200);
  for (const path of ['/', '/graphql']) expect(await status(new URL(path, metrics).href)).toBe(404);
  program.signal('SIGTERM');
  expect(await program.ended).toMatchObject({ code: 0 });
});

test('METRICS_PORT: its /readyz says during SHUTDOWN_DELAY that the server is stopping', async () => {
  const dataDir = join(await temporaryDirectory(), 'data');
  const env = deployed({ DATA_DIR: dataDir, METRICS_PORT: '0', SHUTDOWN_DELAY: '60' });
  const program = await run({ env });
  await program.ready();
  const metrics = /Metrics +(http\S+)/.exec(program.stdout)?.[1] ?? '';
  const readiness = async () => (await fetch(new URL('/readyz', metrics))).json();
  expect(await readiness()).toMatchObject({ ok: true });
  program.signal('SIGTERM');
  await eventually(async () => expect(await readiness()).toMatchObject({ ok: false, stopping: true }));
  program.signal('SIGKILL');
  await program.ended;
  await noProcessWith(dataDir);
});

test('ROLE=worker: serves the operator routes and no GraphQL; ROLE=api has no consumer', async () => {
  const database = await openTestDynamo({ file: true });
  onTestFinished(() => database.stop());
  // Redis is down. Neither role needs it to start and to be ready.
  const shared = deployed({
    DYNAMODB_ENDPOINT: database.endpoint,
    TABLE_NAME: database.table,
    REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
  });
  const [worker, api] = await Promise.all([
    run({ env: { ...shared, ROLE: 'worker' } }),
    run({ env: { ...shared, ROLE: 'api' } }),
  ]);
  const { url } = await worker.ready();
  expect(worker.stdout).toContain('worker');
  expect(await status(`${url}/healthz`)).toBe(200);
  const readiness = await fetch(`${url}/readyz`);
  expect(readiness.status).toBe(200);
  expect(await readiness.json()).toMatchObject({
    ok: true,
    dependencies: { dynamodb: { ok: true }, bus: { ok: false, required: false }, consumer: { ok: true } },
  });
  expect(await (await fetch(`${url}/metrics`)).text()).toContain('tsudoi_stream_records_total');
  for (const path of ['/', '/graphql']) expect(await status(`${url}${path}`)).toBe(404);
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  expect(await new Promise((resolve) => socket.once('error', resolve))).toBeInstanceOf(Error);

  const served = (await api.ready()).url;
  expect(await status(`${served}/healthz`)).toBe(200);
  const { dependencies } = (await (await fetch(`${served}/readyz`)).json()) as { dependencies: object };
  expect(Object.keys(dependencies)).not.toContain('consumer');

  for (const program of [worker, api]) {
    program.signal('SIGTERM');
    expect(await program.ended).toMatchObject({ code: 0 });
  }
});
