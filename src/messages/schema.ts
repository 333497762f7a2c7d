import { z } from 'zod';
import { builder } from '../graphql/builder.ts';
import { signedIn } from '../graphql/context.ts';
import { text } from '../graphql/validation.ts';
import { roomIdOf } from '../rooms/types.ts';
import type { Messages } from './messages.ts';
import { MessageRef, messageKeyOf } from './types.ts';

declare module '../graphql/context.ts' {
  interface Services {
    readonly messages: Messages;
  }
}

const BODY_CHARACTERS = 4_000;
const BODY_BYTES = 16_384;
const IDEMPOTENCY_KEY_MAX = 64;

const SendMessageInput = builder.inputType('SendMessageInput', {
  description: 'A new message.',
  fields: (t) => ({
    roomId: t.id({ required: true, description: 'A room that the viewer is in.' }),
    body: t.string({
      required: true,
      description: `1 to ${BODY_CHARACTERS} characters and at most ${BODY_BYTES} bytes in UTF-8; kept as it is sent.`,
      validate: text({ characters: BODY_CHARACTERS, bytes: BODY_BYTES, multiline: true }),
    }),
    replyTo: t.id({ description: 'A message of the thread to reply in; a reply stands for its root.' }),
    idempotencyKey: t.string({
      description: `1 to ${IDEMPOTENCY_KEY_MAX} characters that the client makes up. The same sending again within 90 days answers with the first message; another content under the same key is a CONFLICT.`,
      validate: z
        .string()
        .min(1, { error: 'At least 1 character.' })
        .max(IDEMPOTENCY_KEY_MAX, { error: `At most ${IDEMPOTENCY_KEY_MAX} characters.` })
        .nullish(),
    }),
  }),
});

const SendMessagePayload = builder
  .objectRef<{ readonly message: typeof MessageRef.$inferType }>('SendMessagePayload')
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
      const message = await context.services.messages.send({
        room: roomIdOf(roomId),
        author: signedIn(context),
        body,
        ...(replyTo == null ? {} : { replyTo: messageKeyOf(replyTo) }),
        ...(idempotencyKey == null ? {} : { idempotencyKey }),
      });
      return { message };
    },
  }),
);
