/** The times for which users plan something: from one minute to five years ahead. */
import { type TsudoiError, wrongFields } from './errors.ts';
import { DAY_S } from './timestamps.ts';

const AHEAD_MIN_MS = 60_000;
const AHEAD_MAX_MS = 5 * 365.25 * DAY_S * 1_000;
/** A request for the shortest time takes a moment itself, and clocks differ. */
const LATE_MS = 5_000;

/** For descriptions. */
export const AHEAD = 'from one minute to five years ahead, `BAD_USER_INPUT` otherwise';

/** BAD_USER_INPUT if `at` (milliseconds since 1970) is too near or too far. */
export function wrongTime(field: string, at: number, now: number): TsudoiError | undefined {
  const ahead = at - now;
  if (ahead >= AHEAD_MIN_MS - LATE_MS && ahead <= AHEAD_MAX_MS) return undefined;
  return wrongFields([{ field, message: `\`${field}\` must be from one minute to five years ahead.` }]);
}
