import type { AlertsQuery, Weekday } from '../generated/graphql.ts';

type Settings = Readonly<AlertsQuery['viewer']['deliverySettings']>;
type Hours = NonNullable<Settings['quietHours']>;

/** Whether the viewer wants to be left alone now: a pause, or their quiet hours. */
export function isQuiet({ pausedUntil, quietHours }: Settings, now: Date): boolean {
  return isPaused({ pausedUntil }, now) || (quietHours !== null && isWithin(quietHours, now));
}

/** A pause holds back reminders as well. */
export const isPaused = ({ pausedUntil }: Pick<Settings, 'pausedUntil'>, now: Date): boolean =>
  pausedUntil !== null && Date.parse(pausedUntil) > now.getTime();

const DAYS: readonly Weekday[] = [
  ...(['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const),
];

/** By the clock of their time zone. Hours over midnight belong to the day on which they begin. */
function isWithin({ from, to, days, timeZone }: Hours, now: Date): boolean {
  const local = localTime(timeZone, now);
  if (local === undefined) return false;
  const { day, time } = local;
  const beginsOn = (index: number) => {
    const name = DAYS[(index + DAYS.length) % DAYS.length];
    return name !== undefined && days.includes(name);
  };
  if (from < to) return from <= time && time < to && beginsOn(day);
  return (time >= from && beginsOn(day)) || (time < to && beginsOn(day - 1));
}

/** `day`: 0 is Sunday. `time`: `HH:MM`. Undefined if this browser does not know the zone. */
function localTime(timeZone: string, now: Date) {
  try {
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, value]));
    const weekday = parts.get('weekday')?.toUpperCase();
    const day = (DAYS as readonly (string | undefined)[]).indexOf(weekday);
    return { day, time: `${parts.get('hour')}:${parts.get('minute')}` };
  } catch {
    return undefined;
  }
}
