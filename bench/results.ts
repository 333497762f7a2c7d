/** The tables of the last runs, by bench, in `results.json`. `chart.ts` draws them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import type { Row } from './support.ts';

const FILE = new URL('results.json', import.meta.url);

export interface Result {
  /** The day of the run. */
  readonly on: string;
  readonly node: string;
  /** How many processes wanted a core when the run ended, the benches' own included: the average of 5 minutes. */
  readonly load?: number;
  readonly rows: readonly Row[];
}

export const readResults = (): Readonly<Record<string, Result>> =>
  existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Result>) : {};

/** Replaces the result of this bench. The results of the others stay. */
export function recordResult(bench: string, rows: readonly Row[]): void {
  const load = Math.round(loadavg()[1] ?? 0);
  const result: Result = { on: new Date().toISOString().slice(0, 10), node: process.version, load, rows };
  const all = Object.entries({ ...readResults(), [bench]: result }).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}
