const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** The times to choose from, in seconds. */
const DURATIONS = [
  0,
  10,
  MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  12 * HOUR,
  DAY,
  7 * DAY,
];

/** The times to choose from, with the current one, which the operator or another client may have set. */
export const durationsWith = (seconds: number): number[] =>
  [...new Set([...DURATIONS, seconds])].sort((a, b) => a - b);

/** "10 minutes", in the largest unit that is exact. */
export function durationIn(language: string, seconds: number): string {
  const [size, unit] =
    UNITS.find(([one]) => seconds % one === 0 && seconds >= one) ?? ([1, 'second'] as const);
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size);
}

/** The unit of which this is exactly one: "once a minute" reads better than "once every 1 minute". */
export const unitOf = (seconds: number): string => UNITS.find(([one]) => one === seconds)?.[1] ?? 'several';

const UNITS = [
  [DAY, 'day'],
  [HOUR, 'hour'],
  [MINUTE, 'minute'],
] as const;
