import { PAGE_MAX } from '../core/pages.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { type Key, keyOf, ranges } from '../dynamo/keys.ts';
import type { MessageKey, ViewerItems } from '../messages/message.ts';
import type { ReactionKind } from './reactionKind.ts';

export interface ViewerReactionsOptions {
  readonly dynamo: Dynamo;
  readonly kinds: ReadonlyArray<Pick<ReactionKind, 'maxPerUser'>>;
}

/** The user's saved message is in the same range. */
const SAVED_PER_USER = 1;

/**
 * A user's reactions to the messages of a page, and what they have saved of it: one query for all of them, and only if one
 * is asked for. The page has roots, or replies of one thread, in order.
 */
export function createViewerReactions({ dynamo, kinds }: ViewerReactionsOptions) {
  const limit = PAGE_MAX * kinds.reduce((sum, { maxPerUser }) => sum + maxPerUser, SAVED_PER_USER);

  return (user: string, page: readonly MessageKey[]): ViewerItems => {
    let found: Promise<ReadonlyMap<string, Item>> | undefined;

    async function load(): Promise<ReadonlyMap<string, Item>> {
      const [first, last] = [page[0], page.at(-1)];
      if (first === undefined || last === undefined) return new Map();
      const { items } = await dynamo.query(ranges.viewerReactions(user, first, last), { limit });
      return new Map(items.map((item) => [keyOf(item).sk, item]));
    }

    async function find({ sk }: Key): Promise<Item | undefined> {
      found ??= load();
      return (await found).get(sk);
    }

    return { find, has: async (key) => (await find(key)) !== undefined };
  };
}
