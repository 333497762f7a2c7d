import { builder } from '../../graphql/builder.ts';
import { forwardArgs, POSITIONS, pagedList } from '../../graphql/connections.ts';
import { requireViewer } from '../../graphql/context.ts';
import { mutation, mutationLike } from '../../graphql/mutation.ts';
import { loadUserOrThrow, requireUserId, UserPages, UserRef, ViewerRef } from '../types.ts';
import type { User } from '../user.ts';
import { BLOCKED_MAX } from './block.ts';
import type { Blocks } from './blocks.ts';

declare module '../../graphql/context.ts' {
  interface Services {
    readonly blocks: Blocks;
  }
}

const blockedUsers = pagedList({
  cursors: (viewer: string) => ({ list: `blocks:${viewer}`, position: POSITIONS.id }),
  position: ({ id }: User) => id,
});

const blocking = mutation('blockUser', {
  description: `Blocks a user: they cannot add the viewer to rooms or open a new direct room with them, their mentions of the viewer stay text, and the viewer is not notified of what they do. Rooms that both are in stay as they are. Only the viewer sees the block. While it lasts, the viewer cannot add the user either (\`CONFLICT\`). \`CONFLICT\` above ${BLOCKED_MAX} users, \`BAD_USER_INPUT\` if the user is the viewer. Idempotent.`,
  limit: 'moderation',
  inputDescription: 'The arguments of `blockUser` and `unblockUser`.',
  input: (t) => ({
    userId: t.id({ required: true, description: 'A user other than the viewer.' }),
  }),
  resolve: async (viewer, { userId }, { services }) => ({
    user: await services.blocks.block(viewer, requireUserId(userId)),
    isBlocked: true,
  }),
  payload: (t) => ({
    user: t.expose('user', { type: UserRef, description: 'The other user.' }),
    userEdge: t.field({
      type: UserPages.edge,
      nullable: true,
      description: 'The user in `Viewer.blockedUsers`; null after `unblockUser`.',
      resolve: ({ user, isBlocked }, _args, context) =>
        isBlocked ? blockedUsers.edge(requireViewer(context), user) : null,
    }),
  }),
});

mutationLike(blocking, 'unblockUser', {
  description: 'Unblocks a user. Idempotent.',
  limit: 'moderation',
  resolve: async (viewer, { userId }, { services }) => ({
    user: await services.blocks.unblock(viewer, requireUserId(userId)),
    isBlocked: false,
  }),
});

builder.objectField(ViewerRef, 'blockedUsers', (t) =>
  t.field({
    type: UserPages.connection,
    description: `The users that the viewer has blocked, by user id: at most ${BLOCKED_MAX} in all.`,
    args: forwardArgs,
    resolve: ({ id: viewer }, args, { services, items }) =>
      blockedUsers.page(viewer, args, async (request) => {
        const { nodes, more } = await services.blocks.blockedBy(viewer, request);
        return { nodes: await Promise.all(nodes.map((id) => loadUserOrThrow(id, items))), more };
      }),
  }),
);
