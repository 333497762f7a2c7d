import type { Item } from '../dynamo/item.ts';
import { keys, type ParsedKey, savedTagsByCount } from '../dynamo/keys.ts';
import type { Contribution, Counter } from '../verify/counter.ts';
import { savedCountsOf } from './counts.ts';
import { entryOf, rowsOf, type SavedEntry } from './entry.ts';

const entryIn = (key: ParsedKey, item: Item): SavedEntry | undefined =>
  key.type === 'saved' ? entryOf(key, item) : undefined;

/** How many messages each user has saved. */
const savedCounter: Counter = {
  name: 'saved messages',
  stored(key, item) {
    if (key.type !== 'savedCounts') return undefined;
    const { public: publicCount, private: privateCount, untagged, reminders, version } = savedCountsOf(item);
    return { counts: { publicCount, privateCount, untagged, reminders }, version: String(version) };
  },
  contributions(key, item) {
    const entry = entryIn(key, item);
    if (entry === undefined) return [];
    const counted = keys.savedCounts(entry.user);
    return [
      { in: counted, name: entry.visibility === 'PUBLIC' ? 'publicCount' : 'privateCount' },
      ...(entry.tags.length === 0 ? [{ in: counted, name: 'untagged' }] : []),
      ...(entry.remindAt === null ? [] : [{ in: counted, name: 'reminders' }]),
    ];
  },
  fix: ({ rev }, { publicCount, privateCount, untagged, reminders }) => ({
    update:
      'SET publicCount = :public, privateCount = :private, untagged = :untagged, reminders = :reminders, rev = rev + :one',
    condition: 'rev = :rev',
    values: {
      ':public': publicCount,
      ':private': privateCount,
      ':untagged': untagged,
      ':reminders': reminders,
      ':rev': rev,
      ':one': 1,
    },
  }),
};

/** In how many lists each saved message is. */
const savedRowsCounter: Counter = {
  name: 'rows of saved messages',
  stored(key, item) {
    if (key.type !== 'saved') return undefined;
    return { counts: { rows: rowsOf(entryIn(key, item)).size }, version: String(item.rev) };
  },
  contributions: (key) =>
    key.type === 'savedRow' || key.type === 'reminder'
      ? [{ in: keys.saved(key.user, key), name: 'rows' }]
      : [],
};

/** How many saved messages have each tag, by their rows. A tag without any is left to the next change of it. */
const savedTagsCounter: Counter = {
  name: 'tags',
  stored(key, { count, publicCount, rev }) {
    if (key.type !== 'savedTag') return undefined;
    return {
      counts: { count: count as number, publicCount: publicCount as number },
      version: String(rev),
    };
  },
  contributions(key): readonly Contribution[] {
    if (key.type !== 'savedRow' || key.list === 'ALL' || key.list === 'UNTAGGED') return [];
    const tag = keys.savedTag(key.user, key.list);
    return [
      { in: tag, name: 'count' },
      ...(key.visibility === 'PUBLIC' ? [{ in: tag, name: 'publicCount' }] : []),
    ];
  },
  fix: ({ rev, gsi1sk }, { count = 0, publicCount }) => ({
    update: 'SET #count = :count, publicCount = :public, gsi1sk = :sorted, rev = rev + :one',
    condition: 'rev = :rev',
    names: { '#count': 'count' },
    values: {
      ':count': count,
      ':public': publicCount,
      ':rev': rev,
      ':one': 1,
      ':sorted': savedTagsByCount.sk(count, savedTagsByCount.tag(String(gsi1sk))),
    },
  }),
};

/** How many users have saved each message publicly. */
const savesCounter: Counter = {
  name: 'public saves',
  stored: (key, { saves, rev }) =>
    key.type === 'saves' ? { counts: { saves: saves as number }, version: String(rev) } : undefined,
  contributions(key, item) {
    const entry = entryIn(key, item);
    return entry?.visibility === 'PUBLIC' ? [{ in: keys.saves(entry), name: 'saves' }] : [];
  },
  fix: ({ rev }, { saves }) => ({
    update: 'SET saves = :saves, rev = rev + :one',
    condition: 'rev = :rev',
    values: { ':saves': saves, ':rev': rev, ':one': 1 },
  }),
};

export const savedCounters: readonly Counter[] = [
  savedCounter,
  savedRowsCounter,
  savedTagsCounter,
  savesCounter,
];
