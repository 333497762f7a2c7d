import { wrongTime } from '../core/ahead.ts';
import { conflict, notFound } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { createKeyedMutex } from '../core/keyedMutex.ts';
import type { Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { createItemLoader, type ItemLoader } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import type { Write } from '../dynamo/write.ts';
import { memberAccess } from '../rooms/access.ts';
import {
  attempts,
  contentAfter,
  isSameContent,
  namesIn,
  namesOf,
  type SavedChange,
  tagDifferences,
  withoutTags,
} from './change.ts';
import { isPublic, REMINDERS_MAX, writeCounts, writeSaves } from './counts.ts';
import {
  deleteEntry,
  entryOf,
  remindAtOf,
  rowWrites,
  type SavedContent,
  type SavedEntry,
  type SavedKey,
  TAGS_MAX,
  versionOf,
  writeEntry,
  writeRemains,
} from './entry.ts';
import { timerWrites } from './reminders/reminder.ts';
import { newTag, type SavedTag, savedTagOf, writeTag } from './tag.ts';
import type { TagName } from './tagName.ts';

export interface SavingOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** An entry that was removed, with the names of its tags. */
export interface RemovedEntry {
  readonly entry: SavedEntry;
  readonly names: readonly string[];
}

/** The tag that has a name, or the one that will get it. */
interface Reserved {
  readonly id: string;
  readonly name: TagName;
  readonly isNew: boolean;
}

/** The most writes of a transaction. */
const WRITES_MAX = 100;

/**
 * Changes what users have saved. The entry, its rows, its tags and all counts change in one transaction on the entry's
 * version, so the counts equal the items at every moment.
 */
export function createSaving({ dynamo, timestamps, now = Date.now }: SavingOptions) {
  /** Every change writes the user's counts: those of one process are written one after another. */
  const users = createKeyedMutex();

  /**
   * Saves a message, or changes what was saved. Resolves to the entry as it is afterwards; unchanged content writes
   * nothing. Two reads and one transaction; without tags, one read. A new entry, and one that is public afterwards,
   * requires the membership in its transaction. `known`: the entry must exist.
   *
   * Throws NOT_FOUND and FORBIDDEN as for the message, CONFLICT if the entry is not at `change.version` and above
   * REMINDERS_MAX reminders, and BAD_USER_INPUT above TAGS_MAX tags and for a new time of a reminder that is too near
   * or too far. Only if a change needs more than WRITES_MAX writes (20 tags are replaced by 20 others) there are
   * several transactions, each of which raises the version: see `attempts`.
   */
  const save = (
    key: SavedKey,
    change: SavedChange,
    { known }: { readonly known: boolean },
  ): Promise<SavedEntry> =>
    users.run(key.user, () => {
      let isVersionChecked = change.version === undefined;
      let hasSaves = true;
      return dynamo.optimistic(async () => {
        const items = createItemLoader(dynamo);
        const { before, version, remindAt, reserved } = await load(key, namesIn(change), items);
        if (before === undefined && known) throw notFound();
        if (before === undefined) await assertMessage(key, items);
        if (!isVersionChecked && before?.version !== change.version) throw versionChanged();
        const wished = contentAfter(before, change, ({ folded }) => reserved.get(folded)?.id ?? '');
        if (before !== undefined && isSameContent(before, wished)) return before;
        assertTime(remindAt, wished);
        if (isPublic(wished)) await memberAccess(key.room, key.user, items);

        const savedAt = before?.savedAt ?? timestamps.next();
        const entryWith = (content: SavedContent): SavedEntry => ({
          ...key,
          savedAt,
          ...content,
          version: version + 1,
        });
        const possible = attempts(before, wished);
        const counted = possible.flatMap((content) => [
          ...tagDifferences([{ before, after: content }]).keys(),
        ]);
        const tags = await loadTags(key.user, counted, { items, reserved });
        const gone = new Set(counted.filter((id) => !tags.has(id)));
        // A tag that the entry does not have yet was deleted in the meantime; one that it has is gone, and is left out.
        if ([...gone].some((id) => before?.tags.includes(id) !== true)) return AGAIN;
        const wanted = withoutTags(wished, gone);
        const plans = possible.map((content) => {
          const after = entryWith(withoutTags(content, gone));
          return {
            after,
            writes: { entry: writeEntry(after, version), ...writesOf(before, after, { tags, hasSaves }) },
          };
        });
        const plan = plans.find(({ writes }) => Object.values(writes).flat().length <= WRITES_MAX);
        if (plan === undefined) throw new Error('A change of a saved message has too many writes.');
        const { after, writes } = plan;
        const failed = await dynamo.tryTransact(writes);
        if (failed !== undefined) {
          // The room was deleted: there is nothing to count down any more.
          if (failed.saves !== undefined && failed.saves.item === undefined) hasSaves = false;
          // The counts have no other condition.
          if (failed.counts !== undefined && failed.entry === undefined) throw tooManyReminders();
          return AGAIN;
        }
        isVersionChecked = true;
        return isSameContent(after, wanted) ? after : AGAIN;
      });
    });

  /**
   * Removes an entry; only its version and the time of its reminder are left. Null if there was none. One read, one
   * more if it has tags, and one transaction. One that has more than TAGS_MAX tags, as an earlier release could leave
   * it, has too many writes: another transaction takes tags away first.
   */
  const remove = (key: SavedKey): Promise<RemovedEntry | null> =>
    users.run(key.user, () => takeAway(key, writeRemains));

  /** As `remove`, without anything left. For accounts that are deleted. */
  const erase = (key: SavedKey): Promise<RemovedEntry | null> =>
    users.run(key.user, () => takeAway(key, deleteEntry));

  function takeAway(key: SavedKey, entryWrite: (before: SavedEntry) => Write): Promise<RemovedEntry | null> {
    let hasSaves = true;
    return dynamo.optimistic(async () => {
      const items = createItemLoader(dynamo);
      const { before } = await load(key, [], items);
      if (before === undefined) return null;
      // A tag that is gone needs no count: the entry's version says that it still has it, so no job has taken it away.
      const tags = await loadTags(key.user, before.tags, { items, reserved: new Map() });
      const kept = before.tags.slice(0, TAGS_MAX);
      const fewer =
        kept.length < before.tags.length ? { ...before, tags: kept, version: before.version + 1 } : undefined;
      const failed = await dynamo.tryTransact({
        entry: fewer === undefined ? entryWrite(before) : writeEntry(fewer, before.version),
        ...writesOf(before, fewer, { tags, hasSaves }),
        // What is public becomes no more so, and its user may have left the room.
        membership: undefined,
      });
      if (failed === undefined && fewer === undefined) {
        return { entry: before, names: namesOf(before.tags, tags) };
      }
      if (failed?.saves !== undefined && failed.saves.item === undefined) hasSaves = false;
      return AGAIN;
    });
  }

  /** The entry, and the tags that have these names; a name without a tag gets a new one. One round trip. */
  async function load(key: SavedKey, names: readonly TagName[], items: ItemLoader) {
    const { user, room, threadTs, ts } = key;
    const byName = new Map(names.map((name) => [name.folded, name]));
    const [item, , , , , ...reservations] = await items.loadMany([
      keys.saved(user, key),
      keys.message(room, threadTs, ts),
      // For the access, in the same round trip.
      ...[keys.room(room), keys.membership(user, room), keys.counter(room)],
      ...[...byName.keys()].map((folded) => keys.savedTagName(user, folded)),
    ]);
    const reserved = new Map(
      [...byName].map(([folded, name], i): [string, Reserved] => {
        const id = reservations[i]?.tag as string | undefined;
        return [folded, { id: id ?? newId(), name, isNew: id === undefined }];
      }),
    );
    return { before: entryOf(key, item), version: versionOf(item), remindAt: remindAtOf(item), reserved };
  }

  /** A message can be saved only by users who may see it. Reads nothing for members, because `load` did. */
  async function assertMessage({ user, room, threadTs, ts }: SavedKey, items: ItemLoader): Promise<void> {
    await memberAccess(room, user, items);
    if ((await items.load(keys.message(room, threadTs, ts))) === undefined) throw notFound();
  }

  /**
   * The time that the entry has, or had when it was removed, is not checked again: it may have become too near, or
   * passed. Then its timer is due at once.
   */
  function assertTime(before: number | null, { remindAt }: SavedContent): void {
    if (remindAt === null || remindAt === before) return;
    const wrong = wrongTime('input.remindAt', remindAt, now());
    if (wrong !== undefined) throw wrong;
  }

  /** Those of these tags that exist, by id. One round trip, if there are any. */
  async function loadTags(
    user: string,
    wanted: readonly string[],
    { items, reserved }: { readonly items: ItemLoader; readonly reserved: ReadonlyMap<string, Reserved> },
  ): Promise<ReadonlyMap<string, SavedTag>> {
    const ids = [...new Set(wanted)];
    const fresh = new Map(
      [...reserved.values()].filter(({ isNew }) => isNew).map(({ id, name }) => [id, newTag(user, id, name)]),
    );
    const tags = await Promise.all(
      ids.map(async (id) => fresh.get(id) ?? savedTagOf(user, id, await items.load(keys.savedTag(user, id)))),
    );
    const found = tags.filter((tag) => tag !== undefined);
    return new Map(found.map((tag) => [tag.id, tag]));
  }

  return { save, remove, erase };
}

/** Everything that a change of an entry writes, apart from the entry itself. */
function writesOf(
  before: SavedEntry | undefined,
  after: SavedEntry | undefined,
  { tags, hasSaves }: { readonly tags: ReadonlyMap<string, SavedTag>; readonly hasSaves: boolean },
) {
  const { user, room } = (after ?? before) as SavedEntry;
  const requiresMembership = after !== undefined && (before === undefined || isPublic(after));
  return {
    rows: rowWrites(before, after),
    tags: [...tagDifferences([{ before, after }])].flatMap(([id, by]) => {
      const tag = tags.get(id);
      return tag === undefined ? [] : writeTag(tag, by);
    }),
    counts: writeCounts(user, [{ before, after }]),
    timer: timerWrites(before, after),
    saves: hasSaves ? writeSaves((after ?? before) as SavedEntry, before, after) : undefined,
    membership: requiresMembership
      ? { check: keys.membership(user, room), condition: 'attribute_exists(pk)' }
      : undefined,
  };
}

const versionChanged = () =>
  conflict('VERSION_CHANGED', 'The saved message was changed on another device at the same time.');

const tooManyReminders = () =>
  conflict('LIMIT_REACHED', `You can have at most ${REMINDERS_MAX} reminders at a time.`);
