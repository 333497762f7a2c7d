import { type Timestamp, toTimestamp } from '../../../core/timestamps.ts';
import type { Random } from './random.ts';

/** Turns milliseconds since 1970 into timestamps that always rise. The microseconds are random. */
export type RisingTimestamps = (ms: number) => Timestamp;

/** The first timestamp is later than `after` (microseconds). */
export function createRisingTimestamps(random: Random, after = 0): RisingTimestamps {
  let last = after;
  return (ms) => {
    last = Math.max(Math.floor(ms) * 1000 + random.int(0, 999), last + 1);
    return toTimestamp(last);
  };
}

/**
 * `count` times after `from`, `mean` milliseconds apart on average, or less if they would not fit before `until`. All
 * in milliseconds since 1970.
 */
export function laterTimes({ from, until, count, mean }: LaterTimesOptions, random: Random): number[] {
  const gaps = Array.from({ length: count }, () => random.exponential(mean));
  const all = gaps.reduce((sum, gap) => sum + gap, 0);
  const scale = Math.min(1, Math.max(0, until - from) / Math.max(all, 1));
  let at = from;
  return gaps.map((gap) => {
    at += gap * scale;
    return at;
  });
}

export interface LaterTimesOptions {
  readonly from: number;
  readonly until: number;
  readonly count: number;
  readonly mean: number;
}
