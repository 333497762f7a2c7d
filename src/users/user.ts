import { defined } from '../core/defined.ts';
import type { Timestamp } from '../core/timestamps.ts';
import type { Item } from '../dynamo/item.ts';
import { keys } from '../dynamo/keys.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';

export interface User {
  readonly id: string;
  readonly handle: string | null;
  readonly displayName: string;
  readonly avatarUrl: string | null;
  /** BCP 47. Null if the user has not chosen one. */
  readonly locale: string | null;
  /** A name of the IANA database. Null if the user has not chosen one. */
  readonly timeZone: string | null;
  readonly createdAt: Timestamp;
  /** The number of current memberships. */
  readonly rooms: number;
  /** The number of memberships ever. Each new one takes the next number, so that its versions are higher. */
  readonly joinCount: number;
  /**
   * Rises with every change of the handle, so that of two entries of the index the one with the higher value is newer.
   * Absent: an earlier release wrote the profile, and `handleConversion.ts` has not reached it.
   */
  readonly handleRev?: number;
  /**
   * Tokens that were issued until then are refused, in seconds since 1970. Absent: the user has not signed out
   * everywhere.
   */
  readonly signedOutAt?: number;
  /** When the account was deleted. Absent: it was not. */
  readonly deletedAt?: Timestamp;
  /** `import:<source>:<id>` of an imported user. Absent: they came here themselves. */
  readonly externalId?: string;
}

export const MAX_ROOMS = 1_000;
/** The least and the most characters of a handle. */
export const HANDLE_MIN = 3;
export const HANDLE_MAX = 20;
export const HANDLE = /^[a-z0-9_]{3,20}$/;

/** Handles ignore case. Their alphabet excludes look-alikes from other scripts. */
export const normalizedHandle = (text: string): string => text.toLowerCase();

export const AVATAR_URL_MAX = 2_048;

/**
 * The address of a picture as browsers write it, so that every client reads the same host and path in it. Undefined if
 * it is not an http or https address, contains a user name or password (which make another host look like the real
 * one), or is too long.
 */
export function normalizedAvatarUrl(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { href, protocol, username, password } = new URL(address);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  return username !== '' || password !== '' || href.length > AVATAR_URL_MAX ? undefined : href;
}

/** The longest BCP 47 tag that a profile has. */
export const LOCALE_MAX = 35;

/** A BCP 47 tag in its normal form, `ja-JP` for `JA-jp`; undefined if it is not one, or is too long. */
export function normalizedLocale(tag: string): string | undefined {
  try {
    return tag.length > LOCALE_MAX ? undefined : Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

export const userItem = (user: User) => ({
  v: FIRST_SHAPE,
  displayName: user.displayName,
  createdAt: user.createdAt,
  rooms: user.rooms,
  joins: user.joinCount,
  ...defined({
    handle: user.handle ?? undefined,
    avatarUrl: user.avatarUrl ?? undefined,
    locale: user.locale ?? undefined,
    timeZone: user.timeZone ?? undefined,
    handleRev: user.handleRev,
    deletedAt: user.deletedAt,
    externalId: user.externalId,
  }),
  ...keys.user(user.id),
});

export const userOf = (id: string, item: Item): User => ({
  id,
  handle: (item.handle as string | undefined) ?? null,
  displayName: item.displayName as string,
  avatarUrl: (item.avatarUrl as string | undefined) ?? null,
  locale: (item.locale as string | undefined) ?? null,
  timeZone: (item.timeZone as string | undefined) ?? null,
  createdAt: item.createdAt as Timestamp,
  rooms: item.rooms as number,
  joinCount: item.joins as number,
  ...defined({
    handleRev: item.handleRev as number | undefined,
    deletedAt: item.deletedAt as Timestamp | undefined,
    signedOutAt: item.signedOutAt as number | undefined,
    externalId: item.externalId as string | undefined,
  }),
});

/** The condition that the user has not deleted their account. */
export const NOT_DELETED = 'attribute_not_exists(deletedAt)';

/** The condition that the handle has not changed since the profile was read. */
export const sameHandleRev = ({ handleRev }: Pick<User, 'handleRev'>) =>
  handleRev === undefined
    ? { condition: 'attribute_not_exists(handleRev)', values: {} }
    : { condition: 'handleRev = :sameHandleRev', values: { ':sameHandleRev': handleRev } };
