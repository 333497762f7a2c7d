import { builder } from '../../graphql/builder.ts';
import { type Context, requireViewer } from '../../graphql/context.ts';
import { MessageRef, type MessageView, messageKeyOf } from '../../messages/types.ts';
import { knownLike } from './like.ts';
import type { LikedMessage, Likes } from './likes.ts';
import './types.ts';

declare module '../../graphql/context.ts' {
  interface Services {
    readonly likes: Likes;
  }
}

const messageToLike = {
  required: true,
  description: 'A message of a room that the viewer is in: a thread root or a reply.',
} as const;

const LikeMessageInput = builder.inputType('LikeMessageInput', {
  description: 'A message to like.',
  fields: (t) => ({ messageId: t.id(messageToLike) }),
});

const UnlikeMessageInput = builder.inputType('UnlikeMessageInput', {
  description: 'A message to like no more.',
  fields: (t) => ({ messageId: t.id(messageToLike) }),
});

interface LikePayload {
  readonly message: MessageView;
}

const LikeMessagePayload = builder.objectRef<LikePayload>('LikeMessagePayload').implement({
  description: 'What `likeMessage` answers.',
  fields: (t) => ({
    message: t.expose('message', { type: MessageRef, description: 'The message as it is now.' }),
  }),
});

const UnlikeMessagePayload = builder.objectRef<LikePayload>('UnlikeMessagePayload').implement({
  description: 'What `unlikeMessage` answers.',
  fields: (t) => ({
    message: t.expose('message', { type: MessageRef, description: 'The message as it is now.' }),
  }),
});

const payload = ({ message, liked }: LikedMessage): LikePayload => ({
  message: { ...message, viewerItems: knownLike(liked) },
});

async function likesOf(context: Context) {
  const viewer = requireViewer(context);
  await context.services.limits.charge('likes', viewer);
  return { viewer, likes: context.services.likes };
}

builder.mutationFields((t) => ({
  likeMessage: t.field({
    type: LikeMessagePayload,
    description:
      'Likes a message. One like each: liking it again changes nothing and is no error. `CONFLICT` on a deleted message.',
    args: { input: t.arg({ type: LikeMessageInput, required: true, description: 'Which.' }) },
    resolve: async (_root, { input }, context) => {
      const { viewer, likes } = await likesOf(context);
      return payload(await likes.like(viewer, messageKeyOf(input.messageId)));
    },
  }),
  unlikeMessage: t.field({
    type: UnlikeMessagePayload,
    description: "Takes the viewer's like back. Where there is none, that changes nothing and is no error.",
    args: { input: t.arg({ type: UnlikeMessageInput, required: true, description: 'Which.' }) },
    resolve: async (_root, { input }, context) => {
      const { viewer, likes } = await likesOf(context);
      return payload(await likes.unlike(viewer, messageKeyOf(input.messageId)));
    },
  }),
}));
