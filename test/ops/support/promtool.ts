/** Prometheus' own engine, by `promtool test rules`, on what servers said at `/metrics`. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defined } from '../../../src/core/defined.ts';

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
  return scrapeOf(response?.ok === true ? await response.text() : '');
}

const VALUE = /^((?:tsudoi|process|nodejs)_\w+)(?:\{(.*)\})? (\S+)$/gm;

export function scrapeOf(text: string, instance = 'a:1'): Scrape {
  const types = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].map(([, name, type]) => [name, type]));
  const series = new Map([[labelled('up', '', instance), text === '' ? 0 : 1]]);
  const rising = new Set<string>();
  for (const [, name = '', labels = '', value] of text.matchAll(VALUE)) {
    // What has not been measured yet is NaN.
    if (!Number.isFinite(Number(value))) continue;
    const key = labelled(name, labels, instance);
    series.set(key, Number(value));
    const type = types.get(name) ?? types.get(name.replace(/_(bucket|sum|count)$/, ''));
    if (type !== 'gauge') rising.add(key);
  }
  return { series, rising };
}

const labelled = (name: string, labels: string, instance: string): string =>
  `${name}{${labels === '' ? '' : `${labels},`}job="tsudoi",instance="${instance}"}`;

/** As several processes of one installation. */
export const together = (scrapes: readonly Scrape[]): Scrape => ({
  series: new Map(scrapes.flatMap(({ series }) => [...series])),
  rising: new Set(scrapes.flatMap(({ rising }) => [...rising])),
});

/** A value of an expression: its labels. */
export type Sample = Readonly<Record<string, string>>;

export interface Evaluated {
  readonly before: Scrape;
  readonly after: Scrape;
  /** A file. The alerts of these rules can be in the expressions, as `ALERTS`. */
  readonly rules?: string;
  /** It has happened once, three minutes before the end. Default: every minute. */
  readonly once?: boolean;
}

/**
 * The values of each expression after an hour in which what happened between the scrapes has happened again every
 * minute. Throws if one of them is not PromQL.
 */
export async function evaluate(
  expressions: readonly string[],
  { before, after, rules, once = false }: Evaluated,
): Promise<ReadonlyMap<string, readonly Sample[]>> {
  const input = [...after.series].map(([key, value]) => {
    // A series that the first scrape does not have is missing there, and not 0.
    if (once) return { series: key, values: `${before.series.get(key) ?? '_'}x${MINUTES - 3} ${value}x3` };
    const from = before.series.get(key) ?? 0;
    const values = after.rising.has(key) ? `${from}+${value - from}x${MINUTES}` : `${value}x${MINUTES}`;
    return { series: key, values };
  });
  const directory = await mkdtemp(join(tmpdir(), 'tsudoi-promtool-'));
  const file = join(directory, 'test.yml');
  const queries = expressions.map((expr) => ({ expr, eval_time: `${MINUTES}m`, exp_samples: [] }));
  const tests = [{ interval: '1m', input_series: input, promql_expr_test: queries }];
  const files = defined({ rule_files: rules === undefined ? undefined : [rules] });
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ ...files, evaluation_interval: '1m', tests }));
  try {
    await promisify(execFile)('promtool', ['test', 'rules', file]);
    return samplesIn('', expressions);
  } catch (error) {
    // It says what there is instead of the nothing that the test expects.
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const said = stdout + stderr;
    if (!said.includes('got:') || said.includes('err:'))
      throw new Error(`promtool: ${said}`, { cause: error });
    return samplesIn(said, expressions);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const RESULT = /expr: ("(?:[^"\\]|\\.)*"), time: [^\s,]+,\s+exp: ?nil\s+got: ?(.*)/g;

function samplesIn(said: string, expressions: readonly string[]): ReadonlyMap<string, readonly Sample[]> {
  const found = new Map([...said.matchAll(RESULT)].map(([, name = '', got = '']) => [name, got]));
  return new Map(
    expressions.map((expr) => {
      const got = found.get(JSON.stringify(expr)) ?? '';
      return [expr, [...got.matchAll(/\{(.*?)\} [-+\w.]+/g)].map(([, labels = '']) => labelsOf(labels))];
    }),
  );
}

const labelsOf = (text: string): Sample =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
