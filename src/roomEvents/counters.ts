import { microsOf, toTimestamp } from '../core/timestamps.ts';
import { keys } from '../dynamo/keys.ts';
import { counterOf } from '../rooms/room.ts';
import type { Counter } from '../verify/counter.ts';

/** A room's counter item has the last position that a root got. */
export const positionsCounter: Counter = {
  name: 'positions',
  stored(key, item) {
    if (key.type !== 'counter') return undefined;
    const { lastPosition, lastSequence } = counterOf(item);
    return { counts: { messageCount: lastPosition }, version: String(lastSequence) };
  },
  contributions(key, { position }) {
    if (key.type !== 'root' || typeof position !== 'number') return [];
    return [{ in: keys.counter(key.room), name: 'messageCount', atLeast: position }];
  },
  // The new change number has no log entry, so clients that show the room notice a gap and read it again.
  fix: ({ changeCount }, { messageCount }) => ({
    update: 'SET messageCount = :counted, changeCount = changeCount + :one',
    condition: 'changeCount = :changes',
    values: { ':counted': messageCount, ':changes': changeCount, ':one': 1 },
  }),
};

/** A room's counter item names the latest of the roots that have a position. What is not known is not compared. */
export const newestRootsCounter: Counter = {
  name: 'newest roots',
  stored(key, item) {
    if (key.type !== 'counter') return undefined;
    const { newestRoot, lastSequence } = counterOf(item);
    if (newestRoot === undefined) return undefined;
    return { counts: { newestRoot: microsOf(newestRoot) }, version: String(lastSequence) };
  },
  contributions: (key, { position }) =>
    key.type === 'root' && typeof position === 'number'
      ? [{ in: keys.counter(key.room), name: 'newestRoot', atLeast: microsOf(key.threadTs) }]
      : [],
  fix: ({ changeCount, messageCount }, { newestRoot = 0 }) => ({
    update: 'SET newestRoot = :newest, newestRootOf = :messages, changeCount = changeCount + :one',
    condition: 'changeCount = :changes',
    values: {
      ':newest': toTimestamp(newestRoot),
      ':messages': messageCount,
      ':changes': changeCount,
      ':one': 1,
    },
  }),
};
