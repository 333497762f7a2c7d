import { Later } from '../core/later.ts';
import { PAGE_MAX } from '../core/pages.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { keyOf, ranges } from '../dynamo/keys.ts';
import type { MessageKey, ViewerItems } from '../messages/message.ts';
import type { ReactionKind } from './reactionKind.ts';

export interface ViewerReactionsOptions {
  readonly dynamo: Dynamo;
  readonly kinds: ReadonlyArray<Pick<ReactionKind, 'maxPerUser'>>;
}

/** The user's saved message is in the same range. */
const SAVED_PER_USER = 1;

/**
 * A user's reactions to the messages of a page, and what they have saved of it: one query for all of them, and only if
 * one is asked for. The page has roots, or replies of one thread, in order.
 */
export function createViewerReactions({ dynamo, kinds }: ViewerReactionsOptions) {
  const limit = PAGE_MAX * kinds.reduce((sum, { maxPerUser }) => sum + maxPerUser, SAVED_PER_USER);

  return (user: string, page: readonly MessageKey[]): ViewerItems => {
    const [first, last] = [page[0], page.at(-1)];
    if (first === undefined || last === undefined) return { has: () => undefined };
    const range = ranges.viewerReactions(user, first, last);
    const found = new Map<string, Item>();
    let reading: Promise<void> | undefined;

    async function query(): Promise<void> {
      const { items } = await dynamo.query(range, { limit });
      for (const item of items) found.set(keyOf(item).sk, item);
    }

    const read = () => {
      reading ??= query();
      return reading;
    };

    return {
      has: ({ pk, sk }) => (pk === range.pk ? new Later(read(), () => found.has(sk)) : undefined),
      all: {
        read,
        get({ pk, sk }) {
          if (pk !== range.pk) throw new Error('The item belongs to another user or room.');
          return found.get(sk);
        },
      },
    };
  };
}
