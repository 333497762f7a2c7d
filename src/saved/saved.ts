import type { ItemLoader } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';
import type { PageRequest } from '../graphql/connections.ts';
import { type SavedCounts, savedCountsOf } from './counts.ts';
import { listSaved } from './pages.ts';
import { listReminders } from './reminders/list.ts';
import type { SavedQuery } from './rows.ts';
import { createSaving, type SavingOptions } from './saving.ts';
import { createTagIds } from './tagIds.ts';
import { createTags } from './tags.ts';

export type Saved = ReturnType<typeof createSaved>;

/** The messages that users have saved. */
export function createSaved(options: SavingOptions) {
  const { dynamo } = options;
  const { list: tags } = createTags(options);
  return {
    ...createSaving(options),
    tags,
    readTagged: createTagIds(),
    list: (query: SavedQuery, page: PageRequest, items: ItemLoader) => listSaved(dynamo, query, page, items),
    reminders: (user: string, page: Pick<PageRequest, 'limit' | 'from'>, items: ItemLoader) =>
      listReminders(dynamo, user, page, items),
    /** Exact. One round trip. */
    counts: async (user: string, items: ItemLoader): Promise<SavedCounts> =>
      savedCountsOf(await items.load(keys.savedCounts(user))),
  };
}
