/** What `ops/` names exists, and its alerts fire in their conditions. */
import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readMetrics } from '../app/support/metrics.ts';
import { isHere } from '../support/machine/needs.ts';
import { startTestApp } from '../support/servers/app.ts';

const ROOT = join(import.meta.dirname, '../..');
const PROMETHEUS = join(ROOT, 'ops/prometheus');
const read = (path: string) => readFile(join(ROOT, path), 'utf8');

const namesIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/\b(?:tsudoi|nodejs|process)_\w+/g)].map(([name]) => name));

test('every metric that the rules and the dashboard name exists in a running server', async () => {
  const app = await startTestApp();
  const { names } = await readMetrics(app.url).finally(() => app.stop());
  const wanted = namesIn((await read('ops/prometheus/rules.yml')) + (await read('ops/grafana/tsudoi.json')));
  expect(wanted.size).toBeGreaterThan(30);
  expect([...wanted].filter((name) => !names.has(name))).toEqual([]);
});

test('the dashboard shows every metric of the server', async () => {
  const app = await startTestApp();
  const { names } = await readMetrics(app.url).finally(() => app.stop());
  const shown = namesIn(await read('ops/grafana/tsudoi.json'));
  const base = (name: string) => name.replace(/_(bucket|sum|count)$/, '');
  const all = new Set([...shown].map(base));
  const own = [...names].filter((name) => name.startsWith('tsudoi_')).map(base);
  expect(own.filter((name) => !all.has(name))).toEqual([]);
});

test('every alert has its section in the runbook', async () => {
  const alerts = [...(await read('ops/prometheus/rules.yml')).matchAll(/- alert: (\w+)/g)].map(
    ([, name]) => name,
  );
  const runbook = await read('docs/runbook.md');
  const sections = [...runbook.matchAll(/^##+ (\w+)$/gm)].map(([, name]) => name);
  expect(alerts.length).toBeGreaterThan(20);
  expect(alerts.filter((name) => !sections.includes(name))).toEqual([]);
});

const promtool = isHere('promtool', spawnSync('promtool', ['--version']).status === 0);

test.skipIf(!promtool)('promtool: each alert fires in its condition, and not without it', async () => {
  const run = (...args: readonly string[]) => promisify(execFile)('promtool', args, { cwd: PROMETHEUS });
  await run('check', 'config', 'prometheus.yml');
  expect((await run('test', 'rules', 'rules.test.yml')).stdout).toContain('SUCCESS');
  const tested = new Set(
    [...(await read('ops/prometheus/rules.test.yml')).matchAll(/alertname: (\w+)/g)].map(([, name]) => name),
  );
  const alerts = [...(await read('ops/prometheus/rules.yml')).matchAll(/- alert: (\w+)/g)].map(
    ([, name]) => name,
  );
  expect([...tested].sort()).toEqual(alerts.sort());
});
