import type { Identity } from '../core/identity.ts';
import type { Item } from '../dynamo/item.ts';
import { type Key, keys } from '../dynamo/keys.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';

/** The tokens that a revocation refuses. */
export type Target =
  /**
   * All tokens of this subject that were issued until `before` (seconds since 1970) or do not say when. `own`: the user
   * signed out everywhere.
   */
  | { readonly sub: string; readonly before: number; readonly own?: true }
  /** The token with this id. */
  | { readonly jti: string }
  /** All tokens of this user, also those that are issued later: the account was deleted. */
  | { readonly user: string };

/** Refuses tokens that are otherwise valid. */
export type Revocation = Target & {
  /** Counts revocations in the order in which they were made: 1, 2, … */
  readonly number: number;
  /** Seconds since 1970. By then the tokens have expired by themselves. */
  readonly expiresAt: number;
};

/** Whether it refuses a token of its subject or user. */
export const covers = (target: Target, { jti, issuedAt = 0 }: Pick<Identity, 'jti' | 'issuedAt'>): boolean =>
  'user' in target || ('jti' in target ? target.jti === jti : issuedAt <= target.before);

/** An operator made it: it may last for years, so their number has a bound. Those of users end after an hour. */
export const isOperators = (target: Target): boolean => !('user' in target) && !('own' in target);

export const revocationItem = ({ number, ...rest }: Revocation): Key & Item => ({
  ...keys.revocation(number),
  v: FIRST_SHAPE,
  ...rest,
});

export function revocationOf(number: number, item: Item): Revocation {
  const expiresAt = item.expiresAt as number;
  if (typeof item.user === 'string') return { number, expiresAt, user: item.user };
  return typeof item.jti === 'string'
    ? { number, expiresAt, jti: item.jti }
    : {
        number,
        expiresAt,
        sub: item.sub as string,
        before: item.before as number,
        ...(item.own === true ? { own: true } : {}),
      };
}
