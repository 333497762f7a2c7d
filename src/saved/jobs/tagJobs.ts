/** What is done to all saved messages with a tag. A step changes those that fit into one transaction. */
import { defined } from '../../core/defined.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { toTimestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import { type Key, keyName, keyOf, keys, parseKey, ranges } from '../../dynamo/keys.ts';
import { ifVersion, type Write } from '../../dynamo/write.ts';
import { type PersonJobKind, type PersonStep, STEP_WRITES_MAX } from '../../jobs/personJobs.ts';
import { type EntryChange, tagDifferences, withoutTags } from '../change.ts';
import { isPublic, writeCounts, writeSaves } from '../counts.ts';
import {
  entryOf,
  rowsOf,
  rowWrites,
  type SavedEntry,
  type SavedKey,
  type SavedVisibility,
  VISIBILITIES,
  versionOf,
  writeEntry,
} from '../entry.ts';
import { deleteTag, newTag, type SavedTag, savedTagOf, writeTag } from '../tag.ts';
import type { TagName } from '../tagName.ts';

/** Names of kinds of jobs. They are stored with each job. */
export const MERGE = 'mergeSavedTags';
export const DELETE = 'deleteSavedTag';
export const PUBLISH = 'setVisibilityOfTagged';

/** What a job is about: the tag, its name when the job was asked for, and what else the kind needs. */
export type AboutTag = {
  readonly user: string;
  readonly tag: string;
  readonly name: string;
};
export type AboutMerge = AboutTag & {
  readonly into: string;
  readonly intoName: string;
  readonly intoFolded: string;
};
export type AboutPublish = AboutTag & {
  readonly visibility: SavedVisibility;
  /** How many messages had the tag when the user confirmed it. */
  readonly expected: number;
};

export const countChanged = () =>
  conflict('COUNT_CHANGED', 'The number of messages with this tag has changed.');

/** How many messages with a tag do not have a visibility yet. */
export const countToPublish = (
  { count, publicCount }: Pick<SavedTag, 'count' | 'publicCount'>,
  visibility: SavedVisibility,
): number => (visibility === 'PUBLIC' ? count - publicCount : publicCount);

/** How many entries a step reads. With one tag each, a transaction can change all of them. */
const PAGE = 24;

interface Row {
  readonly key: SavedKey;
  readonly stored: Key;
  readonly position: string;
}

/** A row with its entry. `version`: of the entry, or of what is left of it. */
interface ReadRow extends Row {
  readonly entry: SavedEntry | undefined;
  readonly version: number;
}

interface Reading {
  readonly user: string;
  readonly tag: string;
  readonly visibilities: readonly SavedVisibility[];
  /** The position to start after. */
  readonly after?: string;
}

/** What a step does with an entry; undefined leaves it as it is. */
type ChangeEntry = (entry: SavedEntry) => Pick<SavedEntry, 'tags' | 'visibility'> | undefined;

export function createTagJobs({ dynamo }: { readonly dynamo: Dynamo }) {
  async function loadTag(user: string, id: string): Promise<SavedTag | undefined> {
    return savedTagOf(user, id, await dynamo.get(keys.savedTag(user, id)));
  }

  /** The next entries that have a tag, in the order of saving. Two round trips. */
  async function readEntries({ user, tag, visibilities, after }: Reading): Promise<ReadRow[]> {
    const pages = await Promise.all(
      visibilities.map((visibility) =>
        dynamo.query(ranges.savedList({ user, visibility, list: tag }), {
          limit: PAGE,
          ...defined({ after }),
        }),
      ),
    );
    const rows = pages
      .flatMap(({ items }) => items.flatMap(rowIn))
      .sort((one, other) => (one.position < other.position ? -1 : 1))
      .slice(0, PAGE);
    const items = await dynamo.batchGet(rows.map(({ key }) => keys.saved(user, key)));
    return rows.map((row, i) => ({
      ...row,
      entry: entryOf(row.key, items[i]),
      version: versionOf(items[i]),
    }));
  }

  /**
   * The writes of the first of these changes, up to what a step may have, and how many changes these are. An entry with
   * a tag that does not exist loses it: if it was changed after it was read, its version is another one, and the step
   * is planned again.
   */
  async function writesOf(user: string, changes: readonly EntryChange[], known: readonly SavedTag[]) {
    const tags = new Map(known.map((tag) => [tag.id, tag]));
    const missing = [...tagDifferences(changes).keys()].filter((id) => !tags.has(id));
    const hidden = changes.flatMap(({ before, after }) =>
      before !== undefined && after !== undefined && isPublic(before) && !isPublic(after) ? [after] : [],
    );
    const [found, saves] = await Promise.all([
      dynamo.batchGet(missing.map((id) => keys.savedTag(user, id))),
      dynamo.batchGet(hidden.map((entry) => keys.saves(entry))),
    ]);
    for (const [i, id] of missing.entries()) {
      const tag = savedTagOf(user, id, found[i]);
      if (tag !== undefined) tags.set(id, tag);
    }
    const gone = new Set(missing.filter((id) => !tags.has(id)));
    const kept = changes.map(({ before, after }) => ({ before, after: after && withoutTags(after, gone) }));
    const hasSaves = new Set(saves.flatMap((item) => (item === undefined ? [] : [keyName(item)])));
    for (let count = changes.length; count > 0; count--) {
      const some = kept.slice(0, count);
      const rooms = new Set(some.flatMap(({ before, after }) => publishedIn(before, after)));
      const differences = tagDifferences(some);
      const writes: Write[] = [
        ...some.flatMap((change) => entryWrites(change, hasSaves)),
        ...[...differences].flatMap(([id, by]) =>
          gone.has(id) ? [] : writeTag(tags.get(id) as SavedTag, by),
        ),
        writeCounts(user, some),
        ...[...rooms].map((room) => ({
          check: keys.membership(user, room),
          condition: 'attribute_exists(pk)',
        })),
      ];
      if (writes.length <= STEP_WRITES_MAX) return { writes, count, differences };
    }
    throw new Error('A saved message has too many items for a step.');
  }

  /** A step of a job that takes a tag from all entries, and ends together with the tag. */
  async function takeTag(about: AboutTag, into: SavedTag | undefined): Promise<PersonStep> {
    const { user, tag: id } = about;
    const tag = await loadTag(user, id);
    if (tag === undefined || into?.id === id) return { writes: [], next: null, done: 0 };
    const read = await readEntries({ user, tag: id, visibilities: VISIBILITIES });
    // The tag was read first: what is saved with it after that changes it, and then the step is planned again.
    if (read.length === 0) return { writes: deleteTag(tag), next: null, done: 0 };
    const change: ChangeEntry = ({ tags, visibility }) => {
      if (!tags.includes(id)) return undefined;
      const replaced = tags.map((one) => (one === id && into !== undefined ? into.id : one));
      return { visibility, tags: [...new Set(replaced)].filter((one) => one !== id) };
    };
    const stray = read.filter(isStray);
    if (stray.length > 0) return { writes: strayWrites(user, stray), next: AGAIN_FROM_START, done: 0 };
    const { writes, count, differences } = await writesOf(
      user,
      changesOf(read, change),
      into === undefined ? [tag] : [tag, into],
    );
    const isLast = tag.count + (differences.get(id)?.count ?? 0) === 0;
    return { writes, next: isLast ? null : AGAIN_FROM_START, done: count };
  }

  /** The tag that another becomes, also if all of its entries were removed in the meantime. */
  async function loadInto({ user, into, intoName, intoFolded }: AboutMerge): Promise<SavedTag> {
    const name: TagName = { shown: intoName, folded: intoFolded };
    const known = await loadTag(user, into);
    if (known !== undefined) return known;
    const reserved = await dynamo.get(keys.savedTagName(user, intoFolded));
    const other = reserved === undefined ? undefined : await loadTag(user, reserved.tag as string);
    return other ?? newTag(user, into, name);
  }

  const mergeKind: PersonJobKind<AboutMerge> = {
    name: MERGE,
    plan: async (about) => takeTag(about, await loadInto(about)),
  };

  const deleteKind: PersonJobKind<AboutTag> = {
    name: DELETE,
    plan: (about) => takeTag(about, undefined),
  };

  const publishKind: PersonJobKind<AboutPublish> = {
    name: PUBLISH,
    async plan({ user, tag: id, visibility, expected }, cursor, job) {
      const tag = await loadTag(user, id);
      if (tag === undefined) throw notFound();
      const begins = job.done === 0;
      // A merge before this job may have given the tag to thousands. Once it has begun, it ends what was confirmed.
      if (begins && tag.count !== expected) throw countChanged();
      // Jobs before this one may have changed it.
      const total = begins ? { total: countToPublish(tag, visibility) } : {};
      const step = (writes: readonly Write[], next: string | null, done: number): PersonStep => ({
        writes,
        next,
        done,
        ...total,
      });
      const visibilities = VISIBILITIES.filter((one) => one !== visibility);
      const read = await readEntries({
        user,
        tag: id,
        visibilities,
        ...(cursor === null ? {} : { after: cursor }),
      });
      const last = read.at(-1);
      if (last === undefined) return step([], null, 0);
      const mayChange = visibility === 'PRIVATE' ? () => true : await membershipsOf(user, read);
      // What is saved after the user has confirmed the number keeps its visibility.
      const until = toTimestamp(job.createdAt * 1_000 + 999);
      const change: ChangeEntry = ({ tags, room, savedAt }) =>
        tags.includes(id) && savedAt <= until && mayChange(room) ? { tags, visibility } : undefined;
      // An entry with a second row would be changed twice in one transaction.
      const changes = changesOf(
        read.filter((row) => !isStray(row)),
        change,
      );
      // A page that is not full is the last.
      const end = read.length < PAGE ? null : last.position;
      if (changes.length === 0) return step([], end, read.length);
      // On the version of the tag whose count was compared.
      const planned = await writesOf(user, changes, [tag]);
      if (planned.count === changes.length) return step(planned.writes, end, read.length);
      // Up to the last one that fits.
      const done = read.findIndex(({ entry }) => entry === changes[planned.count - 1]?.before) + 1;
      return step(planned.writes, read[done - 1]?.position ?? last.position, done);
    },
  };

  /** Whether the user is in a room. What they saved in one that they have left stays private. */
  async function membershipsOf(user: string, read: readonly Row[]): Promise<(room: string) => boolean> {
    const rooms = [...new Set(read.map(({ key: { room } }) => room))];
    const found = await dynamo.batchGet(rooms.map((room): Key => keys.membership(user, room)));
    const inside = new Set(rooms.filter((_, i) => found[i] !== undefined));
    return (room) => inside.has(room);
  }

  return { kinds: [mergeKind, deleteKind, publishKind] as readonly PersonJobKind[] };
}

/** The tag's list becomes shorter with every step, so the next step begins at its start. */
const AGAIN_FROM_START = '0';

function rowIn(item: Item): Row[] {
  const stored = keyOf(item);
  const key = parseKey(stored);
  return key.type === 'savedRow' ? [{ key, stored, position: stored.sk }] : [];
}

/** Whether a row is not one of its entry: it changed after the row was read, or the row was left behind. */
const isStray = ({ entry, stored }: ReadRow): boolean => !rowsOf(entry).has(keyName(stored));

/**
 * Deletes such rows, on the condition that their entries are as they were read. Else each step would find them again.
 */
function strayWrites(user: string, rows: readonly ReadRow[]): Write[] {
  const versions = new Map(
    rows.map(({ key, version }) => {
      const check = keys.saved(user, key);
      return [keyName(check), { check, ...ifVersion(version) }];
    }),
  );
  return [...rows.map(({ stored }): Write => ({ delete: stored })), ...versions.values()];
}

function changesOf(
  read: ReadonlyArray<{ readonly entry: SavedEntry | undefined }>,
  change: ChangeEntry,
): Array<EntryChange & { readonly before: SavedEntry; readonly after: SavedEntry }> {
  return read.flatMap(({ entry }) => {
    const content = entry === undefined ? undefined : change(entry);
    if (entry === undefined || content === undefined) return [];
    return [{ before: entry, after: { ...entry, ...content, version: entry.version + 1 } }];
  });
}

function entryWrites({ before, after }: EntryChange, hasSaves: ReadonlySet<string>): Write[] {
  if (before === undefined || after === undefined) return [];
  const saves = writeSaves(after, before, after);
  // The item of a deleted room does not exist any more.
  const isCounted = saves !== undefined && (isPublic(after) || hasSaves.has(keyName(keys.saves(after))));
  return [writeEntry(after, before.version), ...rowWrites(before, after), ...(isCounted ? [saves] : [])];
}

/** The room, if the entry becomes public: its membership is checked. */
const publishedIn = (before: SavedEntry | undefined, after: SavedEntry | undefined): string[] =>
  after !== undefined && isPublic(after) && (before === undefined || !isPublic(before)) ? [after.room] : [];
