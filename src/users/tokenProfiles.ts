import { LRUCache } from 'lru-cache';
import { TsudoiError } from '../core/errors.ts';
import { createKeyedMutex } from '../core/keyedMutex.ts';
import type { RateLimit } from '../core/rateLimits.ts';
import { secondsOf, type Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { keys } from '../dynamo/keys.ts';
import { AGAIN, type Again } from '../dynamo/optimistic.ts';
import type { Write } from '../dynamo/write.ts';
import { type Claims, handlesFrom, profileOf } from './claims.ts';
import { handleChange, handleHistoryOf, reserveHandle } from './handles.ts';
import type { ProfileCache } from './profileCache.ts';
import { handleAttributes, handleWrites, profileUpdate } from './profileUpdate.ts';
import { assumedTokenFields, newTokenFields, tokenChanges, tokenFieldsOf } from './tokenFields.ts';
import { type User, userItem, userOf } from './user.ts';

/** How many users this process remembers to have confirmed. */
const CONFIRMED_MAX = 100_000;
/** How long this process does not try to confirm a profile again after that failed. */
const CONFIRM_AGAIN_MS = 60_000;

export interface TokenProfilesOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
  readonly handleLimit?: RateLimit | undefined;
  readonly profileCache?: Pick<ProfileCache, 'changed'> | undefined;
  /** How often at most this process stores that a newer token of a user confirms the profile, in milliseconds. */
  readonly confirmEveryMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

type Followed = 'changed' | 'nothing';

export type TokenProfiles = ReturnType<typeof createTokenProfiles>;

/** What tokens say about their users becomes their profiles. */
export function createTokenProfiles(options: TokenProfilesOptions) {
  const { dynamo, timestamps, profileCache, handleLimit, confirmEveryMs, now } = options;
  /** When this process may next store that a token of a user confirms the profile, in milliseconds since 1970. */
  const nextConfirmationAt = new LRUCache<string, number>({ max: CONFIRMED_MAX });
  const confirming = createKeyedMutex();

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
   * in `confirmEveryMs`, also for requests that come together. Rejects if the database cannot write it.
   */
  const confirmProfile = (id: string, write: Write): Promise<Followed | Again> =>
    confirming.run(id, async () => {
      if (now() < (nextConfirmationAt.get(id) ?? 0)) return 'nothing';
      // If this fails, those that wait for it do not wait for a failure of their own.
      nextConfirmationAt.set(id, now() + CONFIRM_AGAIN_MS);
      const failed = await dynamo.tryTransact({ write });
      if (failed === undefined) nextConfirmationAt.set(id, now() + confirmEveryMs);
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
        reservation: handle === null ? undefined : reserveHandle(handle, id, secondsOf(now())),
      });
      // Otherwise the handle is taken.
      if (failed === undefined || failed.profile !== undefined) return;
    }
  }

  return { create, follow };
}
