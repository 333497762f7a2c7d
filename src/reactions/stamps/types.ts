/** The GraphQL types of stamps, and the fields that stamps add to messages. */

import { toDate } from '../../core/timestamps.ts';
import { keys } from '../../dynamo/keys.ts';
import { builder } from '../../graphql/builder.ts';
import { type Edge, forwardArgs, POSITIONS, pagedList, pageTypes } from '../../graphql/connections.ts';
import { type Context, requireViewer } from '../../graphql/context.ts';
import { nodeLoader } from '../../graphql/nodes.ts';
import { type Message, type MessageKey, messageOf, type ViewerItems } from '../../messages/message.ts';
import { MessageRef, type MessageView, viewerHas } from '../../messages/types.ts';
import { loadUserOrThrow, UserRef } from '../../users/types.ts';
import { type Stamp, stampOutsideCatalogue } from './catalogue.ts';
import { KINDS_MAX, type MessageStamp, messageStampId, parseMessageStampId, stampCountsOf } from './stamp.ts';
import { emojiOfStampId, stampId } from './stampId.ts';

export const StampRef = builder.objectRef<Stamp>('Stamp');

builder.node(StampRef, {
  description: 'What users put on messages: a picture of the catalogue, or an emoji.',
  id: { resolve: stampId },
  fields: (t) => ({
    key: t.exposeString('key', {
      description: 'The name of the stamp for `addStamp`. If the stamp is an emoji, it is the character.',
    }),
    label: t.exposeString('label', {
      description: 'What the picture shows, in English. If the stamp is an emoji, it is the character.',
    }),
    imageUrl: t.exposeString('imageUrl', {
      nullable: true,
      description:
        'The path of the picture on this server. Its content never changes. Null for an emoji, and if the stamp is no longer in the catalogue.',
    }),
    emoji: t.exposeString('emoji', {
      nullable: true,
      description:
        'The character, fully qualified (with its variation selectors). Null for a picture of the catalogue.',
    }),
  }),
});
nodeLoader('Stamp', (id, { services }) => {
  const emoji = emojiOfStampId(id);
  return emoji === undefined ? (services.catalogue.get(id) ?? null) : stampOutsideCatalogue(emoji);
});

/** The stamp of the catalogue, an emoji, or a placeholder for a stamp that is no longer in the catalogue. */
export const stampBy = (key: string, { services }: Context): Stamp =>
  services.catalogue.get(key) ?? stampOutsideCatalogue(key);

export const MessageStampRef = builder.objectRef<MessageStamp>('MessageStamp');

builder.node(MessageStampRef, {
  description: 'A stamp that a user put on a message.',
  id: { resolve: messageStampId },
  fields: (t) => ({
    message: t.field({
      type: MessageRef,
      description: 'The message that has the stamp.',
      resolve: async ({ room, threadTs: at, ts }, _args, { items }): Promise<Message> => {
        const item = await items.load(keys.message(room, at, ts));
        if (item === undefined) throw new Error('The message of a stamp is missing.');
        return messageOf({ room, threadTs: at, ts }, item);
      },
    }),
    stamp: t.field({
      type: StampRef,
      description: 'The stamp: of the catalogue, or an emoji.',
      resolve: ({ stampKey }, _args, context) => stampBy(stampKey, context),
    }),
    user: t.field({
      type: UserRef,
      description: 'The user who put the stamp on the message.',
      resolve: ({ user }, _args, { items }) => loadUserOrThrow(user, items),
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When the stamp was put on the message.',
      resolve: ({ stampedAt }) => toDate(stampedAt),
    }),
  }),
});
nodeLoader('MessageStamp', async (id, context) => {
  const key = parseMessageStampId(id);
  return key === undefined ? null : context.services.stamps.find(requireViewer(context), key, context.items);
});

export const MessageStampPages = pageTypes(MessageStampRef, 'MessageStamp', {
  edge: 'A stamp in a page, with its cursor.',
  page: 'A page of stamps, oldest first.',
});

const messageStamps = pagedList({
  cursors: ({ room, threadTs, ts }: MessageKey) => ({
    list: `stamps:${room}:${threadTs}:${ts}`,
    position: POSITIONS.timestamp,
  }),
  position: ({ stampedAt }: MessageStamp) => stampedAt,
});

/** The stamp in the list of its message. */
export const messageStampEdge = (stamp: MessageStamp): Edge<MessageStamp> => messageStamps.edge(stamp, stamp);

interface StampCount {
  readonly message: MessageView;
  readonly stampKey: string;
  readonly count: number;
  /** Whether the message has no other stamp. */
  readonly isOnly: boolean;
  /** The viewer's stamps on the message: one query for all of its counts. */
  readonly ofUser: (user: string) => ViewerItems;
}

const StampCountRef = builder.objectRef<StampCount>('StampCount').implement({
  description: 'How often one stamp is on a message.',
  fields: (t) => ({
    stamp: t.field({
      type: StampRef,
      description: 'The stamp: of the catalogue, or an emoji.',
      resolve: ({ stampKey }, _args, context) => stampBy(stampKey, context),
    }),
    count: t.exposeInt('count', {
      description: 'The exact number of users who put the stamp on the message.',
    }),
    viewerHasStamped: t.boolean({
      description: 'Whether the viewer put the stamp on the message.',
      resolve: ({ message, stampKey, isOnly, ofUser }, _args, context, info) =>
        viewerHas(
          message,
          { context, info },
          {
            key: (user) => keys.stampGuard(user, message, stampKey),
            ...(isOnly ? {} : { all: ofUser }),
            holders: (readers) => context.services.stamps.holders({ message, stampKey }, readers),
          },
        ),
    }),
  }),
});

builder.objectField(MessageRef, 'stamps', (t) =>
  t.field({
    type: MessageStampPages.connection,
    description: 'The stamps on the message, oldest first; empty if the message was deleted.',
    args: forwardArgs,
    resolve: (message, args, { services }) =>
      messageStamps.page(message, args, (request) => {
        // Counts are written together with the stamps, and a deleted message has none: without counts nothing is read.
        const none = Object.keys(stampCountsOf(message)).length === 0;
        return none ? { nodes: [], more: false } : services.stamps.list(message, request);
      }),
  }),
);

builder.objectField(MessageRef, 'stampCounts', (t) =>
  t.field({
    type: [StampCountRef],
    description: `How often each stamp is on the message, in the order of the catalogue, then emoji by their code units: at most ${KINDS_MAX} entries, and none if the message was deleted.`,
    resolve: (message, _args, { services }) => {
      const { compare } = services.catalogue;
      const read = new Map<string, ViewerItems>();
      const ofUser = (user: string): ViewerItems => {
        const known = read.get(user) ?? services.messages.viewerItems(user, [message]);
        read.set(user, known);
        return known;
      };
      const counts = Object.entries(stampCountsOf(message));
      const isOnly = counts.length === 1;
      return counts
        .map(([stampKey, count]) => ({ message, stampKey, count, isOnly, ofUser }))
        .sort((a, b) => compare(a.stampKey, b.stampKey));
    },
  }),
);
