import { type Timestamp, toTimestamp } from '../../../core/timestamps.ts';
import type { Random } from './random.ts';

/** Milliseconds since 1970 → stamps that rise, whatever the times do; the microseconds are made up. */
export type Ticks = (ms: number) => Timestamp;

/** The first one is later than `after` (microseconds). */
export function createTicks(random: Random, after = 0): Ticks {
  let last = after;
  return (ms) => {
    last = Math.max(Math.floor(ms) * 1000 + random.int(0, 999), last + 1);
    return toTimestamp(last);
  };
}

/**
 * So many times in a row behind `from`, `mean` milliseconds apart on average; closer together where they would
 * not all fit before `until`.
 */
export function following({ from, until, count, mean }: Following, random: Random): number[] {
  const gaps = Array.from({ length: count }, () => random.exponential(mean));
  const all = gaps.reduce((sum, gap) => sum + gap, 0);
  const scale = Math.min(1, Math.max(0, until - from) / Math.max(all, 1));
  let at = from;
  return gaps.map((gap) => {
    at += gap * scale;
    return at;
  });
}

export interface Following {
  readonly from: number;
  readonly until: number;
  readonly count: number;
  readonly mean: number;
}
