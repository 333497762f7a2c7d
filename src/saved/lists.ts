/** The lists of saved messages, and the mark on a message. */

import { badUserInput } from '../core/errors.ts';
import { Later } from '../core/later.ts';
import { firstTimestampOf } from '../core/timestamps.ts';
import type { Item } from '../dynamo/item.ts';
import { hashed, keys } from '../dynamo/keys.ts';
import { builder } from '../graphql/builder.ts';
import { type CursorCodec, type Edge, eitherEndArgs, POSITIONS, pagedList } from '../graphql/connections.ts';
import { requireViewer } from '../graphql/context.ts';
import { idOf } from '../graphql/ids.ts';
import { NOT_WELL_FORMED } from '../graphql/validation.ts';
import { MessageRef } from '../messages/types.ts';
import { ViewerRef } from '../users/types.ts';
import { entryOf, type SavedEntry } from './entry.ts';
import { SAVED_ORDERS, SavedOrderRef } from './orders.ts';
import { EXAMINED_MAX, type ListedEntry } from './pages.ts';
import { SAVED_POSITIONS, type SavedQuery } from './rows.ts';
import { foldedPrefix, isSame, TAG_BYTES_MAX, type TagName, tagName } from './tagName.ts';
import type { ListedTag, TagOrder } from './tags.ts';
import { ownTagId, SavedTagPages } from './tagTypes.ts';
import { SavedCountsRef, SavedMessagePages, SavedMessageRef, SavedVisibilityRef } from './types.ts';

/** The most tags of one list. */
const LISTED_TAGS_MAX = 3;

/** The tags of a list, each once. Throws BAD_USER_INPUT. */
function namesIn(texts: readonly string[] | null | undefined): readonly TagName[] {
  const names = (texts ?? []).map((text) => {
    const name = tagName(text);
    if (!('wrong' in name)) return name;
    throw badUserInput('tags', `\`tags\` has a tag that ${name.wrong}`, name.max);
  });
  const unique = names.filter((name, i) => names.findIndex((other) => isSame(name, other)) === i);
  if (unique.length <= LISTED_TAGS_MAX) return unique;
  throw badUserInput('tags', `\`tags\` must have at most ${LISTED_TAGS_MAX} tags.`, LISTED_TAGS_MAX);
}

/** Tags of the viewer by their ids, each once. Undefined: there is no such tag. Throws BAD_USER_INPUT. */
function idsIn(
  user: string,
  ids: ReadonlyArray<string | number> | null | undefined,
): ReadonlyArray<string | undefined> {
  const unique = [...new Set((ids ?? []).map(String))];
  if (unique.length > LISTED_TAGS_MAX)
    throw badUserInput('tagIds', `\`tagIds\` must have at most ${LISTED_TAGS_MAX} tags.`, LISTED_TAGS_MAX);
  return unique.map((id) => ownTagId(user, idOf('SavedTag', id) ?? ''));
}

function throwIfCombined({
  tags,
  tagIds,
  untagged,
}: Readonly<Record<'tags' | 'tagIds' | 'untagged', boolean>>) {
  if (tags && untagged) throw badUserInput('untagged', '`untagged` cannot be combined with `tags`.');
  if (tagIds && (tags || untagged))
    throw badUserInput('tagIds', '`tagIds` cannot be combined with `tags` or `untagged`.');
}

builder.objectField(ViewerRef, 'savedMessages', (t) =>
  t.field({
    type: SavedMessagePages.connection,
    description:
      'What the viewer has saved. A page may be shorter than requested if something is changed at the same moment.',
    args: {
      visibility: t.arg({ type: SavedVisibilityRef, description: 'Only these. By default all.' }),
      tags: t.arg.stringList({
        description: `Only those that have all of these tags: at most ${LISTED_TAGS_MAX}. With more than one tag a page may be short, and even empty, although \`hasNextPage\` is true: at most ${EXAMINED_MAX} messages that have the rarest of the tags are examined for it. Cannot be combined with \`untagged\`.`,
      }),
      tagIds: t.arg.idList({
        description:
          'The same as `tags`, by the ids of the tags. The tags do not have to be found by their names first, which takes one more round trip to the database if the server does not remember them. An id that is not of a tag of the viewer gives an empty list. Cannot be combined with `tags` or `untagged`.',
      }),
      untagged: t.arg.boolean({
        description: 'Whether to return only those without tags. The default is false.',
      }),
      orderBy: t.arg({
        type: SavedOrderRef,
        defaultValue: 'SAVED_NEWEST',
        description: 'The order of the list.',
      }),
      from: t.arg({
        type: 'DateTime',
        description:
          'The time at which the list begins, in the direction of its order: of saving, or of the message.',
      }),
      ...eitherEndArgs,
    },
    resolve: async (
      { id: user },
      { visibility, tags, tagIds, untagged, orderBy, from, ...args },
      { services, items },
    ) => {
      const names = namesIn(tags);
      const ids = idsIn(user, tagIds);
      throwIfCombined({ tags: names.length > 0, tagIds: ids.length > 0, untagged: untagged === true });
      const pageOf = (lists: ReadonlyArray<string | undefined>) => {
        const known = lists.filter((list) => list !== undefined);
        // One of the tags does not exist, or does not any more: then its cursors are of no list.
        if (known.length < lists.length) {
          const { first, last } = args;
          return savedMessages.page(undefined, { first, last }, () => NOTHING);
        }
        const query: SavedQuery = {
          user,
          visibility: visibility ?? undefined,
          lists: known,
          ...SAVED_ORDERS[orderBy ?? 'SAVED_NEWEST'],
          start: from == null ? undefined : firstTimestampOf(from),
        };
        return savedMessages.page(query, args, (request) => services.saved.list(query, request, items));
      };
      if (names.length > 0) return services.saved.readTagged({ user, names, items, read: pageOf });
      if (ids.length > 0) return pageOf(ids);
      return pageOf([untagged === true ? 'UNTAGGED' : 'ALL']);
    },
  }),
);

const NOTHING = { nodes: [], more: false };

/** No cursor belongs to it. */
const NO_LIST: CursorCodec = { list: '', position: /^$/ };

const savedMessages = pagedList({
  /** Undefined: a list that cannot have any messages. */
  cursors: (query: SavedQuery | undefined) => (query === undefined ? NO_LIST : codecOf(query)),
  position: ({ position }: ListedEntry) => position,
});

/** A list that begins elsewhere has other positions. The order of its tags makes no difference to them. */
function codecOf({ user, visibility, lists, by, newestFirst, start }: SavedQuery): CursorCodec {
  const tags = lists.toSorted().join('.');
  return {
    list: `saved:${user}:${visibility ?? 'ALL'}:${tags}:${by}:${newestFirst}:${start ?? ''}`,
    position: SAVED_POSITIONS[by],
  };
}

/** Of what a user has saved, in the list that they get without other arguments. */
export const savedMessageEdge = (entry: SavedEntry): Edge<SavedEntry> => {
  const { user, visibility } = entry;
  const all = { user, visibility: undefined, lists: ['ALL'], start: undefined };
  const position = keys.savedRow({ user, visibility, list: 'ALL' }, entry).sk;
  return savedMessages.edge({ ...all, ...SAVED_ORDERS.SAVED_NEWEST }, { ...entry, position });
};

const SavedTagOrderRef = builder.enumType('SavedTagOrder', {
  description: 'The order of tags.',
  values: {
    NAME: { description: 'By their names, without a difference between upper and lower case.' },
    COUNT: {
      description:
        'Those that most saved messages have come first. A change of a moment ago may be missing from the order; the counts are exact.',
    },
  },
});

/** More than any name has. */
const PREFIX_MAX = 200;

builder.objectField(ViewerRef, 'savedTags', (t) =>
  t.field({
    type: SavedTagPages.connection,
    description:
      "The viewer's tags. A page may be shorter than requested if something is changed at the same moment.",
    args: {
      prefix: t.arg.string({
        description: `Only tags whose names begin with it, in upper or lower case and with its spaces: at most ${PREFIX_MAX} characters. With \`NAME\` only; \`BAD_USER_INPUT\` otherwise.`,
      }),
      orderBy: t.arg({ type: SavedTagOrderRef, defaultValue: 'NAME', description: 'The order of the list.' }),
      ...eitherEndArgs,
    },
    resolve: ({ id: user }, { prefix, orderBy, ...args }, { services, items }) => {
      const order = tagOrderOf(prefix, orderBy);
      // No name begins with more bytes than a name has, and a key could not hold them.
      const isTooLong = order.by === 'name' && Buffer.byteLength(order.prefix) > TAG_BYTES_MAX;
      return savedTags.page({ user, order }, args, (request) =>
        isTooLong ? NOTHING : services.saved.tags(user, order, request, items),
      );
    },
  }),
);

function tagOrderOf(
  prefix: string | null | undefined,
  orderBy: 'NAME' | 'COUNT' | null | undefined,
): TagOrder {
  const wrong = (rule: string, max?: number) => badUserInput('prefix', `\`prefix\` ${rule}`, max);
  if (orderBy === 'COUNT') {
    if (prefix == null) return { by: 'count' };
    throw wrong('can be combined with the order NAME only.');
  }
  if (prefix == null) return { by: 'name', prefix: '' };
  if (prefix.length > PREFIX_MAX) throw wrong(`must have at most ${PREFIX_MAX} characters.`, PREFIX_MAX);
  if (!prefix.isWellFormed()) throw wrong(NOT_WELL_FORMED);
  return { by: 'name', prefix: foldedPrefix(prefix) };
}

const savedTags = pagedList({
  cursors: tagCodecOf,
  position: ({ position }: ListedTag) => position,
});

function tagCodecOf({ user, order }: { readonly user: string; readonly order: TagOrder }): CursorCodec {
  if (order.by === 'count') return { list: `savedTags:${user}:count`, position: POSITIONS.timestampAndId };
  const begins = order.prefix.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  // By a hash, because the longest prefix and name together would be too long for a cursor.
  return {
    list: `savedTags:${user}:${hashed(order.prefix)}`,
    position: new RegExp(`^${begins}[^#]*$`, 'su'),
  };
}

builder.objectField(ViewerRef, 'savedCounts', (t) =>
  t.field({
    type: SavedCountsRef,
    description: 'How many messages the viewer has saved.',
    resolve: ({ id }, _args, { services, items }) => services.saved.counts(id, items),
  }),
);

builder.objectField(MessageRef, 'viewerSaved', (t) =>
  t.field({
    type: SavedMessageRef,
    nullable: true,
    description:
      'What the viewer has saved of the message; null if it is not saved. The values of a page are read together with `viewerHasLiked`.',
    resolve: (message, _args, context) => {
      const user = requireViewer(context);
      const entry = (item: Item | undefined) => {
        const { room, threadTs, ts } = message;
        return entryOf({ user, room, threadTs, ts }, item) ?? null;
      };
      const all = message.viewerItems?.all;
      return all === undefined
        ? context.items.load(keys.saved(user, message)).then(entry)
        : new Later(all.read(), () => entry(all.get(keys.saved(user, message))));
    },
  }),
);
