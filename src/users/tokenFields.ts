/**
 * Which fields of a profile follow the identity provider. A profile begins with what the first token says. Each field
 * follows later tokens until its user changes it here.
 */
import type { Item } from '../dynamo/item.ts';
import { hashed } from '../dynamo/keys.ts';
import { asksFor, type Claims, handlesFrom, profileOf } from './claims.ts';
import type { User } from './user.ts';

const FIELDS = ['displayName', 'avatarUrl', 'locale', 'handle'] as const;
export type TokenField = (typeof FIELDS)[number];

/** What a profile's item stores about its tokens. */
export interface TokenFields {
  /** When the newest token was issued that changed or confirmed the profile, in seconds; 0 if it did not say. */
  readonly tokenAt: number;
  /** The fields that follow the provider. */
  readonly tokenFields: readonly TokenField[];
  /** What that token's `preferred_username` asked for, which others may have had. Empty: no handle. */
  readonly tokenHandle: string;
  /**
   * Short hashes of what tokens of that second said, oldest first, and of what the profile had before: at most
   * `SAID_MAX`. Empty in a profile of a release that did not store it.
   */
  readonly tokenSaid: readonly string[];
}

/** More different tokens in one second change nothing. */
export const SAID_MAX = 8;
const HASH_LENGTH = 8;

/** A short hash of what a token says about the profile. */
const hashOfClaims = ({ handle, name, picture, locale }: Claims): string =>
  hashed(JSON.stringify([handle, name, picture, locale])).slice(0, HASH_LENGTH);

/** The values of a new profile. */
export const newTokenFields = (claims: Claims): TokenFields => ({
  tokenAt: claims.issuedAt ?? 0,
  tokenFields: FIELDS,
  tokenHandle: requestedHandle(claims),
  tokenSaid: [hashOfClaims(claims)],
});

/** Of a profile that the next token fills, whether or not it says when it was issued. */
export const NO_TOKEN_YET: TokenFields = { tokenAt: -1, tokenFields: FIELDS, tokenHandle: '', tokenSaid: [] };

/** Null for a profile of a release that did not store it. */
export const tokenFieldsOf = ({ tokenAt, tokenFields, tokenHandle, tokenSaid }: Item): TokenFields | null =>
  tokenAt === undefined
    ? null
    : {
        tokenAt: tokenAt as number,
        tokenFields: tokenFields as TokenField[],
        tokenHandle: tokenHandle as string,
        tokenSaid: (tokenSaid as string[] | undefined) ?? [],
      };

/**
 * The fields that follow the provider in a profile of a release that did not store it: those that are as this token
 * says. A user may have changed the others.
 */
export const assumedTokenFields = (user: User, claims: Claims): TokenFields => ({
  tokenAt: claims.issuedAt ?? 0,
  tokenFields: FIELDS.filter((field) =>
    field === 'handle'
      ? handlesFrom(claims)[0] === user.handle || asksFor(claims, user.handle ?? '')
      : valuesIn(claims)[field] === (user[field] ?? undefined),
  ),
  tokenHandle: requestedHandle(claims),
  tokenSaid: [hashOfClaims(claims)],
});

/**
 * What to write, and the handles to try, the best first. An empty list: the handle stays. Without values and handles
 * the token confirms what the profile has: only its time is written.
 */
export interface TokenChanges {
  readonly values: Partial<Pick<User, 'displayName' | 'avatarUrl' | 'locale'>>;
  readonly handles: readonly string[];
  readonly after: TokenFields;
}

/**
 * Whether a token changes nothing, because it may not be the newest one: it is older than the last one, so it would
 * bring back the value from before a change, or it is of the same second and says what an earlier one said. The order
 * of the others is unknown, so each is taken over once, when a server first sees it.
 */
function isPassedOver({ tokenAt, tokenSaid }: TokenFields, claims: Claims): boolean {
  const { issuedAt = 0 } = claims;
  if (issuedAt !== tokenAt) return issuedAt < tokenAt;
  return issuedAt === 0 || tokenSaid.length === SAID_MAX || tokenSaid.includes(hashOfClaims(claims));
}

/**
 * What a token changes in a profile. Null: nothing. A claim that is missing or that no profile can have leaves its
 * field as it is: many access tokens have no name.
 */
export function tokenChanges(user: User, before: TokenFields, claims: Claims): TokenChanges | null {
  if (isPassedOver(before, claims)) return null;
  const { issuedAt = 0 } = claims;
  const said = valuesIn(claims);
  const follows = (field: TokenField) => before.tokenFields.includes(field);
  const values = Object.fromEntries(
    (['displayName', 'avatarUrl', 'locale'] as const).flatMap((field) => {
      const value = said[field];
      return value === undefined || value === user[field] || !follows(field) ? [] : [[field, value]];
    }),
  );
  const requested = requestedHandle(claims);
  const isSame = requested === before.tokenHandle || asksFor(claims, before.tokenHandle);
  const isOther = follows('handle') && requested !== '' && !isSame;
  const handles = isOther ? handlesFrom(claims) : [];
  const isSameSecond = issuedAt === before.tokenAt;
  if (Object.keys(values).length === 0 && handles.length === 0) {
    if (isSameSecond || !confirms(user, before, claims)) return null;
  }
  const tokenHandle = isOther ? requested : before.tokenHandle;
  const tokenSaid = [...(isSameSecond ? before.tokenSaid : before.tokenSaid.slice(-1)), hashOfClaims(claims)];
  return { values, handles, after: { ...before, tokenAt: issuedAt, tokenHandle, tokenSaid } };
}

/**
 * Whether the token itself says everything that the profile has from tokens. One that says less does not: an older
 * token may say more, and something newer. So a name that was made because no token had one is never confirmed. A
 * picture or language that neither has counts as the same, because many providers have none.
 */
function confirms(user: User, { tokenFields, tokenHandle }: TokenFields, claims: Claims): boolean {
  const requested = requestedHandle(claims);
  const said = valuesIn(claims);
  const isSaid = (field: TokenField) => (field === 'handle' ? requested !== '' : said[field] !== undefined);
  const isSame = (field: TokenField) =>
    field === 'handle'
      ? requested === tokenHandle || asksFor(claims, tokenHandle)
      : said[field] === (user[field] ?? undefined);
  return tokenFields.some(isSaid) && tokenFields.every(isSame);
}

/** What the token says itself: a new profile without a name gets the handle as its name, an existing one does not. */
function valuesIn(claims: Claims): Partial<Record<TokenField, string>> {
  const { name = '', picture, locale } = claims;
  const { displayName, avatarUrl, locale: tag } = profileOf({ ...claims, handle: '' });
  const isNamed = name !== '' && displayName !== profileOf({ sub: claims.sub }).displayName;
  return {
    ...(isNamed ? { displayName } : {}),
    ...(picture === undefined || avatarUrl === null ? {} : { avatarUrl }),
    ...(locale === undefined || tag === null ? {} : { locale: tag }),
  };
}

const requestedHandle = (claims: Claims): string => handlesFrom(claims)[0] ?? '';
