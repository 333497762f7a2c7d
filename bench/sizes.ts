/** What requests cost with little and with much data: for the benches that show that the amount does not matter. */
import type { Cost } from '../src/dynamo/metering.ts';
import { percentile, type Row, rounded } from './support.ts';

const WARM_UP = 10;
const REQUESTS = 50;
/** How often each request is sent. */
export const RUNS = WARM_UP + REQUESTS;

export interface Measured {
  readonly read: number;
  readonly write: number;
  readonly ms: number;
  readonly roundTrips?: number | undefined;
}

/**
 * A row for each request, of growing amounts of data, at least two. Throws if its units with any of them differ by more
 * than one from those with the least, or its round trips, if they were counted, at all.
 */
export function compareSizes(sizes: ReadonlyArray<Readonly<Record<string, Measured>>>, time: string): Row[] {
  return Object.keys(sizes[0] ?? {}).map((name) => {
    const measured = sizes.map((size) => {
      const one = size[name];
      if (one === undefined) throw new Error(`${name} was not measured at every size.`);
      return one;
    });
    const all = (of: (one: Measured) => number) => measured.map(of);
    const differ = (units: readonly number[]) => units.some((one) => Math.abs(one - (units[0] ?? 0)) > 1);
    const [read, write, ms] = [all((one) => one.read), all((one) => one.write), all((one) => one.ms)];
    const trips = measured.map(({ roundTrips }) => roundTrips);
    if (differ(read) || differ(write) || new Set(trips).size > 1)
      throw new Error(`${name}: ${JSON.stringify(measured)}`);
    return {
      request: name,
      ...(trips[0] === undefined ? {} : { 'round trips': trips.join(', ') }),
      'read units': read.join(', '),
      'write units': write.join(', '),
      [time]: ms.map((one) => rounded(one)).join(', '),
      'time, most / fewest': rounded((ms.at(-1) ?? 0) / (ms[0] ?? 0), 2),
    };
  });
}

export const unitsOf = (costs: readonly Cost[]) => ({
  read: costs.reduce((sum, { readUnits }) => sum + readUnits, 0),
  write: costs.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
});

/**
 * Sends each request one after the other: the median of its times, and the units of the last one, which `costs`
 * receives.
 */
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
