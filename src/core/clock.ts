/** A clock and its timers. Tests have their own. */
export interface Clock {
  /** Milliseconds on a clock that never jumps. Only differences have a meaning. */
  now(): number;
  /** Calls back once, `ms` from now. Returns the function that cancels it. */
  after(ms: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`, or as soon as the signal is aborted; the caller checks the signal. */
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
 * What `work` resolves with, or `late` if it takes longer than this, in milliseconds. Rejects if `work` rejects in
 * time. After that the work goes on, and its result or error is ignored.
 */
export async function inTime<T, L>(clock: Clock, ms: number, work: Promise<T>, late: L): Promise<T | L> {
  work.catch(() => {});
  let cancel = () => {};
  const timedOut = new Promise<L>((resolve) => {
    cancel = clock.after(ms, () => resolve(late));
  });
  try {
    return await Promise.race([work, timedOut]);
  } finally {
    cancel();
  }
}
