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
