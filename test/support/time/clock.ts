import type { Clock } from '../../../src/core/clock.ts';

/** A clock that moves only by `advance`, and calls its timers in the order in which they are due. */
export function createTestClock(): Clock & { advance(ms: number): void; readonly waiting: number } {
  let now = 0;
  const timers = new Set<{ readonly due: number; readonly call: () => void }>();
  return {
    now: () => now,
    after(ms, call) {
      const timer = { due: now + ms, call };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      const until = now + ms;
      for (;;) {
        const [next] = [...timers].sort((a, b) => a.due - b.due);
        if (next === undefined || next.due > until) break;
        timers.delete(next);
        now = Math.max(now, next.due);
        next.call();
      }
      now = until;
    },
    get waiting() {
      return timers.size;
    },
  };
}

/** A real clock whose short waits take at most 2 ms, so that backoffs do not slow a test down. */
export const hastyClock: Clock = {
  now: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms > 2_000 ? ms : Math.min(ms, 2));
    return () => clearTimeout(timer);
  },
};

/**
 * A clock that moves only by waits, and leaps to the end of the first one when nothing else is at work. So an hour of
 * waits takes no time, and work takes none of the clock's. `during` runs work.
 */
export function createLeapingClock(): Clock & { during<T>(work: () => Promise<T>): Promise<T> } {
  const clock = createTestClock();
  const dues = new Set<{ readonly due: number }>();
  let working = 0;
  let isLeaping = false;

  function leap(): void {
    isLeaping = dues.size > 0;
    if (!isLeaping) return;
    if (working === 0) clock.advance(Math.min(...[...dues].map(({ due }) => due)) - clock.now());
    setImmediate(leap);
  }

  return {
    now: clock.now,
    after(ms, call) {
      const wait = { due: clock.now() + ms };
      dues.add(wait);
      const cancel = clock.after(ms, () => {
        dues.delete(wait);
        call();
      });
      if (!isLeaping) setImmediate(leap);
      isLeaping = true;
      return () => {
        dues.delete(wait);
        cancel();
      };
    },
    async during(work) {
      working++;
      try {
        return await work();
      } finally {
        working--;
      }
    },
  };
}
