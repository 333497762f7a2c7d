/** The items of blocks, and the conditions that others put on them. */
import type { Item } from '../../dynamo/item.ts';
import type { ItemSource } from '../../dynamo/itemLoader.ts';
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

/** Which of these users someone has blocked. One round trip. */
export async function blockedAmong(
  source: ItemSource,
  user: string,
  others: readonly string[],
): Promise<Set<string>> {
  const blocks = await source.batchGet(others.map((other) => keys.block(user, other)));
  return new Set(others.filter((_, i) => blocks[i] !== undefined));
}
