import type { Timestamp } from '../../core/timestamps.ts';
import { builder } from '../../graphql/builder.ts';
import {
  bothWaysArgs,
  type Edge,
  type PageRequest,
  POSITIONS,
  pagedList,
} from '../../graphql/connections.ts';
import { type Context, requireViewer } from '../../graphql/context.ts';
import { idOf } from '../../graphql/ids.ts';
import { MessagePages, type MessageView } from '../../messages/types.ts';
import { ViewerRef } from '../../users/types.ts';
import { addToggle } from '../toggles/schema.ts';
import type { Toggles } from '../toggles/toggles.ts';
import { likesKind } from './kind.ts';
import { type LikedMessage, type LikedMessages, likedPosition } from './liked.ts';

declare module '../../graphql/context.ts' {
  interface Services {
    readonly likes: Toggles;
    readonly likedMessages: LikedMessages;
  }
}

const { addedPayload } = addToggle({
  kind: likesKind,
  service: ({ likes }) => likes,
  limit: 'likes',
  fields: {
    count: 'The exact number of users who like the message; 0 if it was deleted.',
    viewerHas: {
      name: 'viewerHasLiked',
      description: 'Whether the viewer likes the message; false if it was deleted.',
    },
    reactors: {
      name: 'likers',
      description:
        'The users who like the message, the most recent like first; empty if the message was deleted.',
    },
  },
  mutations: {
    add: {
      name: 'likeMessage',
      description:
        'Likes a message. Each user can like a message once. `CONFLICT` if the message was deleted. Idempotent.',
      message: 'The message that was liked.',
      edge: {
        name: 'likerEdge',
        description: 'The viewer in `Message.likers`; null if the like was taken back in the meantime.',
      },
    },
    remove: {
      name: 'unlikeMessage',
      description: "Removes the viewer's like from a message. Idempotent.",
      message: 'The message that the viewer no longer likes.',
    },
  },
});

const rows = {
  position: ({ position }: LikedMessage) => position,
  node: ({ message }: LikedMessage): MessageView => message,
};
const likedMessages = pagedList({
  cursors: (user: string) => ({ list: `likedMessages:${user}`, position: POSITIONS.timestampAndMessage }),
  ...rows,
});
const likedInRoom = pagedList({
  cursors: ({ user, room }: { readonly user: string; readonly room: string }) => ({
    list: `likedMessages:${user}:${room}`,
    position: POSITIONS.threeTimestamps,
  }),
  ...rows,
  newest: true,
});

/** Null if the like was taken back in the meantime. One read, which `likerEdge` shares. */
async function likedMessageEdge(message: MessageView, context: Context): Promise<Edge<MessageView> | null> {
  const viewer = requireViewer(context);
  const like = await context.items.load(likesKind.key(viewer, message));
  if (like === undefined) return null;
  const position = likedPosition(like.at as Timestamp, message);
  return likedMessages.edge(viewer, { message, position });
}

builder.objectField(addedPayload, 'likedMessageEdge', (t) =>
  t.field({
    type: MessagePages.edge,
    nullable: true,
    description:
      'The message in `Viewer.likedMessages` without other arguments; null if the like was taken back in the meantime.',
    resolve: ({ message }, _args, context) => likedMessageEdge(message, context),
  }),
);

builder.objectField(ViewerRef, 'likedMessages', (t) =>
  t.field({
    type: MessagePages.connection,
    description: [
      'The messages that the viewer likes, the newest like first. With `roomId` those of one room in the order of the messages, oldest first; without other arguments it is the newest page, and a message that was liked a moment ago may be missing.',
      'Deleted messages and those of rooms that the viewer is not in are left out, so a page may be shorter than requested.',
    ].join('\n\n'),
    args: {
      ...bothWaysArgs,
      roomId: t.arg.id({
        description: 'The room that the messages are in. The list is empty if the viewer is not in it.',
      }),
    },
    resolve: ({ id: user }, { roomId, ...args }, { services, items }) => {
      const room = roomId == null ? undefined : (idOf('Room', roomId) ?? '');
      const read = (request: PageRequest) => services.likedMessages.list(user, { ...request, room }, items);
      return room === undefined
        ? likedMessages.page(user, args, read)
        : likedInRoom.page({ user, room }, args, read);
    },
  }),
);
