import { type Clock, systemClock } from './clock.ts';
import type { Health } from './health.ts';

export interface EveryOptions {
  readonly clock?: Clock;
  /** Receives the outcome of each run. Without it, failures are ignored. */
  readonly health?: Health;
}

/**
 * Runs `work` again and again, `ms` after the last run ended, and for the first time `ms` from now. So at most one runs
 * at a time. Returns the function that ends it, which resolves when no run is in progress.
 */
export function every(
  ms: number,
  work: () => Promise<unknown>,
  { clock = systemClock, health }: EveryOptions = {},
): () => Promise<void> {
  let stopped = false;
  let running: Promise<void> | undefined;
  let cancel = clock.after(ms, start);

  function start(): void {
    running = run();
  }

  async function run(): Promise<void> {
    try {
      await work();
      health?.worked();
    } catch (error) {
      health?.failed(error);
    }
    running = undefined;
    if (!stopped) cancel = clock.after(ms, start);
  }

  return async () => {
    stopped = true;
    cancel();
    await running;
  };
}
