import type { Exchange, ExchangeIO, Operation, OperationResult } from '@urql/core';
import { cacheExchange, type KeyingConfig } from '@urql/exchange-graphcache';
import { empty, filter, merge, type Source, share } from 'wonka';

declare module '@urql/core' {
  interface OperationContext {
    readonly isUncached?: boolean;
  }
}

/** The context of a request whose answer is not cached. */
export const UNCACHED = { isUncached: true } as const;

/** Types without an `id`: they are embedded in their parent, or identified by another field. */
const keys: KeyingConfig = Object.fromEntries(
  ['Unread', 'RoomUnread', 'StampCount', 'Ban'].map((type) => [type, () => null]),
);
keys.Stamp = ({ key }) => (typeof key === 'string' ? key : null);

/**
 * Keeps one copy of each room, membership and user, whichever query returned it. A room that is renamed is renamed
 * in the list, the header and the directory. The cache keeps the pages of a list separately, and the caller
 * concatenates them: the cache cannot know which pages still belong together.
 */
export const createCache = (): Exchange => exceptUncached(cacheExchange({ keys }));

/** Sends requests with the context `UNCACHED` past an exchange, in both directions. */
const exceptUncached =
  (exchange: Exchange): Exchange =>
  (input) =>
  (operations) => {
    const isUncached = ({ context }: Operation) => context.isUncached === true;
    const isCached = (operation: Operation) => !isUncached(operation);
    const all = share(operations);
    let uncachedResults: Source<OperationResult> = empty;
    // Each exchange may call `forward` once, so both kinds of requests are merged after the exchange.
    const forward: ExchangeIO = (forwarded) => {
      const results = share(input.forward(merge([forwarded, filter(isUncached)(all)])));
      uncachedResults = filter<OperationResult>(({ operation }) => isUncached(operation))(results);
      return filter<OperationResult>(({ operation }) => isCached(operation))(results);
    };
    const results = exchange({ ...input, forward })(filter(isCached)(all));
    return merge([results, uncachedResults]);
  };
