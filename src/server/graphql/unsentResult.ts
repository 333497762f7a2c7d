import { TsudoiError } from '../../core/errors.ts';
import type { GiveBack, Holder, UserUsage } from '../../core/rateLimits.ts';

/** Each further mebibyte of a result counts as one more operation until it has been sent. */
const BYTES_PER_PLACE = 1_048_576;
/** After a result of usual length has been sent. */
const AGAIN_MS = 1_000;

/**
 * Counts a result that waits for its reader. The operation itself has a place, in which a mebibyte fits. Throws RATE_LIMITED. A user who
 * asks for much and reads nothing would otherwise have the server hold all of it.
 */
export function holdUnsent(usage: UserUsage, holder: Holder, bytes: number): GiveBack {
  const more = Math.ceil(bytes / BYTES_PER_PLACE) - 1;
  if (more < 1) return () => {};
  const giveBack = usage.extend('operations', holder, more);
  if (giveBack !== undefined) return giveBack;
  const message = 'You have not read enough of your results yet. Read them, or ask for smaller pages.';
  throw new TsudoiError('RATE_LIMITED', message, { retryAfterMs: AGAIN_MS });
}
