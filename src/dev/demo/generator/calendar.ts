import { type Random, sums } from './random.ts';

/** Milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

const HOUR_MS = 3_600_000;
/** How much is said in each hour of a working day, and how much of it on other days. */
const HOURS = [1, 0, 0, 0, 0, 1, 3, 8, 20, 34, 38, 32, 18, 26, 34, 36, 32, 24, 14, 9, 7, 6, 4, 2];
const DAYS_OFF = 0.15;
/** After so many minutes without a word the next one begins another conversation. */
const PAUSE = { chance: 0.12, mean: 90 };
const WITHIN_MEAN = 1.5;

/**
 * When people in one place write: by day rather than by night, on working days rather than at weekends (in
 * the room's own time zone), and in bursts.
 */
export function createCalendar({ from, until }: Span, offsetHours: number) {
  const hours = Math.ceil((until - from) / HOUR_MS);
  const busy = sums(
    Array.from({ length: hours }, (_, i) => {
      const there = new Date(from + (i + offsetHours) * HOUR_MS);
      const off = there.getUTCDay() % 6 === 0;
      // Never nothing: somebody is always awake.
      return ((HOURS[there.getUTCHours()] ?? 0) + 0.2) * (off ? DAYS_OFF : 1);
    }),
  );
  const total = busy.at(-1) ?? 0;

  /** 0 to 1, how much of all the talking is over → milliseconds since 1970. */
  function at(part: number): number {
    const target = part * total;
    let [low, high] = [0, hours - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((busy[middle] ?? 0) >= target) high = middle;
      else low = middle + 1;
    }
    const before = low === 0 ? 0 : (busy[low - 1] ?? 0);
    const within = (target - before) / Math.max((busy[low] ?? 0) - before, Number.EPSILON);
    return Math.min(until, from + (low + Math.min(1, Math.max(0, within))) * HOUR_MS);
  }

  /** So many moments, in order. 8 bytes each. */
  function moments(count: number, random: Random): Float64Array {
    const gaps = sums(
      Array.from({ length: count + 1 }, () =>
        random.exponential(random.chance(PAUSE.chance) ? PAUSE.mean : WITHIN_MEAN),
      ),
    );
    const all = gaps.at(-1) ?? 1;
    return gaps.subarray(0, count).map((gap) => at(gap / all));
  }

  return { at, moments };
}
