import { TsudoiError } from '../../core/errors.ts';
import type { Identity } from './auth.ts';

/**
 * Takes one request of a network's who has no good token out of what it may do: 0, or the milliseconds after which
 * there is one again.
 */
export type AnonymousLimit = (network: string) => Promise<number>;

/** Whether no good token was shown. One that cannot be checked just now may be good. */
export const isNobody = (identity: Promise<Identity | null>): Promise<boolean> =>
  identity.then((known) => known === null, isUnauthenticated);

export const isUnauthenticated = (error: unknown): boolean =>
  error instanceof TsudoiError && error.code === 'UNAUTHENTICATED';

export const tooMany = (retryAfterMs: number) =>
  new TsudoiError('RATE_LIMITED', 'Too many requests without a good token. Sign in, or try again later.', {
    retryAfterMs,
  });
