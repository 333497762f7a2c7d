import { mutation } from '../graphql/mutation.ts';
import { BODY_RULE, writtenBodyField } from './input.ts';
import './lists.ts';
import type { Messages } from './messages.ts';
import './sendMessage.ts';
import { MessageRef, messageKeyOf } from './types.ts';

declare module '../graphql/context.ts' {
  interface Services {
    readonly messages: Messages;
    /** The origin of links to the web client, without a slash at its end. */
    readonly publicUrl: () => string;
  }
}

mutation('editMessage', {
  description:
    'Replaces the text of a message of the viewer. `FORBIDDEN` if the viewer is not the author. `CONFLICT` if the message was deleted, or if another edit of the same text was faster.',
  limit: 'messages',
  input: (t) => ({
    messageId: t.id({ required: true, description: 'A message that the viewer sent.' }),
    body: t.string({
      required: true,
      description: `The new text: ${BODY_RULE}.`,
      validate: writtenBodyField,
    }),
  }),
  resolve: async (viewer, { messageId, body }, { services }) => ({
    message: await services.messages.edit(viewer, messageKeyOf(messageId), body),
  }),
  payload: (t) => ({
    message: t.expose('message', { type: MessageRef, description: 'The edited message.' }),
  }),
});

mutation('deleteMessage', {
  description:
    'Deletes the text and the reactions of a message. The message keeps its place. The thread of a deleted root remains, but accepts no new replies. `FORBIDDEN` if the viewer is neither the author nor an owner or moderator of the room. Idempotent.',
  limit: 'messages',
  input: (t) => ({
    messageId: t.id({
      required: true,
      description:
        'A message that the viewer sent. Owners and moderators may delete every message of their room.',
    }),
  }),
  resolve: async (viewer, { messageId }, { services }) => ({
    message: await services.messages.remove(viewer, messageKeyOf(messageId)),
  }),
  payload: (t) => ({
    message: t.expose('message', { type: MessageRef, description: 'The deleted message, without its text.' }),
  }),
});
