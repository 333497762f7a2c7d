import pLimit from 'p-limit';

/**
 * Maps the items, at most `limit` at a time. The results are in the order of the items. Rejects with the first error;
 * the others are still mapped.
 *
 * For `p-limit`, which makes several functions and promises for each call and item: nearly all lists of a stream
 * handler have one item, and each event passes through a dozen of them.
 */
export async function mapAtMost<T, R>(
  limit: number,
  items: Iterable<T>,
  map: (item: T, index: number) => PromiseLike<R> | R,
): Promise<R[]> {
  const list = [...items];
  if (list.length > limit) return pLimit(limit).map(list, map);
  return Promise.all(list.map(async (item, at) => map(item, at)));
}
