/** What requests cost with little and with much data: for the benches that show that the amount does not matter. */
import type { Cost } from '../src/dynamo/dynamo.ts';
import { percentile, type Row, rounded } from './support.ts';

const WARM_UP = 10;
const REQUESTS = 50;
/** How often each request is sent. */
export const RUNS = WARM_UP + REQUESTS;

export interface Measured {
  readonly read: number;
  readonly write: number;
  readonly ms: number;
}

/** A row for each request, of a small and a large amount of data. Throws if its units differ by more than one. */
export function compareSizes(
  few: Readonly<Record<string, Measured>>,
  many: Readonly<Record<string, Measured>>,
  time: string,
): Row[] {
  return Object.entries(few).map(([name, before]) => {
    const after = many[name];
    if (after === undefined) throw new Error(`${name} was not measured at the larger size.`);
    if (Math.abs(after.read - before.read) > 1 || Math.abs(after.write - before.write) > 1) {
      throw new Error(`${name}: ${JSON.stringify(before)}, ${JSON.stringify(after)}`);
    }
    return {
      request: name,
      'read units': `${before.read}, ${after.read}`,
      'write units': `${before.write}, ${after.write}`,
      [time]: `${rounded(before.ms)}, ${rounded(after.ms)}`,
      'time, many / few': rounded(after.ms / before.ms, 2),
    };
  });
}

export const unitsOf = (costs: readonly Cost[]) => ({
  read: costs.reduce((sum, { readUnits }) => sum + readUnits, 0),
  write: costs.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
});

/** Sends each request one after the other: the median of its times, and the units of the last one, which `costs` receives. */
export async function measureRequests(
  requests: Readonly<Record<string, () => Promise<unknown>>>,
  costs: Cost[],
): Promise<Record<string, Measured>> {
  const results: Record<string, Measured> = {};
  for (const [name, request] of Object.entries(requests)) {
    const times: number[] = [];
    for (let i = 0; i < RUNS; i++) {
      costs.length = 0;
      const start = performance.now();
      await request();
      if (i >= WARM_UP) times.push(performance.now() - start);
    }
    results[name] = { ...unitsOf(costs), ms: percentile(times, 50) };
  }
  return results;
}
