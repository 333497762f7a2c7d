/** Microseconds since 1970 in 16 digits: timestamps sort as text until the year 2286. */
export type Timestamp = string;

const TIMESTAMP = /^\d{16}$/;

export const isTimestamp = (text: string): boolean => TIMESTAMP.test(text);
export const toTimestamp = (micros: number): Timestamp => String(micros).padStart(16, '0');
export const microsOf = (timestamp: Timestamp): number => Number(timestamp);
/** Milliseconds as whole seconds, in which DynamoDB counts the time to live (`expiresAt`). */
export const secondsOf = (ms: number): number => Math.floor(ms / 1_000);
/** The seconds of a day. */
export const DAY_S = 24 * 3600;

/** The timestamp as the API returns it: to the millisecond, rounded down. */
export const toDate = (timestamp: Timestamp): Date => new Date(Math.floor(microsOf(timestamp) / 1000));

/** The last millisecond whose timestamps have 16 digits. */
const LATEST_MS = 9_999_999_999_999;

/** The first timestamp of a millisecond; of one before 1970, or long after, the nearest that there is. */
export const firstTimestampOf = (date: Date): Timestamp =>
  toTimestamp(Math.min(Math.max(0, Math.trunc(date.getTime())), LATEST_MS) * 1000);

/** A clock for keys: one process never returns the same timestamp twice, except for a floor. */
export interface Timestamps {
  /**
   * Returns a timestamp of at least `floor` microseconds: what must come after something is later than it,
   * however far the clocks of two servers differ. A floor ahead of the clock is returned as it is and does not
   * advance the clock, so two calls may return the same value there; every key made of a timestamp is written
   * on a condition.
   */
  next(floor?: number): Timestamp;
}

export function createTimestamps(now: () => number = Date.now): Timestamps {
  let last = 0;
  return {
    next(floor = 0) {
      const next = Math.max(now() * 1000, last + 1);
      if (floor > next) return toTimestamp(floor);
      last = next;
      return toTimestamp(next);
    },
  };
}
