import { setMaxListeners } from 'node:events';
import { type Clock, sleep } from '../../core/clock.ts';
import { createBudget } from '../../jobs/budget.ts';

/** A page of a scan is 1 MB: 256 units. */
export const PAGE_UNITS = 256;
/** Read units for each write unit of the rate. */
const READS_PER_WRITE = 4;
/** How soon another rate is noticed, in milliseconds. */
const LOOK_MS = 500;

export type Throttle = ReturnType<typeof createThrottle>;

/** Units of a rate that may change at any time. */
export function createThrottle(
  rate: number,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
) {
  // Everyone who waits listens to it.
  setMaxListeners(0, signal);
  let current = budgets(rate);
  let payments = 0;

  function budgets(writes: number) {
    const budget = (units: number) =>
      createBudget({
        rates: { ofJob: units, inAll: units, ofPartition: units },
        now: () => clock.now(),
      });
    return { rate: writes, writes: budget(writes), reads: budget(writes * READS_PER_WRITE) };
  }

  return {
    /** Resolves when these units may be used, or the signal is aborted. */
    async pay(what: 'reads' | 'writes', units: number): Promise<void> {
      for (let isPaid = false; !isPaid && !signal.aborted; ) {
        const mine = current;
        const name = `${what} ${payments++}`;
        const at = mine[what].reserve(name, new Map([['all', units]]));
        while (mine === current && clock.now() < at && !signal.aborted) {
          await sleep(clock, Math.min(LOOK_MS, at - clock.now()), signal);
        }
        mine[what].settle(name, units);
        isPaid = mine === current;
      }
    },
    change(next: number): void {
      if (next !== current.rate) current = budgets(next);
    },
  };
}
