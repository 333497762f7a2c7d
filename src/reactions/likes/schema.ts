import { mutation } from '../../graphql/mutation.ts';
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
  description: 'A message of a room that the viewer is in: a root or a reply.',
} as const;

const payload = ({ message, liked }: LikedMessage): { readonly message: MessageView } => ({
  message: { ...message, viewerItems: knownLike(liked) },
});

mutation('likeMessage', {
  description:
    'Likes a message. Each user can like a message once. `CONFLICT` if the message was deleted. Idempotent.',
  limit: 'likes',
  input: (t) => ({ messageId: t.id(messageToLike) }),
  resolve: async (viewer, { messageId }, { services }) =>
    payload(await services.likes.like(viewer, messageKeyOf(messageId))),
  payload: (t) => ({
    message: t.expose('message', { type: MessageRef, description: 'The message that was liked.' }),
  }),
});

mutation('unlikeMessage', {
  description: "Removes the viewer's like from a message. Idempotent.",
  limit: 'likes',
  input: (t) => ({ messageId: t.id(messageToLike) }),
  resolve: async (viewer, { messageId }, { services }) =>
    payload(await services.likes.unlike(viewer, messageKeyOf(messageId))),
  payload: (t) => ({
    message: t.expose('message', {
      type: MessageRef,
      description: 'The message that the viewer no longer likes.',
    }),
  }),
});
