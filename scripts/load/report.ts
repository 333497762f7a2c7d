import { riseOf, type Units } from './metrics.ts';
import { type Counts, countOf, type Load, percentile, type Times } from './plan.ts';

export interface Outcome {
  readonly counts: Counts;
  readonly load: Load;
  /** How many people were online. */
  readonly live: number;
  /** Undefined if `/metrics` could not be read. */
  readonly units: { readonly before: Units; readonly after: Units } | undefined;
  readonly readersOf: (room: string) => number;
}

const PATTERNS = 8;

/** Prints what happened, and returns the exit code. */
export function report(
  { counts, load, live, units, readersOf }: Outcome,
  print: (line: string) => void,
): number {
  const sent = Object.values(counts.sent).reduce((sum, one) => sum + one, 0);
  const expected = Object.entries(counts.sent).reduce((sum, [room, n]) => sum + n * readersOf(room), 0);
  const missing = expected - counts.received;
  const errors = Object.entries(counts.errors);
  print('');
  print(row('', 'number', 'a second', 'p50, ms', 'p99, ms'));
  for (const [name, times] of [
    ['messages acknowledged', counts.acknowledged],
    ['messages at readers', counts.delivered],
    ['pages read', counts.reads],
  ] as const) {
    print(rowOf(name, times, load.seconds));
  }
  print('');
  print(`missing at readers: ${Math.max(0, missing)} of ${expected}`);
  print(`errors: ${errors.length === 0 ? 'none' : errors.map(([code, n]) => `${n} ${code}`).join(', ')}`);
  printUnits(units, sent, print);
  return errors.length === 0 && missing <= 0 && sent > 0 && live === load.people ? 0 : 1;
}

function printUnits(units: Outcome['units'], sent: number, print: (line: string) => void): void {
  if (units === undefined) {
    print('units of DynamoDB: unknown, because /metrics cannot be read');
    return;
  }
  print('');
  print(row('units of DynamoDB for each message', 'read', 'write'));
  const rise = riseOf(units.before, units.after);
  const each = (value: number) => (value / Math.max(1, sent)).toFixed(2);
  for (const [pattern, read, write] of rise.slice(0, PATTERNS))
    print(row(`  ${pattern}`, each(read), each(write)));
  const read = rise.reduce((sum, [, one]) => sum + one, 0);
  const write = rise.reduce((sum, [, , one]) => sum + one, 0);
  print(row('  all, with reads and background work', each(read), each(write)));
}

const rowOf = (name: string, times: Times, seconds: number): string => {
  const count = countOf(times);
  const ms = (share: number) => String(percentile(times, share) ?? '–');
  return row(name, String(count), (count / seconds).toFixed(1), ms(0.5), ms(0.99));
};

const row = (name: string, ...cells: readonly string[]): string =>
  `${name.padEnd(38)}${cells.map((cell) => cell.padStart(10)).join('')}`;
