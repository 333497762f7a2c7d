import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import type { Item } from '../../../src/dynamo/item.ts';
import { keyName, keyOf, keys, parseKey, publicTags, savedTagsByCount } from '../../../src/dynamo/keys.ts';
import { type MessageKey, messageId } from '../../../src/messages/message.ts';
import { entryOf, rowsOf, type SavedEntry } from '../../../src/saved/entry.ts';
import { savedTagOf } from '../../../src/saved/tag.ts';

/** What a user has stored of saved messages. */
export interface Stored {
  readonly entries: readonly SavedEntry[];
  /** A line for each item that is missing, superfluous, or counts wrongly. */
  readonly faults: readonly string[];
}

/**
 * Compares the items of a user's saved messages with each other, by their definition: the rows are those of the
 * entries, each reminder has a timer, and all counts are counted again.
 */
export async function storedOf(dynamo: Dynamo, user: string): Promise<Stored> {
  const entries: SavedEntry[] = [];
  const items = new Map<string, Item>();
  const timers: string[] = [];
  for await (const item of dynamo.scan({})) {
    const key = parseKey(keyOf(item));
    if (key.type === 'timer' && key.timer.startsWith(`reminder:${user}:`)) {
      timers.push(`${key.timer} at ${key.due}`);
    }
    if (!('user' in key) || key.user !== user || !WANTED.has(key.type)) continue;
    const entry = key.type === 'saved' ? entryOf(key, item) : undefined;
    if (entry !== undefined) entries.push(entry);
    else if (key.type !== 'saved') items.set(keyName(item), item);
  }
  const expected = new Map(entries.flatMap((entry) => [...rowsOf(entry)]));
  const counts = items.get(keyName(keys.savedCounts(user)));
  const [open, hidden] = [entries.filter(isPublic), entries.filter((entry) => !isPublic(entry))];
  const untagged = entries.filter(({ tags }) => tags.length === 0);
  if (items.size > 0) {
    expected.set(keyName(keys.savedCounts(user)), {
      ...keys.savedCounts(user),
      v: 1,
      rev: counts?.rev,
      publicCount: open.length,
      privateCount: hidden.length,
      untagged: untagged.length,
      reminders: entries.filter(({ remindAt }) => remindAt !== null).length,
    });
  }
  for (const id of new Set(entries.flatMap(({ tags }) => tags))) {
    const of = entries.filter(({ tags }) => tags.includes(id));
    const [key, publicCount] = [keys.savedTag(user, id), of.filter(isPublic).length];
    const tag = savedTagOf(user, id, items.get(keyName(key)));
    if (tag === undefined) continue;
    const { shown, folded } = tag.name;
    expected.set(keyName(key), {
      ...key,
      v: 1,
      name: shown,
      folded,
      count: of.length,
      publicCount,
      rev: tag.version,
      gsi1pk: savedTagsByCount.pk(user),
      gsi1sk: savedTagsByCount.sk(of.length, id),
    });
    const listed = { gsi1pk: publicTags.pk(user), gsi1sk: publicTags.sk(folded, id) };
    const nameKey = keys.savedTagName(user, folded);
    expected.set(keyName(nameKey), { ...nameKey, v: 1, tag: id, ...(publicCount > 0 ? listed : {}) });
  }
  const names = new Set([...expected.keys(), ...items.keys()]);
  const faults = [...names].flatMap((name) => {
    const [should, is] = [expected.get(name), items.get(name)];
    return text(should) === text(is) ? [] : [`${name}: ${text(is)} should be ${text(should)}`];
  });
  const tags = new Set([...items.keys()].filter((name) => name.includes('TAG#')));
  const used = new Set(entries.flatMap((entry) => entry.tags));
  if (tags.size !== used.size) faults.push(`${tags.size} tags are stored, and ${used.size} are used`);
  const wanted = entries.flatMap(({ remindAt, ...message }) =>
    remindAt === null ? [] : `reminder:${user}:${messageId(message)} at ${remindAt}`,
  );
  if (timers.sort().join() !== wanted.sort().join()) {
    faults.push(`the timers are ${timers} and should be ${wanted}`);
  }
  return { entries, faults };
}

const WANTED = new Set(['saved', 'savedRow', 'reminder', 'savedCounts', 'savedTag', 'savedTagName']);
const isPublic = ({ visibility }: SavedEntry): boolean => visibility === 'PUBLIC';

const text = (item: Item | undefined): string =>
  item === undefined ? 'nothing' : JSON.stringify(Object.entries(item).sort());

/** The lists of a user's that have a row of this message. */
export async function listsOf(
  dynamo: Pick<Dynamo, 'scan'>,
  user: string,
  message: MessageKey,
): Promise<string[]> {
  const lists: string[] = [];
  for await (const { pk, sk } of dynamo.scan({})) {
    if (String(pk).startsWith(`USER#${user}#SAVED#`) && String(sk).endsWith(`#${message.ts}`)) {
      lists.push(String(pk).slice(`USER#${user}#SAVED#`.length));
    }
  }
  return lists.sort();
}
