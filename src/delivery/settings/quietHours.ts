/** When a person wants to be left alone, by the clock of their time zone. */
export interface QuietHours {
  /** Minutes after midnight. Over midnight if `from` is later than `to`. They differ. */
  readonly from: number;
  readonly to: number;
  /** A name of the IANA database, such as `Asia/Tokyo`. */
  readonly timeZone: string;
  /** The days on which they begin. 0 is Sunday. */
  readonly days: readonly number[];
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * The first instant from `at` on at which the local clock is outside of the quiet hours, in milliseconds since 1970.
 * Returns `at` if it is outside. A clock that is put back may be inside again later.
 */
export function endOfQuietHours(hours: QuietHours, at: number): number {
  const offsetAt = offsetsOf(hours.timeZone);
  const offset = offsetAt(at);
  if (!isQuiet(hours, at + offset)) return at;
  const end = at + untilEnd(hours, at + offset);
  const change = changeBetween(offsetAt, at, end);
  // Until the clock is changed it runs like any other.
  if (change === undefined) return end;
  const changed = change + offsetAt(change);
  return isQuiet(hours, changed) ? change + untilEnd(hours, changed) : change;
}

/** `local`: the local clock, as if it were UTC. */
function isQuiet({ from, to, days }: QuietHours, local: number): boolean {
  const minute = minuteOf(local);
  const day = new Date(local).getUTCDay();
  if (from < to) return from <= minute && minute < to && days.includes(day);
  return (minute >= from && days.includes(day)) || (minute < to && days.includes((day + 6) % 7));
}

/** The milliseconds after which a clock that is inside shows `to`. */
const untilEnd = ({ to }: QuietHours, local: number): number =>
  (to * MINUTE_MS - (local % DAY_MS) + DAY_MS) % DAY_MS;

const minuteOf = (local: number): number => Math.floor((local % DAY_MS) / MINUTE_MS);

/** The shortest time from their end to the next ones, in milliseconds: at least a minute. */
export const betweenQuietHours = ({ from, to }: QuietHours): number =>
  ((from - to + 1_440) % 1_440) * MINUTE_MS;

type OffsetAt = (at: number) => number;

/** How many milliseconds the local clock is ahead of UTC. */
function offsetsOf(timeZone: string): OffsetAt {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    era: undefined,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
    const local = Date.UTC(
      ...([part('year'), part('month') - 1, part('day')] as const),
      ...([part('hour'), part('minute'), part('second')] as const),
    );
    return local - Math.floor(at / 1_000) * 1_000;
  };
}

/** The first instant with another offset, if there is one by `until`. Clocks change at most once in a day. */
function changeBetween(offsetAt: OffsetAt, at: number, until: number): number | undefined {
  const before = offsetAt(at);
  if (offsetAt(until) === before) return undefined;
  let [same, other] = [at, until];
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (offsetAt(middle) === before) same = middle;
    else other = middle;
  }
  return other;
}
