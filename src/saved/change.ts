/** What a change makes of a saved message, and in which transactions. Pure. */
import { badUserInput } from '../core/errors.ts';
import { type SavedContent, type SavedEntry, type SavedVisibility, TAGS_MAX } from './entry.ts';
import type { SavedTag, TagDifference } from './tag.ts';
import type { TagName } from './tagName.ts';

/** What is left out stays as it is. */
export interface SavedChange {
  readonly visibility?: SavedVisibility;
  /** Null removes it. */
  readonly note?: string | null;
  /** Replaces all tags. */
  readonly tags?: readonly TagName[];
  readonly addTags?: readonly TagName[];
  readonly removeTags?: readonly TagName[];
  /** Milliseconds since 1970. Null removes it. */
  readonly remindAt?: number | null;
  /** The version that the entry must have. */
  readonly version?: number;
}

export const namesIn = ({ tags = [], addTags = [], removeTags = [] }: SavedChange): TagName[] => [
  ...tags,
  ...addTags,
  ...removeTags,
];

const NEW: SavedContent = { visibility: 'PRIVATE', note: null, tags: [], remindAt: null };

/**
 * The content after a change. `tagOf`: the id of the tag with a name. Throws BAD_USER_INPUT if it has more than
 * TAGS_MAX tags. An earlier release could leave more. They may stay, but not with another visibility, because that has
 * too many writes.
 */
export function contentAfter(
  entry: SavedEntry | undefined,
  change: SavedChange,
  tagOf: (name: TagName) => string,
): SavedContent {
  const now = entry ?? NEW;
  const removed = new Set(change.removeTags?.map(tagOf));
  const kept = now.tags.filter((tag) => !removed.has(tag));
  const tags = new Set(change.tags?.map(tagOf) ?? [...kept, ...(change.addTags ?? []).map(tagOf)]);
  const visibility = change.visibility ?? now.visibility;
  const isAdding = change.tags !== undefined || tags.size > kept.length;
  if (tags.size > TAGS_MAX && (isAdding || visibility !== now.visibility)) {
    const field = change.tags === undefined ? 'input.addTags' : 'input.tags';
    throw badUserInput(field, `A saved message can have at most ${TAGS_MAX} tags.`, TAGS_MAX);
  }
  return {
    visibility,
    note: change.note === undefined ? now.note : change.note,
    tags: [...tags],
    remindAt: change.remindAt === undefined ? now.remindAt : change.remindAt,
  };
}

export const isSameContent = (one: SavedContent, other: SavedContent): boolean =>
  one.visibility === other.visibility &&
  one.note === other.note &&
  one.remindAt === other.remindAt &&
  one.tags.length === other.tags.length &&
  one.tags.every((tag, i) => tag === other.tags[i]);

/**
 * What one transaction may make of an entry, the best first: a change of many tags at once may have more than the 100
 * writes of a transaction. The last always fits. All but the first only come closer to what is wanted: tags that stay
 * are never missing, and there are never more than TAGS_MAX, or than there were, so an entry can be changed and removed
 * also if the next transaction does not come. Nothing that is meant to be private is public in between, because an
 * entry becomes private first, and public last.
 */
export function attempts(before: SavedEntry | undefined, wanted: SavedContent): SavedContent[] {
  if (before === undefined) return [wanted];
  const fitting = attemptsWithFewTags(before, wanted);
  return before.tags.length > TAGS_MAX ? [...fitting, withoutExcess(before, wanted)] : fitting;
}

function attemptsWithFewTags(before: SavedEntry, wanted: SavedContent): SavedContent[] {
  const tags = halfReplaced(before.tags, wanted.tags);
  const { visibility, note, remindAt } = before;
  if (visibility === wanted.visibility) return [wanted, { ...wanted, tags }];
  if (wanted.visibility === 'PRIVATE') return [wanted, { ...wanted, tags: before.tags, note }];
  return [wanted, { ...wanted, visibility }, { visibility, note, tags, remindAt }];
}

/** The entry as it was, without some of the tags that go anyway: until TAGS_MAX are left, or all of them are gone. */
function withoutExcess({ visibility, note, tags, remindAt }: SavedEntry, wanted: SavedContent): SavedContent {
  const going = tags.filter((tag) => !wanted.tags.includes(tag)).slice(0, tags.length - TAGS_MAX);
  return { visibility, note, tags: tags.filter((tag) => !going.includes(tag)), remindAt };
}

/** Without half of the tags that go, and with half of those that come. */
function halfReplaced(before: readonly string[], wanted: readonly string[]): string[] {
  const going = before.filter((tag) => !wanted.includes(tag));
  const coming = wanted.filter((tag) => !before.includes(tag));
  const gone = going.slice(0, Math.ceil(going.length / 2));
  return [...before.filter((tag) => !gone.includes(tag)), ...coming.slice(0, Math.ceil(coming.length / 2))];
}

/** What an entry was, and what it becomes; undefined if it is not saved. */
export interface EntryChange<Entry = SavedEntry> {
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

/** By how much the counts of tags change, by the ids of those whose counts do. */
export function tagDifferences(
  changes: ReadonlyArray<EntryChange<SavedContent>>,
): ReadonlyMap<string, TagDifference> {
  const differences = new Map<string, TagDifference>();
  const count = (content: SavedContent | undefined, by: 1 | -1) => {
    for (const tag of content?.tags ?? []) {
      const known = differences.get(tag) ?? { count: 0, publicCount: 0 };
      known.count += by;
      if (content?.visibility === 'PUBLIC') known.publicCount += by;
      differences.set(tag, known);
    }
  };
  for (const { before, after } of changes) {
    count(after, 1);
    count(before, -1);
  }
  return new Map(
    [...differences].filter(([, { count: all, publicCount }]) => all !== 0 || publicCount !== 0),
  );
}

/** The content without tags that do not exist any more. */
export const withoutTags = <Content extends SavedContent>(
  content: Content,
  gone: ReadonlySet<string>,
): Content => (gone.size === 0 ? content : { ...content, tags: content.tags.filter((id) => !gone.has(id)) });

/** The names of these tags, in their order; those that are not among `tags` are left out. */
export const namesOf = (ids: readonly string[], tags: ReadonlyMap<string, SavedTag>): string[] =>
  ids.flatMap((id) => tags.get(id)?.name.shown ?? []);
