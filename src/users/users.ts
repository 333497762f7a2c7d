import { LRUCache } from 'lru-cache';
import { accountDeleted, invalidToken, TsudoiError, unauthenticated } from '../core/errors.ts';
import { type Identity, userIdOf } from '../core/identity.ts';
import { createKeyedMutex } from '../core/keyedMutex.ts';
import type { RateLimit } from '../core/rateLimits.ts';
import { secondsOf, type Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { type ConsistentLoader, createConsistentLoader } from '../dynamo/itemLoader.ts';
import { handleList, hashed, keys } from '../dynamo/keys.ts';
import { AGAIN, type Again } from '../dynamo/optimistic.ts';
import type { Write } from '../dynamo/write.ts';
import type { PageRequest } from '../graphql/connections.ts';
import { type Claims, handlesFrom, profileOf } from './claims.ts';
import { findHandles } from './handleSearch.ts';
import { handleChange, handleHistoryOf, reserveHandle } from './handles.ts';
import type { ProfileCache } from './profileCache.ts';
import {
  handleAttributes,
  handleWrites,
  ownFields,
  type ProfileChanges,
  profileUpdate,
} from './profileUpdate.ts';
import { assumedTokenFields, newTokenFields, SAID_MAX, tokenChanges, tokenFieldsOf } from './tokenFields.ts';
import { HANDLE, normalizedHandle, type User, userItem, userOf } from './user.ts';

type TokenClaims = Claims & Pick<Identity, 'email' | 'emailVerified'>;

/** How many users this process remembers to have a profile. */
const KNOWN_MAX = 100_000;
/** For how long. Also how often at most this process stores that a newer token of a user confirms the profile. */
export const KNOWN_MS = 30 * 60_000;
/** How long this process does not try that again after it failed. */
const CONFIRM_AGAIN_MS = 60_000;
/** How many deleted accounts whose tokens still come are remembered, and for how long. */
const DELETED_MAX = 10_000;
const DELETED_MS = 30_000;

export type Users = ReturnType<typeof createUsers>;

export interface UsersOptions {
  readonly dynamo: Dynamo;
  /** Reads the profiles of users who arrive together in one request. By default, each is read alone. */
  readonly items?: ConsistentLoader;
  readonly timestamps: Timestamps;
  /** How often a user may change their handle. Absent: there is no limit. */
  readonly handleLimit?: RateLimit | undefined;
  /** Absent: no server is running. */
  readonly profileCache?: Pick<ProfileCache, 'changed'>;
  /** Called with the first token of a user that this process sees, and with newer ones. */
  readonly onToken?: (id: string, token: TokenClaims) => Promise<unknown>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export function createUsers({
  dynamo,
  items = createConsistentLoader(dynamo),
  timestamps,
  profileCache,
  handleLimit,
  onToken,
  now = Date.now,
}: UsersOptions) {
  /** By subject. To compute an id costs a hash. */
  const known = new LRUCache<string, KnownUser>({ max: KNOWN_MAX, ttl: KNOWN_MS });
  /** When this process may next store that a token of a user confirms the profile, in milliseconds since 1970. */
  const nextConfirmationAt = new LRUCache<string, number>({ max: KNOWN_MAX });
  const confirming = createKeyedMutex();
  /** The calls of `ensure` that wait for the table, by the claims: all operations of a token have the same object. */
  const arriving = new Map<TokenClaims, Promise<string>>();
  const deleted = new LRUCache<string, true>({ max: DELETED_MAX, ttl: DELETED_MS });
  const seconds = () => secondsOf(now());

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
    await (item === undefined ? create(id, claims) : follow(id, item, claims));
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

  type Followed = 'changed' | 'nothing';

  /**
   * Takes over what a newer token says: one transaction if it says something else than the profile. One that says the
   * same confirms the profile, which is stored. `read`: the profile's item.
   */
  async function follow(id: string, read: Item, claims: Claims): Promise<void> {
    let isConfirmation = false;
    const following = dynamo.optimistic(async (number): Promise<Followed | Again> => {
      const item = number === 0 ? read : await dynamo.get(keys.user(id));
      if (item === undefined || item.deletedAt !== undefined) return 'nothing';
      const user = userOf(id, item);
      const stored = tokenFieldsOf(item);
      if (stored === null) {
        const write = profileUpdate(user, item, assumedTokenFields(user, claims));
        return (await dynamo.tryTransact({ write })) === undefined ? 'nothing' : AGAIN;
      }
      const changes = tokenChanges(user, stored, claims);
      if (changes === null) return 'nothing';
      const { values, handles, after } = changes;
      isConfirmation = Object.keys(values).length === 0 && handles.length === 0;
      if (isConfirmation) return confirmProfile(id, profileUpdate(user, item, after));
      // Another user may have the first ones. The last one keeps the present handle.
      for (const handle of [...handles, user.handle]) {
        const change = changedHandle(user, item, handle);
        // If it may not change now, a later token may change it.
        const isLimited = change === undefined && handle !== user.handle;
        const { tokenHandle } = isLimited ? stored : after;
        const failed = await dynamo.tryTransact({
          profile: profileUpdate(user, item, {
            ...values,
            ...after,
            tokenHandle,
            ...(change === undefined ? {} : { handle, ...handleAttributes(user, change) }),
          }),
          ...handleWrites(change),
        });
        if (failed === undefined) return 'changed';
        if (failed.profile !== undefined || failed.reservation === undefined) return AGAIN;
      }
      return 'nothing';
    });
    const done = await following.catch((error: unknown): Followed => {
      // The request does not need the confirmation.
      if (isConfirmation) return 'nothing';
      throw error;
    });
    if (done === 'changed') await profileCache?.changed(id);
  }

  /**
   * Writes that a newer token confirms the profile, so that no server takes over an older one that it sees later. Once
   * in `KNOWN_MS`, also for requests that come together. Rejects if the database cannot write it.
   */
  const confirmProfile = (id: string, write: Write): Promise<Followed | Again> =>
    confirming.run(id, async () => {
      if (now() < (nextConfirmationAt.get(id) ?? 0)) return 'nothing';
      // If this fails, those that wait for it do not wait for a failure of their own.
      nextConfirmationAt.set(id, now() + CONFIRM_AGAIN_MS);
      const failed = await dynamo.tryTransact({ write });
      if (failed === undefined) nextConfirmationAt.set(id, now() + KNOWN_MS);
      else nextConfirmationAt.delete(id);
      return failed === undefined ? 'nothing' : AGAIN;
    });

  /** Undefined if the handle stays, or was changed too often to follow the provider now. */
  function changedHandle(user: User, item: Item, handle: string | null) {
    if (handle === user.handle) return undefined;
    try {
      const history = handleHistoryOf(item);
      return handleChange({
        user: user.id,
        from: user.handle,
        to: handle,
        now: now(),
        limit: handleLimit,
        history,
      });
    } catch (error) {
      if (error instanceof TsudoiError && error.code === 'RATE_LIMITED') return undefined;
      throw error;
    }
  }

  /** Does nothing if another request of the user has created it, perhaps with another token. */
  async function create(id: string, claims: Claims): Promise<void> {
    const user: User = {
      id,
      handle: null,
      ...profileOf(claims),
      timeZone: null,
      createdAt: timestamps.next(),
      rooms: 0,
      joinCount: 0,
      handleRev: 1,
    };
    for (const handle of [...handlesFrom(claims), null]) {
      const failed = await dynamo.tryTransact({
        profile: {
          put: { ...userItem({ ...user, handle }), ...newTokenFields(claims) },
          condition: 'attribute_not_exists(pk)',
        },
        reservation: handle === null ? undefined : reserveHandle(handle, id, seconds()),
      });
      // Otherwise the handle is taken.
      if (failed === undefined || failed.profile !== undefined) return;
    }
  }

  /**
   * Takes one read and one transaction. Throws HANDLE_TAKEN, RATE_LIMITED for too many handles, and `ContentionError`
   * if others keep changing the profile.
   */
  const update = (id: string, changes: ProfileChanges): Promise<User> =>
    dynamo.optimistic(async () => {
      const item = await dynamo.get(keys.user(id));
      if (item === undefined) throw unauthenticated();
      if (item.deletedAt !== undefined) throw accountDeleted();
      const before = userOf(id, item);
      const after: User = { ...before, ...changes };
      if (Object.keys(changes).length === 0) return after;
      const { handle: from } = before;
      const { handle: to } = after;
      const change =
        from === to
          ? undefined
          : handleChange({
              user: id,
              from,
              to,
              now: now(),
              limit: handleLimit,
              history: handleHistoryOf(item),
            });
      const failed = await dynamo.tryTransact({
        profile: profileUpdate(before, item, {
          ...changes,
          ...handleAttributes(before, change),
          ...ownFields(item, Object.keys(changes)),
        }),
        ...handleWrites(change),
      });
      if (failed === undefined) {
        await profileCache?.changed(id);
        return after;
      }
      if (failed.profile === undefined && failed.reservation !== undefined) {
        throw new TsudoiError('HANDLE_TAKEN', 'Another person has this handle.');
      }
      return AGAIN;
    });

  /** The id of the user who has this handle now, or null. A released handle belongs to no one. Takes one read. */
  async function byHandle(text: string): Promise<string | null> {
    const handle = normalizedHandle(text);
    if (!HANDLE.test(handle)) return null;
    const item = await dynamo.get(keys.handle(handle));
    return item === undefined || item.expiresAt !== undefined ? null : (item.user as string);
  }

  /** The users whose handle begins with `prefix`, as the index says. One query. */
  const find = (prefix: string, page: PageRequest) =>
    findHandles(
      {
        dynamo,
        index: handleList,
        partition: handleList.pk(prefix),
        keyOf: ({ handle }) => keys.handle(handle),
      },
      prefix,
      page,
    );

  /** This process reads the profile again before it lets the subject in. */
  function forget(sub: string): void {
    known.delete(sub);
    for (const claims of arriving.keys()) if (claims.sub === sub) arriving.delete(claims);
    deleted.delete(sub);
  }

  return { idOf: userIdOf, ensure, update, byHandle, find, forget };
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
