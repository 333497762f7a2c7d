import { bulkWrite } from '../../../src/dynamo/bulkWrite.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { keys, publicTags, savedTagsByCount, savers } from '../../../src/dynamo/keys.ts';
import { SCHEMA_VERSION } from '../../../src/dynamo/table.ts';
import { rowsOf, type SavedEntry } from '../../../src/saved/entry.ts';
import { onDynamoDbLocal } from '../../support/database/dynamo.ts';

/** Writes what one user has saved, without the counts of the messages. The tags are named by their ids. */
export async function writeSavedMessages(dynamo: Dynamo, entries: readonly SavedEntry[]): Promise<void> {
  const user = entries[0]?.user ?? '';
  const [v, rev] = [SCHEMA_VERSION, 1];
  const isPublic = ({ visibility }: SavedEntry) => visibility === 'PUBLIC';
  const counts = new Map<string, { count: number; publicCount: number }>();
  for (const entry of entries) {
    for (const tag of entry.tags) {
      const { count, publicCount } = counts.get(tag) ?? { count: 0, publicCount: 0 };
      counts.set(tag, { count: count + 1, publicCount: publicCount + Number(isPublic(entry)) });
    }
  }
  const publicCount = entries.filter(isPublic).length;
  const untagged = entries.filter(({ tags }) => tags.length === 0).length;
  const items = [
    ...entries.flatMap((entry) => [
      {
        ...{ ...keys.saved(user, entry), v, rev, savedAt: entry.savedAt, tags: [...entry.tags] },
        visibility: entry.visibility,
        ...(entry.remindAt === null ? {} : { remindAt: entry.remindAt }),
        ...(isPublic(entry) ? { gsi1pk: savers.pk(entry), gsi1sk: savers.sk(entry.savedAt, user) } : {}),
      },
      ...rowsOf(entry).values(),
    ]),
    ...[...counts].flatMap(([id, count]) => [
      {
        ...{ ...keys.savedTag(user, id), v, rev, name: id, folded: id, ...count },
        ...{ gsi1pk: savedTagsByCount.pk(user), gsi1sk: savedTagsByCount.sk(count.count, id) },
      },
      {
        ...{ ...keys.savedTagName(user, id), v, tag: id },
        ...(count.publicCount > 0 ? { gsi1pk: publicTags.pk(user), gsi1sk: publicTags.sk(id, id) } : {}),
      },
    ]),
    {
      ...{ ...keys.savedCounts(user), v, rev, publicCount, untagged },
      ...{ privateCount: entries.length - publicCount },
      reminders: entries.filter(({ remindAt }) => remindAt !== null).length,
    },
  ];
  await bulkWrite({ dynamo, items, by: onDynamoDbLocal ? 'batches' : 'transactions' });
}
