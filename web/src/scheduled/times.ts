/** Times by the clock of a time zone, as in the fields of dialogs. */
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MORNING = '09:00';

export const inTwentyMinutes = (): Date => new Date(Date.now() + 20 * MINUTE_MS);

export const tomorrowMorning = (zone: string, now?: number): Date => tomorrowAt(MORNING, zone, now);

/** `time`: for example `09:00`. */
export function tomorrowAt(time: string, zone: string, now = Date.now()): Date {
  const tomorrow = new Date(now + offsetAt(zone, now) + DAY_MS).toISOString().slice(0, 10);
  return timeOf(`${tomorrow}T${time}`, zone);
}

/** The value of an `<input type="datetime-local">`. */
export const localValue = (date: Date, zone: string): string =>
  new Date(date.getTime() + offsetAt(zone, date.getTime())).toISOString().slice(0, 16);

/**
 * The time of such a value. Of a time that the clock shows twice, the first. A time that it leaves out is as much later
 * as the clock is put forward, as for `Date`.
 */
export function timeOf(value: string, zone: string): Date {
  const local = Date.parse(`${value}Z`);
  // Clocks change at most once in two days.
  const [before, after] = [offsetAt(zone, local - DAY_MS), offsetAt(zone, local + DAY_MS)];
  const times = [local - before, local - after].sort((one, other) => one - other);
  const shown = times.find((time) => time + offsetAt(zone, time) === local);
  return new Date(shown ?? local - before);
}

/** The first whole minute that the server accepts. */
export const earliest = (): Date => new Date(Math.ceil(Date.now() / MINUTE_MS + 1) * MINUTE_MS);

/** How many milliseconds the clock of the zone is ahead of UTC. */
function offsetAt(timeZone: string, at: number): number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  const local = Date.UTC(
    ...([part('year'), part('month') - 1, part('day')] as const),
    ...([part('hour'), part('minute'), part('second')] as const),
  );
  return local - Math.floor(at / 1_000) * 1_000;
}
