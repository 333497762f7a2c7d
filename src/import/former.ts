/** What an import may not bring back: texts, likes and stamps of accounts that were deleted here. */
import { type Timestamp, toTimestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import { userOf } from '../users/user.ts';
import type { ImportedMessage, ImportedPerson } from './types.ts';

/** Users, and when they deleted their accounts. */
type Former = ReadonlyMap<string, Timestamp>;

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

/** The message, deleted if its author has deleted their account, and without likes and stamps of those who have. */
export function withoutFormer(message: ImportedMessage, former: Former): ImportedMessage {
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
