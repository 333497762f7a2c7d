import { keys } from '../../dynamo/keys.ts';
import type { Counter } from '../../verify/counter.ts';
import { blockCountOf } from './block.ts';

/** How many users each user has blocked. */
export const blocksCounter: Counter = {
  name: 'blocks',
  stored: (key, item) =>
    key.type === 'blockCount'
      ? { counts: { blocked: blockCountOf(item) }, version: String(item.rev) }
      : undefined,
  contributions: (key) => (key.type === 'block' ? [{ in: keys.blockCount(key.user), name: 'blocked' }] : []),
  fix: ({ rev }, { blocked }) => ({
    update: 'SET blocked = :blocked, rev = rev + :one',
    condition: 'rev = :rev',
    values: { ':blocked': blocked, ':rev': rev, ':one': 1 },
  }),
};
