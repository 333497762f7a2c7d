/** The items of blocks, and the conditions that others put on them. */
import type { Item } from '../../dynamo/item.ts';
import { keys } from '../../dynamo/keys.ts';
import type { Write } from '../../dynamo/write.ts';

/** The most users that one user may block. */
export const BLOCKED_MAX = 500;

/** Fails if `user` has blocked `other`. */
export const notBlocked = (user: string, other: string): Write => ({
  check: keys.block(user, other),
  condition: 'attribute_not_exists(pk)',
});

/** How many users someone has blocked, by the item that counts them. */
export const blockCountOf = (item: Item | undefined): number => (item?.blocked as number | undefined) ?? 0;
