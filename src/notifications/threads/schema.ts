/** The threads that the viewer follows, and what the viewer has of a thread in a list. */
import { builder } from '../../graphql/builder.ts';
import {
  type CursorCodec,
  connection,
  type Edge,
  edgeOf,
  encodeCursor,
  forwardArgs,
  POSITIONS,
  parsePageArgs,
} from '../../graphql/connections.ts';
import { type Context, requireViewer } from '../../graphql/context.ts';
import { type MessageKey, NEWEST_REPLIES_MAX } from '../../messages/message.ts';
import type { MessageView } from '../../messages/types.ts';
import type { Thread } from '../../threads/threads.ts';
import { repliesArg, shownReplies, ThreadConnection, ThreadRef } from '../../threads/types.ts';
import { ViewerRef } from '../../users/types.ts';
import { viewerFollows } from '../types.ts';
import { LISTED_DAYS } from './followedThread.ts';
import type { FollowedThreadList } from './list.ts';

declare module '../../graphql/context.ts' {
  interface Services {
    readonly followedThreads: FollowedThreadList;
  }
}

builder.objectFields(ThreadRef, (t) => ({
  viewerIsFollowing: t.boolean({
    description: 'Whether the viewer is notified of replies in the thread.',
    resolve: ({ root }, _args, context) => viewerFollows(root, context),
  }),
  hasUnread: t.boolean({
    description: 'Whether the viewer has an unread `REPLY` notification of the thread.',
    resolve: ({ root }, _args, context) =>
      context.services.followedThreads.hasUnread({ ...root, user: requireViewer(context) }, context.items),
  }),
}));

const followedCodec = (user: string): CursorCodec => ({
  list: `followedThreads:${user}`,
  position: POSITIONS.timestampAndThread,
});

/** A thread in the list of those that the viewer follows; null if it is not in the list. One round trip. */
export async function followedThreadEdge(
  { room, threadTs }: Pick<MessageKey, 'room' | 'threadTs'>,
  context: Context,
): Promise<Edge<Thread<MessageView>> | null> {
  const user = requireViewer(context);
  const { services, items } = context;
  const found = await services.followedThreads.find({ user, room, threadTs }, items);
  if (found === null) return null;
  const [thread] = services.threads.page({ roots: [found.root], shown: NEWEST_REPLIES_MAX, items });
  return thread === undefined ? null : edgeOf(thread, followedCodec(user), found.cursor);
}

builder.objectField(ViewerRef, 'threads', (t) =>
  t.field({
    type: ThreadConnection,
    description: [
      `The threads that the viewer follows, in all rooms that they are in, the newest reply first. A thread without a reply in the last ${LISTED_DAYS} days is not in the list, nor is one whose root is deleted. A thread returns with its next reply.`,
      'A reply moves its thread a moment later. Someone who enters a room again sees its threads after their next reply. A page may be shorter than requested.',
    ].join('\n\n'),
    args: {
      ...forwardArgs,
      ...repliesArg,
      unreadOnly: t.arg.boolean({
        description:
          'Whether to return only threads with `hasUnread`. The page then has those among the next `first` threads; continue while there is a next page. The default is false.',
      }),
    },
    resolve: async ({ user: { id: user } }, { replies, unreadOnly, ...args }, { services, items }) => {
      const shown = shownReplies(replies);
      const codec = followedCodec(user);
      const request = parsePageArgs(args, codec);
      const { nodes, more, end } = await services.followedThreads.list(
        user,
        { limit: request.limit, from: request.from, unreadOnly: unreadOnly === true },
        items,
      );
      const roots = nodes.map(({ root }) => root);
      const threads = services.threads.page({ roots, shown, items });
      const cursors = new Map(nodes.map(({ root, cursor }) => [root, cursor]));
      const page = connection({ nodes: threads, more }, request, {
        codec,
        position: ({ root }) => cursors.get(root) ?? '',
      });
      // The cursor of the last entry that was read, even if it is not in the page.
      const endCursor = end === undefined ? null : encodeCursor(codec, end);
      return { ...page, pageInfo: { ...page.pageInfo, endCursor } };
    },
  }),
);
