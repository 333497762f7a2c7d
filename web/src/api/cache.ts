import type { Exchange } from '@urql/core';
import { cacheExchange, type KeyingConfig } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';

/** What has no `id`: a part of what holds it, or known by something else. */
const keys: KeyingConfig = Object.fromEntries(
  ['Unread', 'RoomUnread', 'StampCount', 'Ban'].map((type) => [type, () => null]),
);
keys.Stamp = ({ key }) => (typeof key === 'string' ? key : null);

/**
 * One copy of each room, membership and person, whichever query brought it: a room that is renamed is renamed
 * in the list, the header and the directory. Lists of several pages read as one.
 */
export const createCache = (): Exchange =>
  cacheExchange({
    keys,
    resolvers: {
      Query: { rooms: relayPagination() },
    },
  });
