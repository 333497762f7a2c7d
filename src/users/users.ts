import { accountDeleted, TsudoiError, unauthenticated } from '../core/errors.ts';
import { userIdOf } from '../core/identity.ts';
import type { RateLimit } from '../core/rateLimits.ts';
import type { Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { type ConsistentLoader, createConsistentLoader } from '../dynamo/itemLoader.ts';
import { handleList, keys } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import type { PageRequest } from '../graphql/connections.ts';
import { createArrivals, KNOWN_MS, type TokenClaims } from './arrivals.ts';
import { findHandles } from './handleSearch.ts';
import { handleChange, handleHistoryOf } from './handles.ts';
import type { ProfileCache } from './profileCache.ts';
import {
  handleAttributes,
  handleWrites,
  ownFields,
  type ProfileChanges,
  profileUpdate,
} from './profileUpdate.ts';
import { createTokenProfiles } from './tokenProfiles.ts';
import { HANDLE, normalizedHandle, type User, userOf } from './user.ts';

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
  const profiles = createTokenProfiles({
    dynamo,
    timestamps,
    handleLimit,
    profileCache,
    // A user who is known is not looked at again before.
    confirmEveryMs: KNOWN_MS,
    now,
  });
  const { ensure, forget } = createArrivals({ items, profiles, onToken });

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

  return { idOf: userIdOf, ensure, update, byHandle, find, forget };
}
