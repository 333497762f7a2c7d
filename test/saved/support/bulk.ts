import { toTimestamp } from '../../../src/core/timestamps.ts';
import { bulkWrite } from '../../../src/dynamo/bulkWrite.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import type { Item } from '../../../src/dynamo/item.ts';
import { type Key, keys, publicTags, savedTagsByCount, savers } from '../../../src/dynamo/keys.ts';
import { FIRST_SHAPE } from '../../../src/dynamo/shapes.ts';
import { rowsOf, type SavedEntry } from '../../../src/saved/entry.ts';
import { onDynamoDbLocal } from '../../support/database/dynamo.ts';

const [v, rev] = [FIRST_SHAPE, 1];

/** Writes what one user has saved, without the counts of the messages. The tags are named by their ids. */
export async function writeSavedMessages(dynamo: Dynamo, entries: Iterable<SavedEntry>): Promise<void> {
  await bulkWrite({ dynamo, items: savedItems(entries), by: onDynamoDbLocal ? 'batches' : 'transactions' });
}

/**
 * The items of what one user has saved, as `writeSavedMessages` writes them. Holds the tags and one entry in memory.
 */
export function* savedItems(entries: Iterable<SavedEntry>): Generator<Key & Item, void> {
  let [user, publicCount, privateCount, untagged, reminders] = ['', 0, 0, 0, 0];
  const tags = new Map<string, TagCount>();
  for (const entry of entries) {
    const isPublic = entry.visibility === 'PUBLIC';
    user = entry.user;
    if (isPublic) publicCount++;
    else privateCount++;
    if (entry.tags.length === 0) untagged++;
    if (entry.remindAt !== null) reminders++;
    for (const tag of entry.tags) {
      const { count, publicCount } = tags.get(tag) ?? { count: 0, publicCount: 0 };
      tags.set(tag, { count: count + 1, publicCount: publicCount + Number(isPublic) });
    }
    yield {
      ...keys.saved(user, entry),
      v,
      rev,
      savedAt: entry.savedAt,
      tags: [...entry.tags],
      visibility: entry.visibility,
      ...(entry.remindAt === null ? {} : { remindAt: entry.remindAt }),
      ...(isPublic ? { gsi1pk: savers.pk(entry), gsi1sk: savers.sk(entry.savedAt, user) } : {}),
    };
    yield* rowsOf(entry).values();
  }
  for (const [id, count] of tags) yield* tagItems(user, id, count);
  yield { ...keys.savedCounts(user), v, rev, publicCount, privateCount, untagged, reminders };
}

interface TagCount {
  readonly count: number;
  readonly publicCount: number;
}

const tagItems = (user: string, id: string, count: TagCount): Array<Key & Item> => [
  {
    ...keys.savedTag(user, id),
    v,
    rev,
    name: id,
    folded: id,
    ...count,
    gsi1pk: savedTagsByCount.pk(user),
    gsi1sk: savedTagsByCount.sk(count.count, id),
  },
  {
    ...keys.savedTagName(user, id),
    v,
    tag: id,
    ...(count.publicCount > 0 ? { gsi1pk: publicTags.pk(user), gsi1sk: publicTags.sk(id, id) } : {}),
  },
];

/**
 * How many `commonEntries` of each visibility there are: more than a page examines of any list but one of several tags.
 */
const COMMON = 200;

/**
 * Later ones than `goneEntries` of messages that do not exist, with the tag `common`: the part of a long list before
 * its newest.
 */
export function* commonEntries(user: string): Generator<SavedEntry, void> {
  const start = (Date.now() - 5) * 1_000;
  for (let i = 0; i < 2 * COMMON; i++) {
    const ts = toTimestamp(1_000_000 + i);
    yield {
      user,
      room: 'gone',
      threadTs: ts,
      ts,
      savedAt: toTimestamp(start + i),
      note: null,
      version: 1,
      remindAt: null,
      tags: ['common'],
      visibility: i % 2 === 0 ? 'PUBLIC' : 'PRIVATE',
    };
  }
}

/** How many of them have reminders: less than the maximum, because more are saved. */
const REMINDERS_MAX = 900;

/**
 * `count` messages that do not exist any more. The first half is private. Each other one has the tag `common` and one
 * of `count / 10`, and the rest has none. The first ten look the same with any `count`.
 */
export function* goneEntries(user: string, count: number): Generator<SavedEntry, void> {
  const start = (Date.now() - count) * 1_000;
  const due = Date.now() + 350 * 24 * 3_600_000;
  for (let i = 0; i < count; i++) {
    const ts = toTimestamp(1_000 + i);
    yield {
      user,
      room: 'gone',
      threadTs: ts,
      ts,
      savedAt: toTimestamp(start + i),
      note: null,
      version: 1,
      remindAt: i < count - REMINDERS_MAX ? null : due + i,
      visibility: i < count / 2 ? 'PRIVATE' : 'PUBLIC',
      tags: i % 2 === 1 ? ['common', `t${Math.floor(i / 10)}`] : [],
    };
  }
}
