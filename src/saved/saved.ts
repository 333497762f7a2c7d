import type { Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { ItemLoader } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';
import { type SavedCounts, savedCountsOf } from './counts.ts';
import { listSaved, type SavedPage, type SavedQuery } from './pages.ts';
import { createSaving } from './saving.ts';

export interface SavedOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
}

export type Saved = ReturnType<typeof createSaved>;

/** The messages that users have saved. */
export function createSaved(options: SavedOptions) {
  const { dynamo } = options;
  return {
    ...createSaving(options),
    list: (query: SavedQuery, page: SavedPage, items: ItemLoader) => listSaved(dynamo, query, page, items),
    /** Exact. One round trip. */
    counts: async (user: string, items: ItemLoader): Promise<SavedCounts> =>
      savedCountsOf(await items.load(keys.savedCounts(user))),
  };
}
