/** Time as the consumer sees it; tests bring their own. */
export interface Clock {
  /** Milliseconds on a clock that never jumps; where it starts means nothing. */
  now(): number;
  /** Calls back once, `ms` from now. Returns the function that calls it off. */
  after(ms: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`, or as soon as the signal is aborted: the caller looks at the signal itself. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const end = () => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/**
 * Lets others cut a loop's waiting short: `clear`, do the work, `wait`, and again. A wake that comes after
 * `clear`, while the work is under way, ends the next wait at once; any number of wakes count as one.
 */
export interface Waker {
  /** Resolves to whether it was woken since `clear`. One waiter at a time. */
  wait(ms: number): Promise<boolean>;
  wake(): void;
  clear(): void;
}

export function createWaker(clock: Clock): Waker {
  let woken = false;
  let ring: (() => void) | undefined;
  return {
    async wait(ms) {
      if (!woken) {
        await new Promise<void>((resolve) => {
          const cancel = clock.after(ms, resolve);
          ring = () => {
            cancel();
            resolve();
          };
        });
        ring = undefined;
      }
      return woken;
    },
    wake() {
      woken = true;
      ring?.();
    },
    clear() {
      woken = false;
    },
  };
}
