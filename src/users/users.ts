import { LRUCache } from 'lru-cache';
import { TsudoiError, unauthenticated } from '../core/errors.ts';
import type { Identity } from '../core/identity.ts';
import type { Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import { AGAIN, optimistic } from '../dynamo/optimistic.ts';
import { SCHEMA_VERSION } from '../dynamo/table.ts';
import type { Write } from '../dynamo/write.ts';
import { HANDLE, normalizedHandle, type User, userIdOf, userItem, userOf } from './user.ts';

/** The claims that concern the profile. */
type Claims = Pick<Identity, 'sub' | 'handle' | 'name'>;

/** An absent property stays as it is. Null removes it. */
export interface ProfileChanges {
  readonly handle?: string | null;
  readonly displayName?: string;
  readonly avatarUrl?: string | null;
  readonly locale?: string | null;
}

export const DISPLAY_NAME_MAX = 80;
/** A released handle stays reserved for its last owner for this long, so that no one can pose as them at once. */
const HANDLE_RESERVED_S = 14 * 24 * 3600;
/** How many users this process remembers to have a profile. */
const KNOWN_MAX = 100_000;

export type Users = ReturnType<typeof createUsers>;

export interface UsersOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export function createUsers({ dynamo, timestamps, now = Date.now }: UsersOptions) {
  const known = new LRUCache<string, true>({ max: KNOWN_MAX });
  const seconds = () => Math.floor(now() / 1000);

  /** The user's id. The first call for a new `sub` creates the profile. Reads nothing if the id is known. */
  async function ensure(claims: Claims): Promise<string> {
    const id = userIdOf(claims.sub);
    if (known.has(id)) return id;
    if ((await dynamo.get(keys.user(id))) === undefined) await create(id, claims);
    known.set(id, true);
    return id;
  }

  async function create(id: string, claims: Claims): Promise<void> {
    const requested = normalizedHandle(claims.handle ?? '');
    const user: User = {
      id,
      handle: HANDLE.test(requested) ? requested : null,
      displayName: presentable(claims.name) ?? presentable(claims.handle) ?? 'Somebody',
      avatarUrl: null,
      locale: null,
      createdAt: timestamps.next(),
      rooms: 0,
      joinCount: 0,
    };
    for (const handle of new Set([user.handle, null])) {
      const failed = await dynamo.tryTransact({
        profile: { put: userItem({ ...user, handle }), condition: 'attribute_not_exists(pk)' },
        reservation: handle === null ? undefined : reserveHandle(handle, id),
      });
      // If the profile exists, another request of the same user created it. Otherwise the handle is taken.
      if (failed === undefined || failed.profile !== undefined) return;
    }
  }

  const reserveHandle = (handle: string, user: string): Write => ({
    put: { ...keys.handle(handle), v: SCHEMA_VERSION, user },
    condition: 'attribute_not_exists(pk) OR #user = :user OR expiresAt < :now',
    names: { '#user': 'user' },
    values: { ':user': user, ':now': seconds() },
  });

  const releaseHandle = (handle: string, user: string): Write => ({
    key: keys.handle(handle),
    update: 'SET expiresAt = :then',
    condition: '#user = :user',
    names: { '#user': 'user' },
    values: { ':user': user, ':then': seconds() + HANDLE_RESERVED_S },
  });

  /** Takes one read and one transaction. Throws HANDLE_TAKEN, and `ContentionError` if others keep changing the profile. */
  const update = (id: string, changes: ProfileChanges): Promise<User> =>
    optimistic(async () => {
      const item = await dynamo.get(keys.user(id));
      if (item === undefined) throw unauthenticated();
      const before = userOf(id, item);
      const after: User = { ...before, ...changes };
      if (Object.keys(changes).length === 0) return after;
      const renamed = after.handle !== before.handle;
      const failed = await dynamo.tryTransact({
        profile: profileUpdate(before, changes),
        reservation: renamed && after.handle !== null ? reserveHandle(after.handle, id) : undefined,
        release: renamed && before.handle !== null ? releaseHandle(before.handle, id) : undefined,
      });
      if (failed === undefined) return after;
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

  return { idOf: userIdOf, ensure, update, byHandle };
}

/** Writes only what changes, so two requests that change different properties do not undo each other. */
function profileUpdate(before: User, changes: ProfileChanges): Write {
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
  if (before.handle !== null) values[':before'] = before.handle;
  return {
    key: keys.user(before.id),
    update: `${set.length === 0 ? '' : `SET ${set.join(', ')} `}${
      unset.length === 0 ? '' : `REMOVE ${unset.join(', ')}`
    }`,
    condition:
      before.handle === null ? 'attribute_exists(pk) AND attribute_not_exists(handle)' : 'handle = :before',
    values,
  };
}

/** A display name from a token's claim, without control characters. Undefined if nothing is left of it. */
function presentable(text: string | undefined): string | undefined {
  const clean = (text ?? '')
    .toWellFormed()
    .replace(/\p{C}+/gu, ' ')
    .trim();
  const short = [...clean].slice(0, DISPLAY_NAME_MAX).join('');
  return short === '' ? undefined : short;
}
