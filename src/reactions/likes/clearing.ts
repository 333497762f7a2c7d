import { setTimeout as wait } from 'node:timers/promises';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { ConditionsFailed } from '../../dynamo/errors.ts';
import type { Item } from '../../dynamo/item.ts';
import { type Key, keys, likers } from '../../dynamo/keys.ts';
import type { MessageKey } from '../../messages/message.ts';
import { LeftoversRemain } from '../cleanup.ts';

/** Likes that are cleared in one step: with the message they are one transaction. */
export const AT_ONCE = 50;
/** Pages of the index that one step looks through for likes that are there still. */
const PAGES_MAX = 40;
/**
 * How often the index is looked through, and how much longer the wait becomes each time: 1 s in all, for which the
 * changes behind this one wait. The dispatcher asks several times before it sets a change aside.
 */
const LOOKS = 5;
const WAIT_MS = 100;

/** How many likes of a deleted message are in the table still: its `likeCount` goes on counting them. */
export const likesLeft = (message: Item | undefined): number =>
  message?.deletedAt === undefined ? 0 : Number(message.likeCount ?? 0);

/**
 * One step of clearing away the likes of a deleted message, at most AT_ONCE of them: an index names them, the
 * table says which are there, and each is removed and counted down in one transaction, so that what is left
 * is known whatever happens in between. A deleted message takes no new likes: step after step comes to an end.
 * Resolves to whether there was anything to clear. Throws `LeftoversRemain` where likes are left that the index
 * does not name.
 */
export async function clearSomeLikes(dynamo: Dynamo, message: MessageKey): Promise<boolean> {
  for (let look = 1; ; look++) {
    const found = await likesThere(dynamo, message);
    if (found.length > 0) return cleared(dynamo, message, found);
    const left = likesLeft(await dynamo.get(keys.message(message.room, message.t, message.c)));
    if (left === 0) return false;
    if (look === LOOKS) throw new LeftoversRemain(`The index names none of ${left} likes.`);
    await wait(look * WAIT_MS);
  }
}

/** All of them, step after step; `item`: the message as it was read. */
export async function clearLikes(dynamo: Dynamo, message: MessageKey, item: Item): Promise<void> {
  if (likesLeft(item) === 0) return;
  while (await clearSomeLikes(dynamo, message));
}

/** Likes that the index names and that are in the table, at most AT_ONCE. */
async function likesThere(dynamo: Dynamo, message: MessageKey): Promise<Key[]> {
  const gsi1pk = likers.pk(message);
  let start: { startKey?: Item } = {};
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const { items, more } = await dynamo.queryIndex(gsi1pk, { limit: AT_ONCE, ...start });
    // One that was given twice may be named twice while the index lags.
    const named = new Set(items.map(({ gsi1sk }) => likers.parts(gsi1sk as string).user));
    const wanted = [...named].map((user) => keys.like(user, message));
    const there = wanted.length === 0 ? [] : await dynamo.batchGet(wanted);
    const found = wanted.filter((_, i) => there[i] !== undefined);
    const last = items.at(-1);
    if (found.length > 0 || !more || last === undefined) return found;
    start = { startKey: last };
  }
  return [];
}

async function cleared(dynamo: Dynamo, message: MessageKey, likes: readonly Key[]): Promise<boolean> {
  try {
    await dynamo.transact([
      {
        key: keys.message(message.room, message.t, message.c),
        update: 'SET likeCount = likeCount - :gone',
        condition: 'attribute_exists(deletedAt)',
        values: { ':gone': likes.length },
      },
      ...likes.map((key) => ({ delete: key, condition: 'attribute_exists(pk)' })),
    ]);
  } catch (error) {
    // Another consumer clears the same message, and was faster.
    if (!(error instanceof ConditionsFailed)) throw error;
  }
  return true;
}
