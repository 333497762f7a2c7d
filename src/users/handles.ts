/** Handles are unique: each has an item that reserves it, written in the profile's transaction. */

import { TsudoiError } from '../core/errors.ts';
import type { RateLimit } from '../core/rateLimits.ts';
import { DAY_S, secondsOf } from '../core/timestamps.ts';
import type { Item } from '../dynamo/item.ts';
import { handleList, keys } from '../dynamo/keys.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import type { Write } from '../dynamo/write.ts';
import { HANDLE } from './user.ts';

/**
 * Words that no one can take as a handle, because readers would think of a group, a role, no one or the service itself.
 * Each stands for its simple plural and for itself between underscores as well.
 */
const RESERVED_WORDS: ReadonlySet<string> = new Set([
  ...`admin administrator all anonymous bot channel deleted deleted_user everyone former former_member former_user
  help helpdesk here mod moderator noone null official operator owner postmaster root security someone staff
  superuser support sysadmin sysop system tsudoi undefined unknown webmaster`.split(/\s+/),
  // words: allow they are handles.
  ...['everybody', 'nobody'],
]);

/** `handle` is in lower case: `_admin`, `admin_`, `admins` and `former__member` are reserved, too. */
export function isReservedHandle(handle: string): boolean {
  const word = handle.replace(/[_-]+/g, '_').replace(/^_|_$/g, '');
  return RESERVED_WORDS.has(word) || RESERVED_WORDS.has(word.replace(/s$/, ''));
}

/** Whether a user may choose it, if it is free. Users who have had one keep it. */
export const isAllowedHandle = (handle: string): boolean => HANDLE.test(handle) && !isReservedHandle(handle);

/** A released handle stays reserved for its last owner for this long, so that no one can pose as them at once. */
const RESERVED_MS = 14 * DAY_S * 1_000;
/** The most released handles that are reserved for one user: with more, a few users could keep all good ones. */
const RELEASED_MAX = 2;
/** The most changes that are remembered, for the limit. */
const CHANGES_MAX = 20;

/** What a profile's item stores about earlier handles. All times are in milliseconds since 1970. */
export interface HandleHistory {
  /** Handles that are still reserved for the user, oldest first. */
  readonly releasedHandles: ReadonlyArray<{ readonly handle: string; readonly until: number }>;
  readonly handleChanges: readonly number[];
}

export const handleHistoryOf = (item: Item): HandleHistory => ({
  releasedHandles: (item.releasedHandles as HandleHistory['releasedHandles'] | undefined) ?? [],
  handleChanges: (item.handleChanges as number[] | undefined) ?? [],
});

export interface HandleChange {
  readonly user: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly history: HandleHistory;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** How often a user may change their handle. Absent: there is no limit. */
  readonly limit: RateLimit | undefined;
}

/** The writes of a changed handle, and the history after it. Throws RATE_LIMITED. */
export function handleChange({ user, from, to, history, now, limit }: HandleChange) {
  const windowMs = (limit?.seconds ?? DAY_S) * 1_000;
  const recent = history.handleChanges.filter((at) => at > now - windowMs);
  const max = Math.min(limit?.max ?? Number.POSITIVE_INFINITY, CHANGES_MAX);
  const oldest = recent.at(-max);
  if (limit !== undefined && oldest !== undefined) {
    throw new TsudoiError('RATE_LIMITED', 'The handle was changed too often. Try again later.', {
      retryAfterMs: oldest + windowMs - now,
    });
  }
  const kept = history.releasedHandles.filter(({ handle, until }) => until > now && handle !== to);
  const released = from === null ? kept : [...kept, { handle: from, until: now + RESERVED_MS }];
  const seconds = secondsOf(now);
  return {
    reservation: to === null ? undefined : reserveHandle(to, user, seconds),
    release: from === null ? undefined : releaseHandle(from, user, seconds),
    freed: released.slice(0, -RELEASED_MAX).map(({ handle }) => freeHandle(handle, user)),
    history: {
      releasedHandles: released.slice(-RELEASED_MAX),
      handleChanges: [...recent, now].slice(-CHANGES_MAX),
    } satisfies HandleHistory,
  };
}

/** The attributes by which the index finds the user. A released handle has none. */
export const handleEntry = (handle: string, user: string) => ({
  gsi1pk: handleList.pk(handle),
  gsi1sk: handleList.sk(handle, user),
});

export const handleItem = (handle: string, user: string) => ({
  ...keys.handle(handle),
  v: FIRST_SHAPE,
  user,
  ...handleEntry(handle, user),
});

/** `now` is in seconds since 1970. */
export const reserveHandle = (handle: string, user: string, now: number): Write => ({
  put: handleItem(handle, user),
  condition: 'attribute_not_exists(pk) OR #user = :user OR expiresAt < :now',
  names: { '#user': 'user' },
  values: { ':user': user, ':now': now },
});

const releaseHandle = (handle: string, user: string, now: number): Write => ({
  key: keys.handle(handle),
  update: 'SET expiresAt = :then REMOVE gsi1pk, gsi1sk',
  condition: '#user = :user',
  names: { '#user': 'user' },
  values: { ':user': user, ':then': now + RESERVED_MS / 1_000 },
});

/** Before its time: the user has released others since then. */
const freeHandle = (handle: string, user: string): Write => ({
  delete: keys.handle(handle),
  condition: 'attribute_not_exists(pk) OR (#user = :user AND attribute_exists(expiresAt))',
  names: { '#user': 'user' },
  values: { ':user': user },
});
