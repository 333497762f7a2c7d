/** How many messages a user has saved: one item for each user, and one for each message that was saved publicly. */
import type { Item } from '../dynamo/item.ts';
import { keys } from '../dynamo/keys.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import type { Write } from '../dynamo/write.ts';
import type { MessageKey } from '../messages/message.ts';
import type { EntryChange } from './change.ts';
import type { SavedEntry } from './entry.ts';

/** The most reminders that one user has at a time. */
export const REMINDERS_MAX = 1_000;

export interface SavedCounts {
  readonly public: number;
  readonly private: number;
  readonly untagged: number;
  /** Those with a reminder. */
  readonly reminders: number;
  /** Rises with every change of the user's saved messages. */
  readonly version: number;
}

export const savedCountsOf = (item: Item | undefined): SavedCounts => ({
  public: numberIn(item, 'publicCount'),
  private: numberIn(item, 'privateCount'),
  untagged: numberIn(item, 'untagged'),
  reminders: numberIn(item, 'reminders'),
  version: numberIn(item, 'rev'),
});

const numberIn = (item: Item | undefined, name: string): number => (item?.[name] as number | undefined) ?? 0;

/**
 * Counts entries that turned into others. Part of every change of an entry, because its version is that of all. On the
 * condition that there are at most REMINDERS_MAX reminders, if there is one more.
 */
export function writeCounts(user: string, changes: readonly EntryChange[]): Write {
  const by = (holds: (entry: SavedEntry) => boolean): number =>
    changes.reduce(
      (sum, { before, after }) =>
        sum + Number(after !== undefined && holds(after)) - Number(before !== undefined && holds(before)),
      0,
    );
  const reminders = by(hasReminder);
  return {
    key: keys.savedCounts(user),
    update: `SET ${NAMES.map((name) => `${name} = if_not_exists(${name}, :none) + :${name}`).join(', ')}, v = :v`,
    values: {
      ':publicCount': by(isPublic),
      ':privateCount': by((entry) => !isPublic(entry)),
      ':untagged': by(({ tags }) => tags.length === 0),
      ':reminders': reminders,
      ':rev': changes.length,
      ':none': 0,
      ':v': FIRST_SHAPE,
      ...(reminders > 0 ? { ':max': REMINDERS_MAX } : {}),
    },
    ...(reminders > 0 ? { condition: 'attribute_not_exists(reminders) OR reminders < :max' } : {}),
  };
}

const NAMES = ['publicCount', 'privateCount', 'untagged', 'reminders', 'rev'];

const hasReminder = ({ remindAt }: SavedEntry): boolean => remindAt !== null;

export const isPublic = ({ visibility }: Pick<SavedEntry, 'visibility'>): boolean => visibility === 'PUBLIC';

/**
 * Counts a message that was saved publicly, or is no longer. Undefined if that does not change. The item of a deleted
 * room does not exist any more: then it is not counted down.
 */
export function writeSaves(
  message: MessageKey,
  before: SavedEntry | undefined,
  after: SavedEntry | undefined,
): Write | undefined {
  const [was, is] = [before !== undefined && isPublic(before), after !== undefined && isPublic(after)];
  if (was === is) return undefined;
  const key = keys.saves(message);
  if (is) {
    const update =
      'SET saves = if_not_exists(saves, :none) + :one, rev = if_not_exists(rev, :none) + :one, v = :v';
    return { key, update, values: { ':one': 1, ':none': 0, ':v': FIRST_SHAPE } };
  }
  const update = 'SET saves = saves - :one, rev = rev + :one';
  return { key, update, condition: 'attribute_exists(pk)', values: { ':one': 1 } };
}
