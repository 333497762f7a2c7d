/** The threads that the viewer follows, and what the viewer has of a thread in a list. */
import { builder } from '../../graphql/builder.ts';
import { type Edge, forwardArgs, POSITIONS, pagedList } from '../../graphql/connections.ts';
import { type Context, requireViewer } from '../../graphql/context.ts';
import { type MessageKey, NEWEST_REPLIES_MAX } from '../../messages/message.ts';
import type { MessageView } from '../../messages/types.ts';
import type { Thread } from '../../threads/threads.ts';
import { repliesArg, shownReplies, ThreadPages, ThreadRef } from '../../threads/types.ts';
import { ViewerRef } from '../../users/types.ts';
import { viewerFollows } from '../types.ts';
import { LISTED_DAYS } from './followedThread.ts';
import type { FollowedThreadList, ListedThread } from './list.ts';

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

interface PlacedThread {
  readonly thread: Thread<MessageView>;
  readonly cursor: string;
}

const followedThreads = pagedList({
  cursors: (user: string) => ({ list: `followedThreads:${user}`, position: POSITIONS.timestampAndThread }),
  position: ({ cursor }: PlacedThread) => cursor,
  node: ({ thread }) => thread,
});

/** Threads of the list, as clients see them: one for each of `listed`. */
function placed(
  listed: readonly ListedThread[],
  shown: number,
  { services, items }: Context,
): readonly PlacedThread[] {
  const threads = services.threads.page({ roots: listed.map(({ root }) => root), shown, items });
  return threads.map((thread, i) => ({ thread, cursor: listed[i]?.cursor ?? '' }));
}

/** A thread in the list of those that the viewer follows; null if it is not in the list. One round trip. */
export async function followedThreadEdge(
  { room, threadTs }: Pick<MessageKey, 'room' | 'threadTs'>,
  context: Context,
): Promise<Edge<Thread<MessageView>> | null> {
  const user = requireViewer(context);
  const { services, items } = context;
  const found = await services.followedThreads.find({ user, room, threadTs }, items);
  if (found === null) return null;
  const [thread] = placed([found], NEWEST_REPLIES_MAX, context);
  return thread === undefined ? null : followedThreads.edge(user, thread);
}

builder.objectField(ViewerRef, 'threads', (t) =>
  t.field({
    type: ThreadPages.connection,
    description: [
      `The threads that the viewer follows, in all rooms that they are in, the newest reply first. A thread without a reply in the last ${LISTED_DAYS} days is not in the list, nor is one whose root is deleted. A thread returns with its next reply.`,
      'A reply moves its thread a moment later. Someone who enters a room again sees its threads after their next reply. A page may be shorter than requested.',
    ].join('\n\n'),
    args: {
      ...forwardArgs,
      ...repliesArg,
      unreadOnly: t.arg.boolean({
        description:
          'Whether to return only threads with `hasUnread`. The page then has those among the next `first` threads; continue while there is a next page. The default is false. Cursors are valid with either value.',
      }),
    },
    resolve: ({ id: user }, { replies, unreadOnly, ...args }, context) => {
      const shown = shownReplies(replies);
      return followedThreads.page(user, args, async ({ limit, from }) => {
        const { services, items } = context;
        const page = { limit, from, unreadOnly: unreadOnly === true };
        const { nodes, ...read } = await services.followedThreads.list(user, page, items);
        return { ...read, nodes: placed(nodes, shown, context) };
      });
    },
  }),
);
