/** The GraphQL types of saved messages. */
import { toDate } from '../core/timestamps.ts';
import { keys } from '../dynamo/keys.ts';
import { builder } from '../graphql/builder.ts';
import { pageTypes } from '../graphql/connections.ts';
import { requireViewer } from '../graphql/context.ts';
import { nodeLoader } from '../graphql/nodes.ts';
import { MessageRef } from '../messages/types.ts';
import { loadUserOrThrow, UserRef } from '../users/types.ts';
import { isPublic, type SavedCounts } from './counts.ts';
import {
  entryOf,
  NOTE_MAX,
  parseSavedId,
  type SavedEntry,
  savedId,
  TAGS_MAX,
  type VISIBILITIES,
} from './entry.ts';
import { loadNames, loadVisible } from './shown.ts';

export const SavedVisibilityRef = builder.enumType('SavedVisibility', {
  description: 'Whether others see that a user has saved a message.',
  values: {
    PUBLIC: { description: 'Everyone who may see the message sees it, with its note and tags.' },
    PRIVATE: { description: 'Only the user sees it.' },
  } satisfies Record<(typeof VISIBILITIES)[number], object>,
});

export const SavedMessageRef = builder.objectRef<SavedEntry>('SavedMessage');

builder.node(SavedMessageRef, {
  description:
    'A message that a user has saved. There is one for each user and message, and it has the same id when it is saved again after it was removed.',
  id: { resolve: savedId },
  fields: (t) => ({
    message: t.field({
      type: MessageRef,
      nullable: true,
      description:
        'The message; null if the viewer may not see it any more. A deleted message is the message with `deletedAt`.',
      resolve: (entry, _args, context) => loadVisible(entry, requireViewer(context), context.items),
    }),
    savedBy: t.field({
      type: UserRef,
      description: 'The user who saved the message.',
      resolve: ({ user }, _args, { items }) => loadUserOrThrow(user, items),
    }),
    visibility: t.expose('visibility', {
      type: SavedVisibilityRef,
      description: 'Whether others see it.',
    }),
    note: t.exposeString('note', {
      nullable: true,
      description: `What the user noted: at most ${NOTE_MAX} characters. Null if there is none.`,
    }),
    tags: t.stringList({
      description: `The names of its tags, in the order in which they were added: at most ${TAGS_MAX}. For a moment, while many tags are replaced by others, both.`,
      resolve: (entry, _args, { items }) => loadNames(entry, items),
    }),
    savedAt: t.field({
      type: 'DateTime',
      description: 'When the message was saved. Changes of what was saved do not move it.',
      resolve: ({ savedAt }) => toDate(savedAt),
    }),
    remindAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When the viewer is reminded of it; null without a reminder, after it was due, and for those of others.',
      resolve: ({ user, remindAt }, _args, context) =>
        remindAt === null || user !== requireViewer(context) ? null : new Date(remindAt),
    }),
    version: t.int({
      nullable: true,
      description:
        'The version, which begins at 1 and rises with every change, also if the message was removed in between. Null for those of others.',
      resolve: ({ user, version }, _args, context) => (user === requireViewer(context) ? version : null),
    }),
  }),
});

/** The viewer's own, and others' public ones whose message the viewer may see. One round trip. */
nodeLoader('SavedMessage', async (id, context) => {
  const key = parseSavedId(id);
  if (key === undefined) return null;
  const viewer = requireViewer(context);
  const { items } = context;
  const [item, message] = await Promise.all([
    items.load(keys.saved(key.user, key)),
    key.user === viewer ? null : loadVisible(key, viewer, items),
  ]);
  const entry = entryOf(key, item);
  if (entry === undefined) return null;
  return key.user === viewer || (isPublic(entry) && message !== null) ? entry : null;
});

export const SavedMessagePages = pageTypes(SavedMessageRef, 'SavedMessage', {
  edge: 'A saved message in a page, with its cursor.',
  page: 'A page of saved messages.',
});

export const SavedCountsRef = builder.objectRef<SavedCounts>('SavedCounts').implement({
  description: 'How many messages the viewer has saved, exactly.',
  fields: (t) => ({
    total: t.int({
      description: 'All of them.',
      resolve: ({ public: visible, private: hidden }) => visible + hidden,
    }),
    public: t.exposeInt('public', { description: 'Those that others see.' }),
    private: t.exposeInt('private', { description: 'Those that only the viewer sees.' }),
    untagged: t.exposeInt('untagged', { description: 'Those without tags, public and private.' }),
  }),
});
