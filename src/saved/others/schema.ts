/** The saved messages of others, as far as the viewer may see them. */
import { badUserInput } from '../../core/errors.ts';
import { hashed } from '../../dynamo/keys.ts';
import { builder } from '../../graphql/builder.ts';
import { eitherEndArgs, forwardArgs, POSITIONS, pagedList, pageTypes } from '../../graphql/connections.ts';
import { requireViewer } from '../../graphql/context.ts';
import type { CursorCipher } from '../../graphql/cursorCipher.ts';
import type { MessageKey } from '../../messages/message.ts';
import { MessageRef } from '../../messages/types.ts';
import { UserRef } from '../../users/types.ts';
import { SAVED_ORDERS, SavedOrderRef } from '../orders.ts';
import type { ListedEntry } from '../pages.ts';
import type { SavedTag } from '../tag.ts';
import { type TagName, tagName } from '../tagName.ts';
import type { ListedTag } from '../tags.ts';
import { SavedMessagePages } from '../types.ts';
import { PUBLIC_EXAMINED_MAX, PUBLIC_POSITIONS, type PublicSaved } from './publicSaved.ts';

declare module '../../graphql/context.ts' {
  interface Services {
    readonly publicSaved: PublicSaved;
  }
}

/** Rows that the viewer may not see have positions, too, so these lists have encrypted cursors. */
interface Sealed {
  readonly cipher: CursorCipher;
}

/** Cursors of another viewer would say nothing, but would not be of these lists. */
interface OfUser extends Sealed {
  readonly viewer: string;
  readonly user: string;
}

interface SavedByUser extends OfUser {
  readonly order: keyof typeof SAVED_ORDERS;
  readonly tag: TagName | undefined;
}

const savedByUser = pagedList({
  cursors: ({ viewer, user, order, tag, cipher }: SavedByUser) => ({
    list: `publicSaved:${viewer}:${user}:${order}:${tag === undefined ? '' : hashed(tag.folded)}`,
    position: PUBLIC_POSITIONS[SAVED_ORDERS[order].by],
    cipher,
  }),
  position: ({ position }: ListedEntry) => position,
});

/** The tag of a list. Throws BAD_USER_INPUT. */
function tagIn(text: string | null | undefined): TagName | undefined {
  if (text == null) return undefined;
  const name = tagName(text);
  if ('wrong' in name) throw badUserInput('tag', `\`tag\` ${name.wrong}`, name.max);
  return name;
}

builder.objectField(UserRef, 'savedMessages', (t) =>
  t.field({
    type: SavedMessagePages.connection,
    description: `What the user has saved publicly, without messages that the viewer may not see. A page may be shorter than requested, and even empty, although \`hasNextPage\` is true: at most ${PUBLIC_EXAMINED_MAX} saved messages are examined for it.`,
    args: {
      tag: t.arg.string({ description: 'Only those that have this tag.' }),
      orderBy: t.arg({
        type: SavedOrderRef,
        defaultValue: 'SAVED_NEWEST',
        description: 'The order of the list.',
      }),
      ...forwardArgs,
    },
    resolve: async ({ id: user }, { tag: text, orderBy, ...args }, context) => {
      const viewer = requireViewer(context);
      const tag = tagIn(text);
      const order = orderBy ?? 'SAVED_NEWEST';
      const { services, items } = context;
      const cipher = await services.publicSaved.cursorCipher();
      const query = { user, ...SAVED_ORDERS[order], tag };
      return savedByUser.page({ viewer, user, order, tag, cipher }, args, (request) =>
        services.publicSaved.list(query, { ...request, viewer, items }),
      );
    },
  }),
);

/** Without the tag's id: it would show whether something private had the tag while nothing public did. */
const PublicSavedTagRef = builder.objectRef<SavedTag>('PublicSavedTag').implement({
  description: 'A tag of messages that a user has saved publicly.',
  fields: (t) => ({
    name: t.string({
      description: 'Its name, as it was first written.',
      resolve: ({ name }) => name.shown,
    }),
    count: t.int({
      description: 'How many messages the user has saved publicly with it.',
      resolve: ({ publicCount }) => publicCount,
    }),
  }),
});

const PublicSavedTagPages = pageTypes(PublicSavedTagRef, 'PublicSavedTag', {
  edge: 'A tag in a page, with its cursor.',
  page: 'A page of tags.',
});

/** A folded name. */
const TAG_POSITION = /^[^#]+$/su;

const tagsOfUser = pagedList({
  cursors: ({ viewer, user, cipher }: OfUser) => ({
    list: `publicTags:${viewer}:${user}`,
    position: TAG_POSITION,
    cipher,
  }),
  position: ({ position }: ListedTag) => position,
});

builder.objectField(UserRef, 'savedTags', (t) =>
  t.field({
    type: PublicSavedTagPages.connection,
    description:
      'The tags of what the user has saved publicly, by name; for users who share a room with the user, and empty for others. What was changed a moment ago may be missing.',
    args: forwardArgs,
    resolve: async ({ id: user }, args, context) => {
      const viewer = requireViewer(context);
      const { services, items } = context;
      const cipher = await services.publicSaved.cursorCipher();
      return tagsOfUser.page({ viewer, user, cipher }, args, (request) =>
        services.publicSaved.tags(user, { ...request, viewer, items }),
      );
    },
  }),
);

builder.objectField(MessageRef, 'publicSaveCount', (t) =>
  t.int({
    description:
      'How many users have saved the message publicly, exactly. It is not part of the message: it changes without a new `version` and without an event.',
    resolve: (message, _args, { services, items }) => services.publicSaved.count(message, items),
  }),
);

const savesOfMessage = pagedList({
  cursors: ({ room, threadTs, ts, cipher }: MessageKey & Sealed) => ({
    list: `publicSaves:${room}:${threadTs}:${ts}`,
    position: POSITIONS.timestampAndId,
    cipher,
  }),
  position: ({ position }: ListedEntry) => position,
});

builder.objectField(MessageRef, 'publicSaves', (t) =>
  t.field({
    type: SavedMessagePages.connection,
    description:
      'What users have saved of the message publicly, newest first. A very recent save may be missing. A page may be shorter than requested if something is changed at the same moment.',
    args: eitherEndArgs,
    resolve: async (message, args, { services, items }) => {
      const { room, threadTs, ts } = message;
      const cipher = await services.publicSaved.cursorCipher();
      return savesOfMessage.page({ room, threadTs, ts, cipher }, args, (request) =>
        services.publicSaved.ofMessage(message, request, items),
      );
    },
  }),
);
