import type { Exchange } from '@urql/core';
import { cacheExchange, type KeyingConfig } from '@urql/exchange-graphcache';

/** What has no `id`: a part of what holds it, or known by something else. */
const keys: KeyingConfig = Object.fromEntries(
  ['Unread', 'RoomUnread', 'StampCount', 'Ban'].map((type) => [type, () => null]),
);
keys.Stamp = ({ key }) => (typeof key === 'string' ? key : null);

/**
 * One copy of each room, membership and person, whichever query brought it: a room that is renamed is renamed
 * in the list, the header and the directory. Of a list of several pages each is kept for itself, and whoever shows
 * it puts them together: the cache cannot know which of them still belong together.
 */
export const createCache = (): Exchange => cacheExchange({ keys });
