import type { Clock } from './clock.ts';

/**
 * Lets other code end the wait of a loop early. The loop calls `clear`, works, calls `wait`, and repeats. A `wake`
 * during the work ends the next wait at once. Any number of wakes count as one.
 */
export interface WakeSignal {
  /** Waits `ms`, or until woken. Resolves to whether it was woken since `clear`. One waiter at a time. */
  wait(ms: number): Promise<boolean>;
  wake(): void;
  clear(): void;
}

export function createWakeSignal(clock: Clock): WakeSignal {
  let woken = false;
  let endWait: (() => void) | undefined;
  return {
    async wait(ms) {
      if (!woken) {
        await new Promise<void>((resolve) => {
          const cancel = clock.after(ms, resolve);
          endWait = () => {
            cancel();
            resolve();
          };
        });
        endWait = undefined;
      }
      return woken;
    },
    wake() {
      woken = true;
      endWait?.();
    },
    clear() {
      woken = false;
    },
  };
}
