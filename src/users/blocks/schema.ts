import { builder } from '../../graphql/builder.ts';
import {
  type CursorCodec,
  connection,
  edgeOf,
  forwardArgs,
  POSITIONS,
  parsePageArgs,
} from '../../graphql/connections.ts';
import { requireViewer } from '../../graphql/context.ts';
import { mutation, mutationLike } from '../../graphql/mutation.ts';
import { loadUserOrThrow, requireUserId, UserConnection, UserEdge, UserRef, ViewerRef } from '../types.ts';
import { BLOCKED_MAX } from './block.ts';
import type { Blocks } from './blocks.ts';

declare module '../../graphql/context.ts' {
  interface Services {
    readonly blocks: Blocks;
  }
}

const blocksCodec = (viewer: string): CursorCodec => ({ list: `blocks:${viewer}`, position: POSITIONS.id });

const blocking = mutation('blockUser', {
  description: `Blocks a user: they cannot add the viewer to rooms or open a new direct room with them, their mentions of the viewer stay text, and the viewer is not notified of what they do. Rooms that both are in stay as they are. Only the viewer sees the block. While it lasts, the viewer cannot add the user either (\`CONFLICT\`). \`CONFLICT\` above ${BLOCKED_MAX} users, \`BAD_USER_INPUT\` for the viewer themselves. Idempotent.`,
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
      type: UserEdge,
      nullable: true,
      description: 'The user in `Viewer.blockedUsers`; null after `unblockUser`.',
      resolve: ({ user, isBlocked }, _args, context) =>
        isBlocked ? edgeOf(user, blocksCodec(requireViewer(context)), user.id) : null,
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
    type: UserConnection,
    description: `The users that the viewer has blocked, by user id: at most ${BLOCKED_MAX} in all.`,
    args: forwardArgs,
    resolve: async ({ user: viewer }, args, { services, items }) => {
      const codec = blocksCodec(viewer.id);
      const request = parsePageArgs(args, codec);
      const { nodes, more } = await services.blocks.blockedBy(viewer.id, request);
      const users = await Promise.all(nodes.map((id) => loadUserOrThrow(id, items)));
      return connection({ nodes: users, more }, request, { codec, position: ({ id }) => id });
    },
  }),
);
