import { defined } from '../../core/defined.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { ItemLoader } from '../../dynamo/itemLoader.ts';
import { keyOf, keys, parseKey, ranges } from '../../dynamo/keys.ts';
import type { PageRead, PageRequest } from '../../graphql/connections.ts';
import { isMember } from '../../rooms/access.ts';
import { entryOf } from '../entry.ts';
import type { ListedEntry } from '../pages.ts';

/**
 * A page of a user's reminders, the next one first. Two round trips: the rows, then what they name. A row whose entry
 * has changed in the meantime is left out.
 */
export async function listReminders(
  dynamo: Dynamo,
  user: string,
  { limit, from }: Pick<PageRequest, 'limit' | 'from'>,
  items: ItemLoader,
): Promise<PageRead<ListedEntry>> {
  const page = await dynamo.query(ranges.reminders(user), { limit, ...defined({ after: from }) });
  const entries = await Promise.all(
    page.items.map(async (row): Promise<ListedEntry | undefined> => {
      const stored = keyOf(row);
      const key = parseKey(stored);
      if (key.type !== 'reminder') return undefined;
      // Together with what a client shows of it.
      const [item] = await Promise.all([
        items.load(keys.saved(user, key)),
        items.load(keys.message(key.room, key.threadTs, key.ts)),
        isMember(key.room, user, items),
        items.loadMany((row.tags as readonly string[]).map((tag) => keys.savedTag(user, tag))),
      ]);
      const entry = entryOf(key, item);
      return entry?.remindAt === key.due ? { ...entry, position: stored.sk } : undefined;
    }),
  );
  return {
    nodes: entries.filter((entry) => entry !== undefined),
    more: page.more,
    end: page.items.at(-1)?.sk as string | undefined,
  };
}
