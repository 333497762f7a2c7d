import { LRUCache } from 'lru-cache';
import { accountDeleted, invalidToken } from '../core/errors.ts';
import { type Identity, userIdOf } from '../core/identity.ts';
import type { ConsistentLoader } from '../dynamo/itemLoader.ts';
import { hashed, keys } from '../dynamo/keys.ts';
import type { Claims } from './claims.ts';
import { SAID_MAX } from './tokenFields.ts';
import type { TokenProfiles } from './tokenProfiles.ts';

export type TokenClaims = Claims & Pick<Identity, 'email' | 'emailVerified'>;

/** How many users this process remembers to have a profile, and for how long. */
const KNOWN_MAX = 100_000;
export const KNOWN_MS = 30 * 60_000;
/** How many deleted accounts whose tokens still come are remembered, and for how long. */
const DELETED_MAX = 10_000;
const DELETED_MS = 30_000;

export interface ArrivalsOptions {
  /** Reads the profiles of users who arrive together in one request. */
  readonly items: ConsistentLoader;
  readonly profiles: TokenProfiles;
  /** See `UsersOptions`. */
  readonly onToken?: ((id: string, token: TokenClaims) => Promise<unknown>) | undefined;
}

/** Lets users in, and remembers them, so that most requests read nothing. */
export function createArrivals({ items, profiles, onToken }: ArrivalsOptions) {
  /** By subject. To compute an id costs a hash. */
  const known = new LRUCache<string, KnownUser>({ max: KNOWN_MAX, ttl: KNOWN_MS });
  /** The calls of `ensure` that wait for the table, by the claims: all operations of a token have the same object. */
  const arriving = new Map<TokenClaims, Promise<string>>();
  const deleted = new LRUCache<string, true>({ max: DELETED_MAX, ttl: DELETED_MS });

  /**
   * The user's id. The first call for a new `sub` creates the profile. A newer token may change it: see
   * `tokenFields.ts`. Reads nothing if the id is known and the token is not newer than the last one, or says the same
   * in the same second; otherwise the profile, also if the token says what the last one said. Throws ACCOUNT_DELETED,
   * and UNAUTHENTICATED for a token from before the user signed out everywhere. Calls with the same `claims` object
   * share a read and its failure. It may have begun before the call: a user who is known is not read again, either.
   */
  async function ensure(claims: TokenClaims): Promise<string> {
    const id = knownId(claims);
    if (id !== undefined) return id;
    // The operations of a new socket come together.
    const pending = arriving.get(claims);
    if (pending !== undefined) return pending;
    const isCurrent = () => arriving.get(claims) === arrival;
    const arrival: Promise<string> = arrive(claims, isCurrent).finally(
      () => isCurrent() && arriving.delete(claims),
    );
    arriving.set(claims, arrival);
    return arrival;
  }

  /** The id if nothing has to be read. Throws as `ensure`. */
  function knownId(claims: TokenClaims): string | undefined {
    const { sub, issuedAt = 0 } = claims;
    const before = known.get(sub);
    if (before === undefined) {
      if (deleted.has(sub)) throw accountDeleted();
      return undefined;
    }
    refuseSignedOut(before.signedOutAt, issuedAt);
    if (issuedAt < before.tokenAt || claims === before.latest) return before.id;
    if (issuedAt > before.tokenAt) return undefined;
    return issuedAt === 0 || before.claimHashes.includes(hashOfClaims(claims)) ? before.id : undefined;
  }

  /**
   * Reads the profile, and creates or updates it. `isCurrent`: false after `forget`; the result is not remembered then.
   */
  async function arrive(claims: TokenClaims, isCurrent: () => boolean): Promise<string> {
    const { sub, issuedAt = 0 } = claims;
    const id = userIdOf(sub);
    const item = await items.load(keys.user(id));
    if (item?.deletedAt !== undefined) {
      known.delete(sub);
      deleted.set(sub, true);
      throw accountDeleted();
    }
    const signedOutAt = item?.signedOutAt as number | undefined;
    refuseSignedOut(signedOutAt, issuedAt);
    // Also if the token says what the last one said here: another server may have taken over something else since then.
    await (item === undefined ? profiles.create(id, claims) : profiles.follow(id, item, claims));
    await onToken?.(id, claims);
    if (!isCurrent()) return id;
    const before = known.get(sub);
    // A newer token was read first.
    if (before !== undefined && before.tokenAt > issuedAt) return id;
    const earlier = before?.tokenAt === issuedAt ? before.claimHashes.slice(1 - SAID_MAX) : [];
    known.set(sub, {
      id,
      latest: claims,
      claimHashes: [...earlier, hashOfClaims(claims)],
      tokenAt: issuedAt,
      signedOutAt,
    });
    return id;
  }

  /** This process reads the profile again before it lets the subject in. */
  function forget(sub: string): void {
    known.delete(sub);
    for (const claims of arriving.keys()) if (claims.sub === sub) arriving.delete(claims);
    deleted.delete(sub);
  }

  return { ensure, forget };
}

/** A user who has sent a request to this process. */
interface KnownUser {
  readonly id: string;
  /** The newest token's claims, so that its next requests need no hash: a verified token is kept with them. */
  latest: TokenClaims;
  /** Hashes of what the newest tokens said, all of the same second. */
  claimHashes: readonly string[];
  tokenAt: number;
  readonly signedOutAt: number | undefined;
}

const hashOfClaims = ({ handle, name, picture, locale, email, emailVerified }: TokenClaims): string =>
  hashed(JSON.stringify([handle, name, picture, locale, email, emailVerified]));

function refuseSignedOut(signedOutAt: number | undefined, issuedAt: number): void {
  if (signedOutAt !== undefined && issuedAt <= signedOutAt) throw invalidToken();
}
