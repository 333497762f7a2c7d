import { badUserInput, conflict, notFound } from '../../core/errors.ts';
import type { Timestamps } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { keyOf, keys, parseKey, ranges } from '../../dynamo/keys.ts';
import { AGAIN } from '../../dynamo/optimistic.ts';
import { FIRST_SHAPE } from '../../dynamo/shapes.ts';
import { type User, userOf } from '../user.ts';
import { BLOCKED_MAX } from './block.ts';

export type Blocks = ReturnType<typeof createBlocks>;

export interface BlocksOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
}

interface BlocksPage {
  readonly limit: number;
  /** The id of a user to start after. Undefined: from the beginning. */
  readonly from: string | undefined;
}

/**
 * The users that a user has blocked. A blocked user cannot add the other to rooms (`rooms/membership/consent.ts`),
 * their mentions of the other stay text (`messages/mentions.ts`), and the other is not notified of what they do
 * (`notifications/derive/store.ts`). No field shows a block to anyone except the user who made it.
 */
export function createBlocks({ dynamo, timestamps }: BlocksOptions) {
  /**
   * Takes one read and one transaction. Idempotent. Throws NOT_FOUND, BAD_USER_INPUT, and CONFLICT above BLOCKED_MAX.
   */
  const block = (user: string, other: string): Promise<User> =>
    dynamo.optimistic(async () => {
      const blocked = await load(user, other);
      const failed = await dynamo.tryTransact({
        block: {
          put: { ...keys.block(user, other), v: FIRST_SHAPE, at: timestamps.next() },
          condition: 'attribute_not_exists(pk)',
        },
        count: {
          key: keys.blockCount(user),
          update:
            'SET blocked = if_not_exists(blocked, :none) + :one, rev = if_not_exists(rev, :none) + :one, v = :v',
          condition: 'attribute_not_exists(blocked) OR blocked < :max',
          values: { ':none': 0, ':one': 1, ':max': BLOCKED_MAX, ':v': FIRST_SHAPE },
        },
      });
      if (failed === undefined || failed.block !== undefined) return blocked;
      if (failed.count !== undefined)
        throw conflict('LIMIT_REACHED', `You can block at most ${BLOCKED_MAX} people.`);
      return AGAIN;
    });

  /** Takes one read and one transaction. Idempotent. Throws NOT_FOUND, BAD_USER_INPUT. */
  const unblock = (user: string, other: string): Promise<User> =>
    dynamo.optimistic(async () => {
      const blocked = await load(user, other);
      const failed = await dynamo.tryTransact({
        block: { delete: keys.block(user, other), condition: 'attribute_exists(pk)' },
        count: {
          key: keys.blockCount(user),
          update: 'SET blocked = blocked - :one, rev = rev + :one',
          values: { ':one': 1 },
        },
      });
      return failed === undefined || failed.block !== undefined ? blocked : AGAIN;
    });

  async function load(user: string, other: string): Promise<User> {
    if (user === other) throw badUserInput('input.userId', 'You cannot block yourself.');
    const item = await dynamo.get(keys.user(other));
    if (item === undefined) throw notFound();
    return userOf(other, item);
  }

  /** The ids of the users that the user has blocked, in their order. One query. */
  async function blockedBy(user: string, { limit, from }: BlocksPage) {
    const after = from === undefined ? {} : { after: keys.block(user, from).sk };
    const { items, more } = await dynamo.query(ranges.blocks(user), { limit, ...after });
    const nodes = items.flatMap((item) => {
      const key = parseKey(keyOf(item));
      return key.type === 'block' ? [key.blocked] : [];
    });
    return { nodes, more };
  }

  return { block, unblock, blockedBy };
}
