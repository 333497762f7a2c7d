/** The writes of a profile. */

import type { Item } from '../dynamo/item.ts';
import { keys } from '../dynamo/keys.ts';
import type { Write } from '../dynamo/write.ts';
import type { HandleHistory, handleChange } from './handles.ts';
import { type TokenFields, tokenFieldsOf } from './tokenFields.ts';
import { sameHandleRev, type User } from './user.ts';

type Change = ReturnType<typeof handleChange> | undefined;

/** An absent property stays as it is. Null removes it. */
export interface ProfileChanges {
  readonly handle?: string | null;
  readonly displayName?: string;
  readonly avatarUrl?: string | null;
  readonly locale?: string | null;
  readonly timeZone?: string | null;
}

/** Those of a changed handle, apart from the profile's. */
export const handleWrites = (change: Change) => ({
  reservation: change?.reservation,
  release: change?.release,
  freed: change?.freed ?? [],
});

/** What the profile stores of a changed handle. */
export const handleAttributes = (before: User, change: Change) =>
  change === undefined ? {} : { ...change.history, handleRev: (before.handleRev ?? 0) + 1 };

/** A field that its user changes does not follow the provider any more. Empty if nothing is stored about that. */
export function ownFields(item: Item, changed: readonly string[]): Partial<TokenFields> {
  const stored = tokenFieldsOf(item);
  if (stored === null) return {};
  const tokenFields = stored.tokenFields.filter((field) => !changed.includes(field));
  return tokenFields.length === stored.tokenFields.length ? {} : { tokenFields };
}

/** Writes only what changes, so two requests that change different properties do not undo each other. */
export function profileUpdate(
  before: User,
  item: Item,
  changes: ProfileChanges & Partial<HandleHistory> & Partial<TokenFields> & Pick<User, 'handleRev'>,
): Write {
  const set: string[] = [];
  const unset: string[] = [];
  // `timeZone` is a reserved word of DynamoDB.
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(changes)) {
    names[`#${name}`] = name;
    if (value === null) {
      unset.push(`#${name}`);
    } else {
      set.push(`#${name} = :${name}`);
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
  if (changes.tokenFields !== undefined) {
    // Also what tokens of that second said: two servers may take over different ones at once.
    for (const field of ['tokenFields', 'tokenAt', 'tokenSaid']) {
      const stored = item[field];
      conditions.push(stored === undefined ? `attribute_not_exists(${field})` : `${field} = :${field}Before`);
      if (stored !== undefined) values[`:${field}Before`] = stored;
    }
  }
  // A profile without a handle is as it was after its account was deleted, too.
  conditions.push('attribute_not_exists(deletedAt)');
  return {
    key: keys.user(before.id),
    update: `${set.length === 0 ? '' : `SET ${set.join(', ')} `}${
      unset.length === 0 ? '' : `REMOVE ${unset.join(', ')}`
    }`,
    condition: conditions.join(' AND '),
    names,
    values,
  };
}
