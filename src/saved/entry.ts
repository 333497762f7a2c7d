/** A saved message as it is stored: the entry beside the user's reactions, and a row in each list that it is in. */
import { isDeepStrictEqual } from 'node:util';
import { defined } from '../core/defined.ts';
import type { Timestamp } from '../core/timestamps.ts';
import type { Item } from '../dynamo/item.ts';
import { isId, type Key, keyName, keys, savedLists, savers } from '../dynamo/keys.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import type { Write } from '../dynamo/write.ts';
import { type MessageKey, messageId, parseMessageId } from '../messages/message.ts';

export const VISIBILITIES = ['PUBLIC', 'PRIVATE'] as const;
/** `PUBLIC`: everyone who may see the message sees that the user has saved it, with its note and tags. */
export type SavedVisibility = (typeof VISIBILITIES)[number];

/** The most tags of a saved message. */
export const TAGS_MAX = 20;
/** The most code points of a note. */
export const NOTE_MAX = 250;

/** What a user chooses about a saved message. */
export interface SavedContent {
  readonly visibility: SavedVisibility;
  readonly note: string | null;
  /** The ids of the tags, in the order in which they were added. */
  readonly tags: readonly string[];
  /** When the user is reminded of it, in milliseconds since 1970. Null: never. */
  readonly remindAt: number | null;
}

export interface SavedEntry extends MessageKey, SavedContent {
  readonly user: string;
  readonly savedAt: Timestamp;
  /** Rises with every change, also if the message was removed in between. */
  readonly version: number;
}

/** Names a saved message: there is one for each user and message. */
export type SavedKey = MessageKey & Pick<SavedEntry, 'user'>;

/** The part of a saved message's global id after the type's name. */
export const savedId = (key: SavedKey): string => `${key.user}:${messageId(key)}`;

export function parseSavedId(id: string): SavedKey | undefined {
  const end = id.indexOf(':');
  const [user, message] = [id.slice(0, Math.max(end, 0)), parseMessageId(id.slice(end + 1))];
  return message !== undefined && isId(user) ? { user, ...message } : undefined;
}

/** The version of an entry, or of what is left of one that was removed; 0 if there never was one. */
export const versionOf = (item: Item | undefined): number => (item?.rev as number | undefined) ?? 0;

/** The reminder of an entry, or the one that it had when it was removed. */
export const remindAtOf = (item: Item | undefined): number | null =>
  (item?.remindAt as number | undefined) ?? null;

/** Undefined if the message is not saved: what is left of a removed entry is its version and its reminder's time. */
export function entryOf(
  { user, room, threadTs, ts }: SavedKey,
  item: Item | undefined,
): SavedEntry | undefined {
  if (item?.savedAt === undefined) return undefined;
  return {
    user,
    room,
    threadTs,
    ts,
    savedAt: item.savedAt as Timestamp,
    visibility: item.visibility as SavedVisibility,
    note: (item.note as string | undefined) ?? null,
    tags: (item.tags as readonly string[] | undefined) ?? [],
    remindAt: remindAtOf(item),
    version: versionOf(item),
  };
}

/**
 * Stores an entry, on the condition that it is as it was read: at version `before`. `remindedAt`: when a reminder was
 * due that ends with this change. It stays in the item, and notifies the user.
 */
export function writeEntry(entry: SavedEntry, before: number, remindedAt?: number): Write {
  const { user, savedAt, visibility, note, tags, remindAt, version } = entry;
  const isPublic = visibility === 'PUBLIC';
  const set = ['v = :v', 'savedAt = :savedAt', 'visibility = :visibility', 'tags = :tags', 'rev = :rev'];
  if (note !== null) set.push('note = :note');
  if (remindAt !== null) set.push('remindAt = :remindAt');
  if (remindedAt !== undefined) set.push('remindedAt = :remindedAt');
  if (isPublic) set.push('gsi1pk = :gsi1pk', 'gsi1sk = :gsi1sk');
  const remove = [
    ...(note === null ? ['note'] : []),
    ...(remindAt === null ? ['remindAt'] : []),
    ...(isPublic ? [] : ['gsi1pk', 'gsi1sk']),
  ];
  const { condition, values } = unchanged(before);
  return {
    key: keys.saved(user, entry),
    update: `SET ${set.join(', ')}${remove.length > 0 ? ` REMOVE ${remove.join(', ')}` : ''}`,
    condition,
    values: {
      ...values,
      ':v': FIRST_SHAPE,
      ':savedAt': savedAt,
      ':visibility': visibility,
      ':rev': version,
      ':tags': [...tags],
      ...defined({
        ':note': note ?? undefined,
        ':remindAt': remindAt ?? undefined,
        ':remindedAt': remindedAt,
      }),
      ...(isPublic ? { ':gsi1pk': savers.pk(entry), ':gsi1sk': savers.sk(savedAt, user) } : {}),
    },
  };
}

/** What is left of an entry that is removed. The time of its reminder may be set again, to restore it. */
export const writeRemains = ({ user, version, remindAt, ...message }: SavedEntry): Write => ({
  put: {
    ...keys.saved(user, message),
    v: FIRST_SHAPE,
    rev: version + 1,
    ...defined({ remindAt: remindAt ?? undefined }),
  },
  ...unchanged(version),
});

/** Deletes an entry and its version. */
export const deleteEntry = ({ user, version, ...message }: SavedEntry): Write => ({
  delete: keys.saved(user, message),
  ...unchanged(version),
});

const unchanged = (version: number) =>
  version === 0
    ? { condition: 'attribute_not_exists(pk)', values: {} }
    : { condition: 'rev = :before', values: { ':before': version } };

/** When the last reminder of an entry was due. Undefined if there was none. */
export const remindedAtOf = (item: Item | undefined): number | undefined =>
  item?.remindedAt as number | undefined;

/**
 * The rows of an entry, by the names of their keys: one in the list of all messages of its visibility, one for each
 * tag, or in the list of untagged ones, and one in the list of reminders. Both visibilities together are read as two
 * lists.
 */
export function rowsOf(entry: SavedEntry | undefined): Map<string, Key & Item> {
  if (entry === undefined) return new Map();
  const { user, visibility, tags, remindAt } = entry;
  const rows = ['ALL', ...(tags.length > 0 ? tags : ['UNTAGGED'])].map((list) => {
    const of = { user, visibility, list };
    const key = keys.savedRow(of, entry);
    // The order of the messages. With the ids of the tags, so that a page reads entries and tags at the same time.
    const index = { gsi1pk: savedLists.pk(of), gsi1sk: savedLists.sk(entry, tags) };
    return [keyName(key), { ...key, v: FIRST_SHAPE, ...index }] as const;
  });
  return new Map<string, Key & Item>([...rows, ...reminderRow(user, remindAt, entry)]);
}

/** With the ids of the tags, as the others. */
function reminderRow(user: string, remindAt: number | null, { tags, ...message }: SavedEntry) {
  if (remindAt === null) return [];
  const key = keys.reminder(user, remindAt, message);
  return [[keyName(key), { ...key, v: FIRST_SHAPE, tags: [...tags] }] as const];
}

/** The writes that turn the rows of one entry into those of another. */
export function rowWrites(before: SavedEntry | undefined, after: SavedEntry | undefined): Write[] {
  const [old, wanted] = [rowsOf(before), rowsOf(after)];
  const gone = [...old].filter(([name]) => !wanted.has(name));
  const changed = [...wanted].filter(([name, row]) => !isDeepStrictEqual(old.get(name), row));
  return [
    ...gone.map(([, { pk, sk }]): Write => ({ delete: { pk, sk } })),
    ...changed.map(([, row]): Write => ({ put: row })),
  ];
}
