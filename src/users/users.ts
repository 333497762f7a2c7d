import { LRUCache } from 'lru-cache';
import { conflict, TsudoiError, unauthenticated } from '../core/errors.ts';
import type { Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ConditionsFailed } from '../dynamo/errors.ts';
import { keys } from '../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../dynamo/table.ts';
import type { Write } from '../dynamo/write.ts';
import { HANDLE, normalizedHandle, type User, userIdOf, userItem, userOf } from './user.ts';

/** What a verified token says about a person. */
export interface Claims {
  readonly sub: string;
  /** `preferred_username`. */
  readonly handle?: string;
  readonly name?: string;
}

/** Absent: stays as it is. Null: removed. */
export interface ProfileChanges {
  readonly handle?: string | null;
  readonly displayName?: string;
  readonly avatarUrl?: string | null;
  readonly locale?: string | null;
}

export const DISPLAY_NAME_MAX = 80;
/** A released handle stays its last owner's for this long, so that nobody can at once pose as them. */
const HANDLE_REST_S = 14 * 24 * 3600;
/** People whose profile this process knows to exist. */
const KNOWN_MAX = 100_000;
const ATTEMPTS = 5;

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

  /** The person's id; the first call of a new `sub` makes their profile. No read once the id is known. */
  async function ensure(claims: Claims): Promise<string> {
    const id = userIdOf(claims.sub);
    if (known.has(id)) return id;
    if ((await dynamo.get(keys.user(id))) === undefined) await create(id, claims);
    known.set(id, true);
    return id;
  }

  async function create(id: string, claims: Claims): Promise<void> {
    const wished = normalizedHandle(claims.handle ?? '');
    const user: User = {
      id,
      handle: HANDLE.test(wished) ? wished : null,
      displayName: presentable(claims.name) ?? presentable(claims.handle) ?? 'Somebody',
      avatarUrl: null,
      locale: null,
      createdAt: timestamps.next(),
      rooms: 0,
      joins: 0,
    };
    for (const handle of new Set([user.handle, null])) {
      const profile: Write = { put: userItem({ ...user, handle }), condition: 'attribute_not_exists(pk)' };
      try {
        await dynamo.transact(handle === null ? [profile] : [profile, reservation(handle, id)]);
        return;
      } catch (error) {
        if (!(error instanceof ConditionsFailed)) throw error;
        // Another request of the same person was first: just as good. Else the handle is taken.
        if (error.failed[0] !== undefined) return;
      }
    }
  }

  const reservation = (handle: string, user: string): Write => ({
    put: { ...keys.handle(handle), v: SCHEMA_VERSION, user },
    condition: 'attribute_not_exists(pk) OR #user = :user OR expiresAt < :now',
    names: { '#user': 'user' },
    values: { ':user': user, ':now': seconds() },
  });

  const release = (handle: string, user: string): Write => ({
    key: keys.handle(handle),
    update: 'SET expiresAt = :then',
    condition: '#user = :user',
    names: { '#user': 'user' },
    values: { ':user': user, ':then': seconds() + HANDLE_REST_S },
  });

  /** Throws HANDLE_TAKEN; CONFLICT when the same profile is being changed from elsewhere all the time. */
  async function update(id: string, changes: ProfileChanges): Promise<User> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const item = await dynamo.get(keys.user(id));
      if (item === undefined) throw unauthenticated();
      const before = userOf(id, item);
      const after: User = { ...before, ...changes };
      if (Object.keys(changes).length === 0) return after;
      const renamed = after.handle !== before.handle;
      const writes: Write[] = [profileUpdate(before, changes)];
      if (renamed && after.handle !== null) writes.push(reservation(after.handle, id));
      if (renamed && before.handle !== null) writes.push(release(before.handle, id));
      try {
        await dynamo.transact(writes);
        return after;
      } catch (error) {
        if (!(error instanceof ConditionsFailed)) throw error;
        if (error.failed[0] === undefined && error.failed[1] !== undefined && after.handle !== null) {
          throw new TsudoiError('HANDLE_TAKEN', 'Another person has this handle.');
        }
      }
    }
    throw conflict('Your profile was changed from elsewhere at the same time. Try again.');
  }

  /** The id of whoever has this handle now. Two round trips: the reservation, and that it is not released. */
  async function byHandle(text: string): Promise<string | null> {
    const handle = normalizedHandle(text);
    if (!HANDLE.test(handle)) return null;
    const item = await dynamo.get(keys.handle(handle));
    return item === undefined || item.expiresAt !== undefined ? null : (item.user as string);
  }

  return { idOf: userIdOf, ensure, update, byHandle };
}

/** Writes what is to change and nothing else: two who change different things keep each other's. */
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

/** A name out of a token, fit to be shown; undefined where nothing is left of it. */
function presentable(text: string | undefined): string | undefined {
  const clean = (text ?? '')
    .toWellFormed()
    .replace(/\p{C}+/gu, ' ')
    .trim();
  const short = [...clean].slice(0, DISPLAY_NAME_MAX).join('');
  return short === '' ? undefined : short;
}
