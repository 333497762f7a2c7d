import { z } from 'zod';
import { builder } from '../graphql/builder.ts';
import { requireViewer } from '../graphql/context.ts';
import { text } from '../graphql/validation.ts';
import { roomIdOf } from '../rooms/types.ts';
import type { Messages } from './messages.ts';
import { MessageRef, type MessageView, messageKeyOf } from './types.ts';

declare module '../graphql/context.ts' {
  interface Services {
    readonly messages: Messages;
  }
}

const BODY_CHARACTERS = 4_000;
const BODY_BYTES = 16_384;
const IDEMPOTENCY_KEY_MAX = 64;

const bodyField = text({ characters: BODY_CHARACTERS, bytes: BODY_BYTES, multiline: true });

const SendMessageInput = builder.inputType('SendMessageInput', {
  description: 'A new message.',
  fields: (t) => ({
    roomId: t.id({ required: true, description: 'A room that the viewer is in.' }),
    body: t.string({
      required: true,
      description: `1 to ${BODY_CHARACTERS} characters and at most ${BODY_BYTES} bytes in UTF-8; kept as it is sent.`,
      validate: bodyField,
    }),
    replyTo: t.id({ description: 'A message of the thread to reply in; a reply stands for its root.' }),
    idempotencyKey: t.string({
      description: `1 to ${IDEMPOTENCY_KEY_MAX} characters that the client makes up. The same sending again within 90 days answers with the first message; another content under the same key is a CONFLICT.`,
      validate: z
        .string()
        .min(1, { error: 'At least 1 character.' })
        .max(IDEMPOTENCY_KEY_MAX, { error: `At most ${IDEMPOTENCY_KEY_MAX} characters.` })
        // Two keys that differ only in such a half would be one: it is lost in UTF-8.
        .refine((key) => key.isWellFormed(), { error: 'Not well-formed Unicode: half of a surrogate pair.' })
        .nullish(),
    }),
  }),
});

const SendMessagePayload = builder
  .objectRef<{ readonly message: MessageView }>('SendMessagePayload')
  .implement({
    description: 'What `sendMessage` answers.',
    fields: (t) => ({
      message: t.expose('message', { type: MessageRef, description: 'The message as it was stored.' }),
    }),
  });

builder.mutationField('sendMessage', (t) =>
  t.field({
    type: SendMessagePayload,
    description:
      'Says something in a room, or in a thread. What was answered is stored, once, and reaches every member.',
    args: { input: t.arg({ type: SendMessageInput, required: true, description: 'What and where.' }) },
    resolve: async (_root, { input }, context) => {
      const { roomId, body, replyTo, idempotencyKey } = input;
      await context.services.limits.charge('messages', requireViewer(context));
      const message = await context.services.messages.send({
        room: roomIdOf(roomId),
        author: requireViewer(context),
        body,
        ...(replyTo == null ? {} : { replyTo: messageKeyOf(replyTo) }),
        ...(idempotencyKey == null ? {} : { idempotencyKey }),
      });
      return { message };
    },
  }),
);

const EditMessageInput = builder.inputType('EditMessageInput', {
  description: 'A new text for a message.',
  fields: (t) => ({
    messageId: t.id({ required: true, description: "One of the viewer's own messages." }),
    body: t.string({
      required: true,
      description: `1 to ${BODY_CHARACTERS} characters and at most ${BODY_BYTES} bytes in UTF-8.`,
      validate: bodyField,
    }),
  }),
});

const DeleteMessageInput = builder.inputType('DeleteMessageInput', {
  description: 'A message to delete.',
  fields: (t) => ({
    messageId: t.id({
      required: true,
      description: "One's own; owners and moderators may delete any in their room.",
    }),
  }),
});

const EditMessagePayload = builder
  .objectRef<{ readonly message: MessageView }>('EditMessagePayload')
  .implement({
    description: 'What `editMessage` answers.',
    fields: (t) => ({ message: t.expose('message', { type: MessageRef, description: 'As it is now.' }) }),
  });

const DeleteMessagePayload = builder
  .objectRef<{ readonly message: MessageView }>('DeleteMessagePayload')
  .implement({
    description: 'What `deleteMessage` answers.',
    fields: (t) => ({
      message: t.expose('message', {
        type: MessageRef,
        description: 'As it is now: in its place, without its text.',
      }),
    }),
  });

builder.mutationFields((t) => ({
  editMessage: t.field({
    type: EditMessagePayload,
    description:
      'Replaces the text of a message of the viewer. `CONFLICT` for a deleted one, and for the later of two edits that race.',
    args: {
      input: t.arg({ type: EditMessageInput, required: true, description: 'Which, and the new text.' }),
    },
    resolve: async (_root, { input }, context) => {
      const viewer = requireViewer(context);
      await context.services.limits.charge('messages', viewer);
      const key = messageKeyOf(input.messageId);
      return { message: await context.services.messages.edit(viewer, key, input.body) };
    },
  }),
  deleteMessage: t.field({
    type: DeleteMessagePayload,
    description:
      'Takes away what a message says, its stamps included; its place and its thread stay. Twice is no error.',
    args: { input: t.arg({ type: DeleteMessageInput, required: true, description: 'Which.' }) },
    resolve: async (_root, { input }, context) => {
      const viewer = requireViewer(context);
      await context.services.limits.charge('messages', viewer);
      return { message: await context.services.messages.remove(viewer, messageKeyOf(input.messageId)) };
    },
  }),
}));
