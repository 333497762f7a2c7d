/**
 * Every key of the table. From the rows of `keyTable.ts`, one for each type of item, come `keys` (build), `ranges`
 * (query) and `parseKey` (the reverse). `indexKeys.ts` has the lists of the one global index, which is overloaded.
 * Other folders import all of them from here, and build and parse no key themselves.
 *
 * The first segment of a sort key is its level (ROOT, REPLY, STAMP), so a page of a room reads no replies, and a
 * page of a thread no stamps. The reactions of one user to the messages of one room are in one partition, in the
 * order of the messages, so one query reads them for a page. `#` separates the segments. Ids never contain it, and
 * text that clients choose is hashed before it becomes part of a key. Times are microseconds since 1970 in
 * 16 digits: they sort as text until the year 2286.
 */
import { type Timestamp, toTimestamp } from '../core/timestamps.ts';
import { savedLists } from './indexKeys.ts';
import type { Item } from './item.ts';
import {
  type Key,
  type KeyRange,
  keyBuilders,
  keyParser,
  MAX_SUFFIX,
  type Parsed,
  rangeBuilders,
} from './keyRow.ts';
import { type MessageTimestamps, rows, type SavedList } from './keyTable.ts';

export * from './indexKeys.ts';
export { isId, isStampKey, paddedSequence } from './keyParts.ts';
export type { Key, KeyRange } from './keyRow.ts';
export { MAX_SUFFIX } from './keyRow.ts';
export { hashed, type SavedList, TIMER_PARTITIONS, timerPartition } from './keyTable.ts';

const built = keyBuilders(rows);

export const keys = {
  ...built,
  /** A root if both timestamps are the same, otherwise a reply. */
  message: (room: string, threadTs: Timestamp, ts: Timestamp): Key =>
    threadTs === ts ? built.root(room, threadTs) : built.reply(room, threadTs, ts),
} as const;

/** Entries of one item of a room's log. */
export const LOG_ENTRIES_MAX = 50;

export const ranges = {
  ...rangeBuilders(rows),
  /** The reactions of a user to the messages from `first` to `last`: both roots, or both replies of one thread. */
  viewerReactions: (user: string, first: MessageTimestamps, last: MessageTimestamps): KeyRange => {
    const { pk, sk: from } = keys.like(user, first);
    return { pk, from, to: keys.like(user, last).sk + MAX_SUFFIX };
  },
  /** The log's items that have entries numbered `from` to `to`. */
  log: (room: string, from: number, to: number): KeyRange => ({
    pk: keys.log(room, from).pk,
    from: toTimestamp(from),
    // An item is numbered by its last entry, which may be after `to`.
    to: toTimestamp(to + LOG_ENTRIES_MAX - 1),
  }),
  /** One of a user's lists of saved messages, in the order of saving, from the first to the second time. */
  savedList: (list: SavedList, from: Timestamp = '0', to: Timestamp = ''): KeyRange => ({
    pk: savedLists.pk(list),
    from,
    to: to + MAX_SUFFIX,
  }),
  /** A user's reminders, the next one first. DynamoDB refuses an empty sort key, also as the beginning of a range. */
  reminders: (user: string): KeyRange => ({ pk: `USER#${user}#REMINDERS`, from: '0', to: MAX_SUFFIX }),
  /** Every item of a room except for its log. */
  roomItems: (room: string): KeyRange => ({ pk: keys.room(room).pk, from: '0', to: MAX_SUFFIX }),
  /** All of a room's log. */
  roomLog: (room: string): KeyRange => ({ pk: keys.log(room, 0).pk, from: '0', to: MAX_SUFFIX }),
  /** The timers of one partition that are due at `until` or before, in order. */
  timersUntil: (partition: number, until: number): KeyRange => ({
    pk: `DUE#${partition}`,
    from: '0',
    to: toTimestamp(until) + MAX_SUFFIX,
  }),
  /** The revocations from number `from` on, in order. */
  revocations: (from: number): KeyRange => {
    const { pk, sk } = keys.revocation(from);
    return { pk, from: sk, to: '9'.repeat(16) };
  },
} as const;

/** `unknown`: written by a newer version of the program, or by another program. */
export type ParsedKey = Parsed<typeof rows> | { readonly type: 'unknown' };

const UNKNOWN: ParsedKey = { type: 'unknown' };
const parse = keyParser(rows);

/** The reverse of `keys`. Never throws: a key that no row builds is `unknown`. */
export const parseKey = (key: Key): ParsedKey => parse(key) ?? UNKNOWN;

/** A key as one text, for maps and sets. */
export const keyName = ({ pk, sk }: Key | Item): string => `${pk}\n${sk}`;

/** The key of an item that was read from the table. */
export const keyOf = ({ pk, sk }: Item): Key => ({ pk: pk as string, sk: sk as string });
