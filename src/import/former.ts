/** What an import may not bring back: texts, likes and stamps of accounts that were deleted here. */
import { type Timestamp, toTimestamp } from '../core/timestamps.ts';
import { itemsIn } from '../dynamo/bulkWrite.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { type Key, keyName, keyOf, keys } from '../dynamo/keys.ts';
import { NEWEST_SHAPE } from '../dynamo/shapes.ts';
import { historyItems, type MessageWithReactions } from '../reactions/historyItems.ts';
import { userOf } from '../users/user.ts';
import type { Pace } from './pace.ts';
import type { ImportedMessage, ImportedPerson } from './types.ts';

/** Users, and when they deleted their accounts. */
export type Former = ReadonlyMap<string, Timestamp>;

/**
 * Those of the input's people whose accounts are deleted in the table. An export that was made after that says so: it
 * has only what they left, and that stays.
 */
export async function formerAmong(
  dynamo: Dynamo,
  people: ReadonlyMap<string, ImportedPerson>,
): Promise<Former> {
  const active = [...people.values()].filter(({ deletedAt }) => deletedAt === undefined);
  const profiles = await dynamo.batchGet(active.map(({ id }) => keys.user(id)));
  return new Map(
    active.flatMap(({ id }, i) => {
      const item = profiles[i];
      const deletedAt = item === undefined ? undefined : userOf(id, item).deletedAt;
      return deletedAt === undefined ? [] : [[id, deletedAt] as const];
    }),
  );
}

/**
 * The message, deleted if its author has deleted their account, and without likes and stamps of those who have. The
 * same object if they have no part in it.
 */
export function withoutFormer(message: ImportedMessage, former: Former): ImportedMessage {
  const { author, stamps: allStamps, likes: allLikes } = message;
  if (![author, ...[...allStamps, ...allLikes].map(({ user }) => user)].some((user) => former.has(user))) {
    return message;
  }
  const isHere = ({ user }: { readonly user: string }) => !former.has(user);
  const [stamps, likes] = [message.stamps.filter(isHere), message.likes.filter(isHere)];
  const gone = former.get(message.author);
  if (gone === undefined || message.deletedAt !== null) return { ...message, stamps, likes };
  const after = toTimestamp(message.at + 1);
  return {
    ...message,
    body: null,
    mentions: [],
    stamps: [],
    likes: [],
    deletedAt: gone > after ? gone : after,
  };
}

/**
 * The items that a run before may have written of a message: it did not know yet that someone who has a part in it
 * would delete their account.
 */
export function leftByRunBefore(before: MessageWithReactions, after: MessageWithReactions): Key[] {
  const keysOf = (whole: MessageWithReactions) =>
    historyItems(whole, NEWEST_SHAPE).flatMap(itemsIn).map(keyOf);
  const written = new Set(keysOf(after).map(keyName));
  return keysOf(before).filter((key) => !written.has(keyName(key)));
}

const KEYS_AT_ONCE = 100;

/**
 * Deletes those of these items that are there. To be called before their messages are written: the job that deletes
 * the account counts a like down once for each item that it finds, and the messages are written without it.
 */
export async function removeLeft(
  { dynamo, pace }: { readonly dynamo: Dynamo; readonly pace: Pick<Pace, 'pay'> },
  left: readonly Key[],
): Promise<void> {
  for (let from = 0; from < left.length; from += KEYS_AT_ONCE) {
    const some = left.slice(from, from + KEYS_AT_ONCE);
    const items = await dynamo.batchGet(some);
    const found = some.filter((_, i) => items[i] !== undefined);
    if (found.length === 0) continue;
    // In a transaction.
    await pace.pay(2 * found.length);
    await dynamo.transact(found.map((key) => ({ delete: key })));
  }
}
