import { type Random, sums } from './random.ts';

/** Milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

const HOUR_MS = 3_600_000;
/** The relative activity in each hour of a working day, and its factor for other days. */
const HOURS = [1, 0, 0, 0, 0, 1, 3, 8, 20, 34, 38, 32, 18, 26, 34, 36, 32, 24, 14, 9, 7, 6, 4, 2];
const DAYS_OFF = 0.15;
/** How often a message begins another conversation, and the minutes before it; then the minutes within one. */
const PAUSE = { chance: 0.12, mean: 90 };
const WITHIN_MEAN = 1.5;

/**
 * When people in one place write: by day more than by night, on working days more than on weekends (in the room's
 * time zone), and in bursts.
 */
export function createCalendar({ from, until }: Span, offsetHours: number) {
  const hours = Math.ceil((until - from) / HOUR_MS);
  const busy = sums(
    Array.from({ length: hours }, (_, i) => {
      const there = new Date(from + (i + offsetHours) * HOUR_MS);
      const off = there.getUTCDay() % 6 === 0;
      // Never 0: someone is always awake.
      return ((HOURS[there.getUTCHours()] ?? 0) + 0.2) * (off ? DAYS_OFF : 1);
    }),
  );
  const total = busy.at(-1) ?? 0;

  /** The time (milliseconds since 1970) at which this share of all activity, from 0 to 1, is over. */
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

  /** `count` times in order, of 8 bytes each. */
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
