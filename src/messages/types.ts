/** The GraphQL type of messages. Other features add their fields to it. */

import type { GraphQLResolveInfo } from 'graphql';
import { notFound } from '../core/errors.ts';
import { toDate } from '../core/timestamps.ts';
import type { ItemLoader } from '../dynamo/itemLoader.ts';
import { type Key, keys } from '../dynamo/keys.ts';
import { builder } from '../graphql/builder.ts';
import { pageTypes } from '../graphql/connections.ts';
import { type Context, requireViewer } from '../graphql/context.ts';
import { idOf } from '../graphql/ids.ts';
import type { KeptText } from '../graphql/keptText.ts';
import { nodeLoader } from '../graphql/nodes.ts';
import { textFor, type ViewerLeaf, viewerLeaf } from '../graphql/viewerLeaves.ts';
import { accessTo } from '../rooms/access.ts';
import { loadRoomOrThrow, RoomRef } from '../rooms/types.ts';
import { loadUserOrThrow, loadUsersOrThrow, UserRef } from '../users/types.ts';
import { bodyOf } from './longBodies/body.ts';
import { MENTIONS_MAX } from './mentions.ts';
import {
  isRoot,
  keptItemOf,
  type Message,
  type MessageKey,
  messageId,
  messageOf,
  parseMessageId,
  type ViewerItems,
} from './message.ts';
import { messagePath } from './paths.ts';

export type MessageView = Message & {
  /** What is known, or is read for the whole page at once, about the viewer's items for this message. */
  readonly viewerItems?: ViewerItems;
};

export const MessageRef = builder.objectRef<MessageView>('Message');

/** An item that users may have for a message, such as their like. */
export interface ViewerItem {
  readonly key: (user: string) => Key;
  /** Reads all that a user has for this message, if there may be several. Absent: the item is loaded alone. */
  readonly all?: (user: string) => ViewerItems;
  /** The users who have one, as `ViewerLeaf` asks for them. */
  readonly holders: ViewerLeaf['holders'];
}

/**
 * Whether the viewer has such an item for this message. One query finds it for all messages of a page. For a single
 * message the item itself is loaded, in one batch with the operation's other reads, or, if there may be several, one
 * query finds them. In an event, it is read once for all readers.
 */
export function viewerHas(
  { viewerItems }: MessageView,
  { context, info }: { readonly context: Context; readonly info: GraphQLResolveInfo },
  { key, all, holders }: ViewerItem,
): boolean | Promise<boolean> {
  const has = (user: string): Promise<boolean> => {
    // Readers of an event are different users: the items of all of them are one batch.
    const isShared = context.viewerHoles !== undefined;
    const known = viewerItems ?? (isShared ? undefined : all?.(user));
    const itemKey = key(user);
    return known?.has(itemKey) ?? context.items.load(itemKey).then((item) => item !== undefined);
  };
  return viewerLeaf(context, info, { has, holders });
}

/** The messages of one page: roots, or replies of one thread, in order. */
export function withViewerItems(nodes: readonly Message[], context: Context): MessageView[] {
  const viewerItems = context.services.messages.viewerItems(requireViewer(context), nodes);
  // The nodes were just made for this page, so they are not copied.
  return nodes.map((node) => Object.assign(node, { viewerItems }));
}

/** The key of the message in a global id. Throws NOT_FOUND if it is malformed or belongs to another type. */
export function messageKeyOf(globalId: string): MessageKey {
  const key = parseMessageId(idOf('Message', globalId) ?? '');
  if (key === undefined) throw notFound();
  return key;
}

async function loadMessage({ room, threadTs, ts }: MessageKey, items: ItemLoader): Promise<Message | null> {
  const item = await items.load(keys.message(room, threadTs, ts));
  return item === undefined ? null : messageOf({ room, threadTs, ts }, item);
}

const keptText: KeptText<Message> = { itemOf: keptItemOf, constants: ['catalogue', 'publicUrl'] };

builder.node(MessageRef, {
  description: 'A message of a room: the root of a thread, or a reply in one.',
  extensions: { keptText },
  id: { resolve: messageId },
  fields: (t) => ({
    room: t.field({
      type: RoomRef,
      description: 'The room that the message is in.',
      resolve: ({ room }, _args, context) => loadRoomOrThrow(room, context),
    }),
    author: t.field({
      type: UserRef,
      description: 'The user who sent the message.',
      resolve: ({ author }, _args, { items }) => loadUserOrThrow(author, items),
    }),
    body: t.string({
      nullable: true,
      description:
        'The text, in which mentions have the current handles of the mentioned users, or `@someone` for a user without a handle: `mentions` has their names. Null if the message was deleted.',
      resolve: (message, _args, { items }) => bodyOf(message, items),
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When the message was sent.',
      resolve: ({ ts }) => toDate(ts),
    }),
    editedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the message was last edited; null if it was not.',
      resolve: ({ editedAt }) => (editedAt === null ? null : toDate(editedAt)),
    }),
    deletedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When the message was deleted; null if it was not. A deleted message keeps its place, its thread and its position.',
      resolve: ({ deletedAt }) => (deletedAt === null ? null : toDate(deletedAt)),
    }),
    mentions: t.field({
      type: [UserRef],
      description: `The members that the text mentions: at most ${MENTIONS_MAX}.`,
      resolve: ({ mentions }, _args, { items }) => loadUsersOrThrow(mentions, items),
    }),
    version: t.exposeInt('version', {
      description:
        'The version, which rises with every change: of two copies of a message, the one with the higher version is newer.',
    }),
    position: t.exposeInt('position', {
      nullable: true,
      description:
        "The number of the message among the room's roots: 1, 2, 3 … without gaps. Null for a reply, and for a moment after a root was sent.",
    }),
    root: t.field({
      type: MessageRef,
      nullable: true,
      description: "The root of the reply's thread; null if the message is a root itself.",
      resolve: (message, _args, { items }) =>
        isRoot(message) ? null : loadMessage({ ...message, ts: message.threadTs }, items),
    }),
    url: t.string({
      description:
        'A link that opens the message in the web client; for a reply, its thread. Only members of the room see anything there. It begins with the setting `PUBLIC_URL`.',
      resolve: (message, _args, { services }) => `${services.publicUrl()}${messagePath(message)}`,
    }),
    inReplyTo: t.field({
      type: MessageRef,
      nullable: true,
      description:
        "The reply that this one answers; null if it answers the thread's root, on a root, and on replies of releases that did not store it.",
      resolve: ({ room, threadTs, inReplyTo: ts }, _args, { items }) =>
        ts === null ? null : loadMessage({ room, threadTs, ts }, items),
    }),
    idempotencyKey: t.string({
      nullable: true,
      description:
        'The `idempotencyKey` of `sendMessage`, for the sender, also in events: a client finds the copy of a message that it already shows. Null for everyone else, and if there was none.',
      resolve: ({ author, idempotencyKey }, _args, context, info) =>
        idempotencyKey === null ? null : textFor(author, idempotencyKey, { context, info }),
    }),
    replyCount: t.exposeInt('replyCount', {
      description: 'The number of replies in the thread, including deleted ones; 0 for a reply.',
    }),
    lastReplyAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the newest reply was sent; null if there is none.',
      resolve: ({ lastReplyAt }) => (lastReplyAt === null ? null : toDate(lastReplyAt)),
    }),
    participants: t.field({
      type: [UserRef],
      description: 'The first users who replied, at most 3, for a summary of the thread.',
      resolve: ({ participants }, _args, { items }) => loadUsersOrThrow(participants, items),
    }),
  }),
});

export const MessagePages = pageTypes(MessageRef, 'Message', {
  edge: 'A message in a page, with its cursor.',
  page: 'A page of messages.',
});

/** Only members of the room can read it. One round trip. */
nodeLoader('Message', async (id, context) => {
  const key = parseMessageId(id);
  if (key === undefined) return null;
  const [access, item] = await Promise.all([
    accessTo(key.room, requireViewer(context), context.items),
    context.items.load(keys.message(key.room, key.threadTs, key.ts)),
  ]);
  return access?.membership == null || item === undefined ? null : messageOf(key, item);
});
