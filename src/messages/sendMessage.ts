import { defined } from '../core/defined.ts';
import { mutation } from '../graphql/mutation.ts';
import { roomIdOf } from '../rooms/types.ts';
import { BODY_RULE, IDEMPOTENCY_KEY_RULE, idempotencyKeyField, writtenBodyField } from './input.ts';
import { messageEdge } from './lists.ts';
import { handlesMentioned, MENTIONS_MAX } from './mentions.ts';
import { MessagePages, MessageRef, messageKeyOf } from './types.ts';

/** Its types are exported, because the payload has a field of another feature. */
export const sendMessage = mutation('sendMessage', {
  description:
    'Sends a message to a room or to a thread. When the mutation returns, the message is stored exactly once; every member receives it. `CONFLICT` if the thread was closed by deleting its root, or if the idempotency key was used for another message.',
  limit: 'messages',
  input: (t) => ({
    roomId: t.id({ required: true, description: 'A room that the viewer is in.' }),
    body: t.string({
      required: true,
      description: `The text: ${BODY_RULE}. It is stored unchanged. \`@handle\` mentions a member of the room; at most ${MENTIONS_MAX} different handles. It stays text right beside a letter with case (Latin, Greek, Cyrillic …), a digit, \`_\` or \`@\`, as in an e-mail address; kana, kanji, Hangul and other letters without case may be beside it.`,
      validate: writtenBodyField,
    }),
    replyTo: t.id({
      description:
        'The message that is answered: the root of a thread, or any reply in it (see `inReplyTo`). Without it the message is a root.',
    }),
    idempotencyKey: t.string({
      description: `A text of ${IDEMPOTENCY_KEY_RULE} that the client makes up. If the same message is sent again with it within 90 days, the first message is returned. Another message with the same key is a \`CONFLICT\`.`,
      validate: idempotencyKeyField.nullish(),
    }),
  }),
  resolve: async (viewer, { roomId, body, replyTo, idempotencyKey }, { services }) => {
    // Each may notify a user.
    const mentioned = handlesMentioned(body).length;
    if (mentioned > 0) await services.rateLimiter.charge('mentions', viewer, mentioned);
    return {
      message: await services.messages.send({
        room: roomIdOf(roomId),
        author: viewer,
        body,
        ...defined({
          replyTo: replyTo == null ? undefined : messageKeyOf(replyTo),
          idempotencyKey: idempotencyKey ?? undefined,
        }),
      }),
    };
  },
  payload: (t) => ({
    message: t.expose('message', { type: MessageRef, description: 'The stored message.' }),
    messageEdge: t.field({
      type: MessagePages.edge,
      description: 'The message in `Room.messages`, or, for a reply, in `Message.replies` of its root.',
      resolve: ({ message }) => messageEdge(message),
    }),
  }),
});
