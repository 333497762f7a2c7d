import type { ItemLoader } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';
import { BoundedMap } from '../live/boundedMap.ts';
import type { TagName } from './tagName.ts';

/** How many names a process remembers, about 200 bytes each. */
const REMEMBERED_MAX = 10_000;

export interface TaggedRead<Page> {
  readonly user: string;
  readonly names: readonly TagName[];
  readonly items: ItemLoader;
  /** Reads a page of the messages that have all of these tags. Undefined: there is no tag with this name. */
  readonly read: (ids: ReadonlyArray<string | undefined>) => Promise<Page>;
}

/**
 * Reads pages of users' own lists by the names of tags. Names decide, and are read strongly each time. But the page is
 * read at the same time, with the ids that the names had when this process last read them. If they are others now,
 * because a tag was renamed, merged or deleted, that page is thrown away and the right one is read: one round trip
 * more, as for names that are not remembered.
 */
export function createTagIds() {
  const remembered = new BoundedMap<string, string>(REMEMBERED_MAX);

  return async function readTagged<Page>({ user, names, items, read }: TaggedRead<Page>): Promise<Page> {
    const tags = names.map(({ folded }) => ({
      key: keys.savedTagName(user, folded),
      name: `${user}#${folded}`,
    }));
    const guess = tags.map(({ name }) => remembered.get(name));
    const early = guess.every((id) => id !== undefined) ? read(guess) : undefined;
    // With the wrong tags, the cursor may be one of another list, for example.
    early?.catch(() => {});
    const reserved = await items.loadMany(tags.map(({ key }) => key));
    const ids = reserved.map((item) => item?.tag as string | undefined);
    for (const [i, { name }] of tags.entries()) {
      const id = ids[i];
      if (id === undefined) remembered.delete(name);
      else remembered.set(name, id);
    }
    const isRight = early !== undefined && ids.every((id, i) => id === guess[i]);
    return isRight ? early : read(ids);
  };
}
