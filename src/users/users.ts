import { LRUCache } from 'lru-cache';
import { TsudoiError, unauthenticated } from '../core/errors.ts';
import type { RateLimit } from '../core/rateLimits.ts';
import { secondsOf, type Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { type ConsistentLoader, createConsistentLoader } from '../dynamo/itemLoader.ts';
import { handleList, keys } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import type { Write } from '../dynamo/write.ts';
import type { PageRequest } from '../graphql/connections.ts';
import { type Claims, handlesFrom, profileOf } from './claims.ts';
import { findHandles } from './handleSearch.ts';
import { type HandleHistory, handleChange, handleHistoryOf, reserveHandle } from './handles.ts';
import type { ProfileCache } from './profileCache.ts';
import { HANDLE, normalizedHandle, sameHandleRev, type User, userIdOf, userItem, userOf } from './user.ts';

/** An absent property stays as it is. Null removes it. */
export interface ProfileChanges {
  readonly handle?: string | null;
  readonly displayName?: string;
  readonly avatarUrl?: string | null;
  readonly locale?: string | null;
}

/** How many users this process remembers to have a profile. */
const KNOWN_MAX = 100_000;

export type Users = ReturnType<typeof createUsers>;

export interface UsersOptions {
  readonly dynamo: Dynamo;
  /** Reads the profiles of users who arrive together in one request. By default, each is read alone. */
  readonly items?: ConsistentLoader;
  readonly timestamps: Timestamps;
  /** How often a user may change their handle. Absent: any number of times. */
  readonly handleLimit?: RateLimit | undefined;
  /** Absent: no server is running. */
  readonly profileCache?: Pick<ProfileCache, 'changed'>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export function createUsers({
  dynamo,
  items = createConsistentLoader(dynamo),
  timestamps,
  profileCache,
  handleLimit,
  now = Date.now,
}: UsersOptions) {
  /** The ids by subject. To compute one costs a hash. */
  const known = new LRUCache<string, string>({ max: KNOWN_MAX });
  const seconds = () => secondsOf(now());

  /** The user's id. The first call for a new `sub` creates the profile. Reads nothing if the id is known. */
  async function ensure(claims: Claims): Promise<string> {
    const knownId = known.get(claims.sub);
    if (knownId !== undefined) return knownId;
    const id = userIdOf(claims.sub);
    if ((await items.load(keys.user(id))) === undefined) await create(id, claims);
    known.set(claims.sub, id);
    return id;
  }

  async function create(id: string, claims: Claims): Promise<void> {
    const user: User = {
      id,
      handle: null,
      ...profileOf(claims),
      createdAt: timestamps.next(),
      rooms: 0,
      joinCount: 0,
      handleRev: 1,
    };
    for (const handle of [...handlesFrom(claims), null]) {
      const failed = await dynamo.tryTransact({
        profile: { put: userItem({ ...user, handle }), condition: 'attribute_not_exists(pk)' },
        reservation: handle === null ? undefined : reserveHandle(handle, id, seconds()),
      });
      // If the profile exists, another request of the same user created it. Otherwise the handle is taken.
      if (failed === undefined || failed.profile !== undefined) return;
    }
  }

  /**
   * Takes one read and one transaction. Throws HANDLE_TAKEN, RATE_LIMITED for too many handles, and `ContentionError` if
   * others keep changing the profile.
   */
  const update = (id: string, changes: ProfileChanges): Promise<User> =>
    dynamo.optimistic(async () => {
      const item = await dynamo.get(keys.user(id));
      if (item === undefined) throw unauthenticated();
      const before = userOf(id, item);
      const after: User = { ...before, ...changes };
      if (Object.keys(changes).length === 0) return after;
      const { handle: from } = before;
      const { handle: to } = after;
      const change =
        from === to
          ? undefined
          : handleChange({
              ...{ user: id, from, to, now: now(), limit: handleLimit },
              history: handleHistoryOf(item),
            });
      const failed = await dynamo.tryTransact({
        profile: profileUpdate(before, item, {
          ...changes,
          ...(change === undefined ? {} : { ...change.history, handleRev: (before.handleRev ?? 0) + 1 }),
        }),
        reservation: change?.reservation,
        release: change?.release,
        freed: change?.freed ?? [],
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
        ...{ dynamo, index: handleList, partition: handleList.pk(prefix) },
        keyOf: ({ handle }) => keys.handle(handle),
      },
      prefix,
      page,
    );

  return { idOf: userIdOf, ensure, update, byHandle, find };
}

/** Writes only what changes, so two requests that change different properties do not undo each other. */
function profileUpdate(
  before: User,
  item: Item,
  changes: ProfileChanges & Partial<HandleHistory> & Pick<User, 'handleRev'>,
): Write {
  const set: string[] = [];
  const unset: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) {
      unset.push(name);
    } else {
      set.push(`${name} = :${name}`);
      values[`:${name}`] = value;
    }
  }
  const conditions =
    before.handle === null ? ['attribute_exists(pk)', 'attribute_not_exists(handle)'] : ['handle = :before'];
  if (before.handle !== null) values[':before'] = before.handle;
  if (changes.handleChanges !== undefined) {
    const first = item.handleChanges === undefined;
    conditions.push(first ? 'attribute_not_exists(handleChanges)' : 'handleChanges = :changesBefore');
    if (!first) values[':changesBefore'] = item.handleChanges;
  }
  if (changes.handleRev !== undefined) {
    const { condition, values: revBefore } = sameHandleRev(before);
    conditions.push(condition);
    Object.assign(values, revBefore);
  }
  return {
    key: keys.user(before.id),
    update: `${set.length === 0 ? '' : `SET ${set.join(', ')} `}${
      unset.length === 0 ? '' : `REMOVE ${unset.join(', ')}`
    }`,
    condition: conditions.join(' AND '),
    values,
  };
}
