/**
 * The profile of a user who has deleted their account. It is never deleted, because messages, bans and blocks name it.
 */

import { defined } from '../core/defined.ts';
import type { Timestamp } from '../core/timestamps.ts';
import { keys } from '../dynamo/keys.ts';
import type { Write } from '../dynamo/write.ts';
import type { Language } from '../i18n/language.ts';
import { handleChange } from './handles.ts';
import { NO_TOKEN_YET } from './tokenFields.ts';
import { sameHandleRev, type User } from './user.ts';

const FORMER_NAMES: Readonly<Record<Language, string>> = { en: 'Former member', ja: '退会したユーザー' };

/** The user's name in a text for another user. */
export const nameIn = (language: Language, { displayName, deletedAt }: User): string =>
  deletedAt === undefined ? displayName : FORMER_NAMES[language];

const EMPTIED = [
  ...['handle', 'avatarUrl', 'locale', '#timeZone', 'releasedHandles', 'handleChanges'],
  ...['tokenAt', 'tokenFields', 'tokenHandle', 'tokenSaid', 'externalId'],
];

/**
 * Empties a profile and releases its handle, which stays reserved for 14 days. Fails if the handle has changed since
 * the profile was read, or the account was deleted. The version of the handle rises, so a join that has read the
 * profile before fails.
 */
export function formerProfileWrites(user: User, deletedAt: Timestamp, now: number) {
  const { id, handle: from, handleRev = 0 } = user;
  const { condition, values } = sameHandleRev(user);
  const same = from === null ? 'attribute_not_exists(handle)' : 'handle = :handle';
  const history = { releasedHandles: [], handleChanges: [] };
  const released =
    from === null ? undefined : handleChange({ user: id, from, to: null, history, now, limit: undefined });
  const profile: Write = {
    key: keys.user(id),
    update: `SET deletedAt = :at, displayName = :name, handleRev = :next REMOVE ${EMPTIED.join(', ')}`,
    condition: `attribute_exists(pk) AND attribute_not_exists(deletedAt) AND ${same} AND ${condition}`,
    // A reserved word of DynamoDB.
    names: { '#timeZone': 'timeZone' },
    values: {
      ...values,
      ...defined({ ':handle': from ?? undefined }),
      ':at': deletedAt,
      ':name': FORMER_NAMES.en,
      ':next': handleRev + 1,
    },
  };
  return { profile, release: released?.release };
}

/** Opens the account again. The user's next token fills the profile. Fails unless it is the deletion that was read. */
export const reopenedProfileWrite = (id: string, deletedAt: Timestamp): Write => ({
  key: keys.user(id),
  update:
    'SET displayName = :name, tokenAt = :tokenAt, tokenFields = :tokenFields, tokenHandle = :tokenHandle REMOVE deletedAt, tokenSaid',
  condition: 'deletedAt = :at',
  values: {
    ':at': deletedAt,
    ':name': 'Someone',
    ':tokenAt': NO_TOKEN_YET.tokenAt,
    ':tokenFields': NO_TOKEN_YET.tokenFields,
    ':tokenHandle': NO_TOKEN_YET.tokenHandle,
  },
});
