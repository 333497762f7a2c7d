import type { ServerResponse } from 'node:http';
import type { OperationTypeNode } from 'graphql';
import { TsudoiError } from '../../core/errors.ts';
import { type GiveBack, type Holder, holderOfPlace, type UserUsage } from '../../core/rateLimits.ts';

/** Each further mebibyte of a result counts as one more operation until it has been sent. */
const BYTES_PER_PLACE = 1_048_576;
/** After a result of usual length has been sent. */
const AGAIN_MS = 1_000;

/** A result that waits for its reader. */
export interface UnsentResult {
  readonly holder: Holder;
  /** Undefined if the operation was refused before its document was read. */
  readonly type: OperationTypeNode | undefined;
  readonly bytes: number;
}

/**
 * Counts a result that waits for its reader. The operation itself has a place, in which a mebibyte fits. Throws
 * RATE_LIMITED. A user who asks for much and reads nothing would otherwise have the server hold all of it. The result
 * of a mutation is never refused: it is done, and a client that takes it for refused would do it again.
 */
export function holdUnsent(usage: UserUsage, { holder, type, bytes }: UnsentResult): GiveBack {
  const more = Math.ceil(bytes / BYTES_PER_PLACE) - 1;
  if (more < 1) return () => {};
  const owner = holderOfPlace(holder);
  if (type === 'mutation') return usage.add('operations', owner, more);
  const giveBack = usage.extend('operations', owner, more);
  if (giveBack !== undefined) return giveBack;
  const message = 'You have not read enough of your results yet. Read them, or ask for smaller pages.';
  throw new TsudoiError('RATE_LIMITED', message, { retryAfterMs: AGAIN_MS });
}

/** Gives places back when the response is closed: now, if its client has left already. */
export function holdUntilClosed(response: ServerResponse, giveBack: GiveBack): void {
  if (response.destroyed) giveBack();
  else response.once('close', giveBack);
}
