import { DAY_S } from './timestamps.ts';

const PATTERN = /^(\d{1,6})([smhd])$/;
const SECONDS_PER_UNIT: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: DAY_S };

/**
 * The seconds in a text such as `10s`, `5m`, `24h` or `7d`: whole numbers of at most six digits. Undefined for others.
 */
export function parseSeconds(text: string): number | undefined {
  const [, count, unit = ''] = PATTERN.exec(text) ?? [];
  const seconds = SECONDS_PER_UNIT[unit];
  return seconds === undefined ? undefined : Number(count) * seconds;
}
