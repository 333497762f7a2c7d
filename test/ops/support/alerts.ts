/**
 * Evaluates the alerts of `ops/prometheus/rules.yml` by Prometheus' own engine, on what servers said at `/metrics`: as
 * if what was caused between two scrapes happened again every minute, for an hour.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const RULES = join(import.meta.dirname, '../../../ops/prometheus/rules.yml');
const MINUTES = 60;

/** What one scrape has: `up`, and each series with its value. */
export interface Scrape {
  readonly series: ReadonlyMap<string, number>;
  /** The series that only rise. */
  readonly rising: ReadonlySet<string>;
}

/** As Prometheus scrapes: a process that does not respond has `up` 0, and nothing else. */
export async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(`${url}/metrics`).catch(() => undefined);
  const text = response?.ok === true ? await response.text() : '';
  const types = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].map(([, name, type]) => [name, type]));
  const series = new Map([[labelled('up', ''), text === '' ? 0 : 1]]);
  const rising = new Set<string>();
  for (const [, name = '', labels = '', value] of text.matchAll(/^(tsudoi_\w+)(?:\{(.*)\})? (\S+)$/gm)) {
    const key = labelled(name, labels);
    series.set(key, Number(value));
    const type = types.get(name) ?? types.get(name.replace(/_(bucket|sum|count)$/, ''));
    if (type !== 'gauge') rising.add(key);
  }
  return { series, rising };
}

const labelled = (name: string, labels: string): string =>
  `${name}{${labels === '' ? '' : `${labels},`}job="tsudoi",instance="a:1"}`;

/** The names of the alerts of the rules. */
export const alertsIn = async (): Promise<readonly string[]> =>
  [...(await readFile(RULES, 'utf8')).matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);

/** The alerts that fire after an hour in which what happened between the scrapes goes on. */
export async function firing({
  before,
  after,
}: {
  before: Scrape;
  after: Scrape;
}): Promise<readonly string[]> {
  const input = [...after.series].map(([key, value]) => {
    const from = before.series.get(key) ?? 0;
    const values = after.rising.has(key) ? `${from}+${value - from}x${MINUTES}` : `${value}x${MINUTES}`;
    return { series: key, values };
  });
  const directory = await mkdtemp(join(tmpdir(), 'tsudoi-alerts-'));
  const file = join(directory, 'test.yml');
  const expr = 'count by (alertname) (ALERTS{alertstate="firing"})';
  const query = { expr, eval_time: `${MINUTES}m`, exp_samples: [] };
  const tests = [{ interval: '1m', input_series: input, promql_expr_test: [query] }];
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests }));
  try {
    await promisify(execFile)('promtool', ['test', 'rules', file]);
    return [];
  } catch (error) {
    // It says what there is instead of the nothing that the test expects.
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const [, got] = /exp: nil\s+got: (.*)/.exec(stdout + stderr) ?? [];
    if (got === undefined) throw new Error(`promtool: ${stdout}${stderr}`, { cause: error });
    return [...got.matchAll(/alertname="(\w+)"/g)].map(([, name = '']) => name).sort();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
