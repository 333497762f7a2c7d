import { PAGE_MAX } from '../core/pages.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keyOf, ranges } from '../dynamo/keys.ts';
import type { MessageKey, ViewerItems } from '../messages/message.ts';
import type { ReactionKind } from './reactionKind.ts';

export interface ViewerReactionsOptions {
  readonly dynamo: Dynamo;
  readonly kinds: readonly ReactionKind[];
}

/**
 * A user's reactions to the messages of a page: one query for all of them, and only if a reaction is asked for.
 * The page has roots, or replies of one thread, in order.
 */
export function createViewerReactions({ dynamo, kinds }: ViewerReactionsOptions) {
  const limit = PAGE_MAX * kinds.reduce((sum, { maxPerUser }) => sum + maxPerUser, 0);

  return (user: string, page: readonly MessageKey[]): ViewerItems => {
    let reactions: Promise<ReadonlySet<string>> | undefined;

    async function loadViewerReactions(): Promise<ReadonlySet<string>> {
      const [first, last] = [page[0], page.at(-1)];
      if (first === undefined || last === undefined) return new Set();
      const { items } = await dynamo.query(ranges.viewerReactions(user, first, last), { limit });
      return new Set(items.map((item) => keyOf(item).sk));
    }

    return {
      async has({ sk }) {
        reactions ??= loadViewerReactions();
        return (await reactions).has(sk);
      },
    };
  };
}
