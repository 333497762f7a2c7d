import { accountDeleted, forbidden, unauthenticated } from '../core/errors.ts';
import type { Identity } from '../core/identity.ts';
import { secondsOf } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import { createRevocations } from '../revocations/revocations.ts';
import { KNOWN_MS } from '../users/arrivals.ts';
import { NOT_DELETED, type User, userOf } from '../users/user.ts';

export interface SignOutOptions {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * How long a revocation refuses the tokens and closes their connections on every server. Longer than a server remembers
 * that it knows a user: after that, it reads the profile, which says since when tokens are refused. So the list of
 * revocations does not grow with the number of users who have ever signed out everywhere.
 */
const REVOKED_S = (2 * KNOWN_MS) / 1_000;

/** How far an issuer's clock may be ahead of ours, in seconds. */
const AHEAD_S = 300;

export type SignOut = ReturnType<typeof createSignOut>;

export function createSignOut({ dynamo, now }: SignOutOptions) {
  const revocations = createRevocations({ dynamo, now });

  /**
   * Refuses all tokens of the user that were issued until now, for good. Two reads in one round trip, and one
   * transaction; nothing is written if the user has done the same in this second. Throws FORBIDDEN for a token that
   * does not say when it was issued: the next token of the same issuer would be refused as well.
   */
  const everywhere = (user: string, { sub, issuedAt }: Pick<Identity, 'sub' | 'issuedAt'>): Promise<User> =>
    dynamo.optimistic(async () => {
      if (issuedAt === undefined) {
        throw forbidden(
          'Tokens of this issuer do not say when they were issued, so only an operator can revoke them.',
        );
      }
      // The token of this request as well, if its issuer's clock is ahead.
      const before = Math.max(secondsOf(now()), Math.min(issuedAt, secondsOf(now()) + AHEAD_S));
      const [item, { writes }] = await Promise.all([
        dynamo.get(keys.user(user)),
        revocations.prepare({ sub, before, own: true }, before + REVOKED_S),
      ]);
      if (item === undefined) throw unauthenticated();
      const profile = userOf(user, item);
      if (profile.deletedAt !== undefined) throw accountDeleted();
      // Of two servers, one clock may be behind.
      if ((profile.signedOutAt ?? -1) >= before) return profile;
      const failed = await dynamo.tryTransact({
        ...writes,
        profile: {
          key: keys.user(user),
          update: 'SET signedOutAt = :before',
          condition: `attribute_exists(pk) AND ${NOT_DELETED} AND (attribute_not_exists(signedOutAt) OR signedOutAt < :before)`,
          values: { ':before': before },
        },
      });
      return failed === undefined ? { ...profile, signedOutAt: before } : AGAIN;
    });

  return { everywhere };
}
