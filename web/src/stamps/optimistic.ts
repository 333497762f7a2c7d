import type { StampPartsFragment } from '../generated/graphql.ts';
import type { Message, Patch } from '../timeline/message.ts';

/**
 * Adds the viewer's stamp to a message, in the order of the server: the catalogue's, then others by key. Idempotent.
 */
export const withOwnStamp =
  (stamp: StampPartsFragment, catalogue: readonly StampPartsFragment[]): Patch =>
  (message) => {
    const counts = message.stampCounts;
    if (counts.some((count) => count.stamp.key === stamp.key)) {
      return changed(message, stamp.key, { by: 1, own: true });
    }
    const order = new Map(catalogue.map(({ key }, index) => [key, index]));
    const placeOf = (key: string) => order.get(key) ?? catalogue.length;
    const stampCounts = [...counts, { stamp, count: 1, viewerHasStamped: true }].sort(
      ({ stamp: { key: one } }, { stamp: { key: other } }) =>
        placeOf(one) - placeOf(other) || Number(one > other) - Number(one < other),
    );
    return { ...message, stampCounts };
  };

/** Removes the viewer's stamp. A stamp with a count of 0 disappears. */
export const withoutOwnStamp =
  (key: string): Patch =>
  (message) => {
    const without = changed(message, key, { by: -1, own: false });
    return { ...without, stampCounts: without.stampCounts.filter(({ count }) => count > 0) };
  };

const changed = (message: Message, key: string, { by, own }: { by: number; own: boolean }): Message => ({
  ...message,
  stampCounts: message.stampCounts.map((count) =>
    count.stamp.key === key && count.viewerHasStamped !== own
      ? { ...count, count: count.count + by, viewerHasStamped: own }
      : count,
  ),
});
