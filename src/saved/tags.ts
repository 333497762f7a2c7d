import type { Dynamo } from '../dynamo/dynamo.ts';
import type { ItemLoader } from '../dynamo/itemLoader.ts';
import { keyOf, keys, parseKey, ranges, savedTagsByCount } from '../dynamo/keys.ts';
import type { PageRead, PageRequest } from '../graphql/connections.ts';
import { type SavedTag, savedTagOf } from './tag.ts';

/** A tag in a list, with its position there. */
export type ListedTag = SavedTag & { readonly position: string };

export type TagOrder =
  /** By their folded names, of which each begins with `prefix`. */
  | { readonly by: 'name'; readonly prefix: string }
  /** The largest count first. */
  | { readonly by: 'count' };

interface TagRow {
  readonly id: string;
  readonly position: string;
}

export function createTags({ dynamo }: { readonly dynamo: Dynamo }) {
  async function load(user: string, id: string, items: ItemLoader): Promise<SavedTag | undefined> {
    return savedTagOf(user, id, await items.load(keys.savedTag(user, id)));
  }

  /**
   * A page of the user's tags. Two round trips: the names, or the index, which lags; then the tags, with their names
   * and counts of this moment.
   */
  async function list(
    user: string,
    order: TagOrder,
    page: PageRequest,
    items: ItemLoader,
  ): Promise<PageRead<ListedTag>> {
    const { rows, more } =
      order.by === 'name' ? await byName(user, order.prefix, page) : await byCount(user, page);
    const tags = await Promise.all(
      rows.map(async ({ id, position }) => {
        const tag = await load(user, id, items);
        // Deleted, or renamed, after the row was read.
        const isListed = tag !== undefined && (order.by === 'count' || tag.name.folded === position);
        return isListed ? { ...tag, position } : undefined;
      }),
    );
    const nodes = tags.filter((tag) => tag !== undefined);
    const end = rows.at(-1)?.position;
    return { nodes: page.direction === 'forward' ? nodes : nodes.reverse(), more, end };
  }

  async function byName(user: string, prefix: string, { limit, direction, from }: PageRequest) {
    const { items, more } = await dynamo.query(ranges.savedTagNames(user, prefix), {
      limit,
      reverse: direction === 'backward',
      ...(from === undefined ? {} : { after: keys.savedTagName(user, from).sk }),
    });
    const rows = items.flatMap((item): TagRow[] => {
      const key = parseKey(keyOf(item));
      return key.type === 'savedTagName' ? [{ id: item.tag as string, position: key.tagName }] : [];
    });
    return { rows, more };
  }

  async function byCount(user: string, { limit, direction, from }: PageRequest) {
    const gsi1pk = savedTagsByCount.pk(user);
    const startKey = (position: string) => ({
      ...keys.savedTag(user, savedTagsByCount.tag(position)),
      gsi1pk,
      gsi1sk: position,
    });
    const { items, more } = await dynamo.queryIndex(gsi1pk, {
      limit,
      reverse: direction === 'forward',
      ...(from === undefined ? {} : { startKey: startKey(from) }),
    });
    const rows = items.map(({ gsi1sk }): TagRow => {
      const position = gsi1sk as string;
      return { id: savedTagsByCount.tag(position), position };
    });
    return { rows, more };
  }

  return { list };
}
