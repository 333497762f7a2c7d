import { AHEAD } from '../core/ahead.ts';
import { defined } from '../core/defined.ts';
import { notFound } from '../core/errors.ts';
import { idOf } from '../graphql/ids.ts';
import { mutation } from '../graphql/mutation.ts';
import { BODY_RULE, IDEMPOTENCY_KEY_RULE, idempotencyKeyField, writtenBodyField } from '../messages/input.ts';
import { messageKeyOf } from '../messages/types.ts';
import { roomIdOf } from '../rooms/types.ts';
import type { Scheduled } from './scheduled.ts';
import { ownScheduledId, SCHEDULED_MAX } from './scheduledMessage.ts';
import { ScheduledMessagePages, ScheduledMessageRef, scheduledMessageEdge } from './types.ts';

declare module '../graphql/context.ts' {
  interface Services {
    readonly scheduledMessages: Scheduled;
  }
}

/** Throws NOT_FOUND if it is malformed, or belongs to another user. */
function requireScheduledId(viewer: string, globalId: string): string {
  const id = ownScheduledId(viewer, idOf('ScheduledMessage', globalId) ?? '');
  if (id === undefined) throw notFound();
  return id;
}

mutation('scheduleMessage', {
  description: `Sends a message later. When it is due, it is sent once, with the rights that the viewer has then; if they may not write to the room any more, it stays in \`Viewer.scheduledMessages\` with its \`failure\`. After an outage it is sent late, and so is one that mentions more people than the viewer may at that moment: its \`sendAt\` is then the time when they may. \`CONFLICT\` above ${SCHEDULED_MAX} messages, in a closed thread, or if the idempotency key was used for another message.`,
  limit: 'messages',
  input: (t) => ({
    roomId: t.id({ required: true, description: 'A room that the viewer is in.' }),
    body: t.string({
      required: true,
      description: `The text: ${BODY_RULE}. Mentions are as in \`sendMessage\`.`,
      validate: writtenBodyField,
    }),
    replyTo: t.id({ description: 'The message that is answered, as in `sendMessage`.' }),
    sendAt: t.field({ type: 'DateTime', required: true, description: `When it is sent: ${AHEAD}.` }),
    idempotencyKey: t.string({
      description: `A text of ${IDEMPOTENCY_KEY_RULE} that the client makes up. The same request with it schedules one message, and the message that is sent has it as its \`idempotencyKey\`. Once the message was sent, the same request is a \`CONFLICT\`.`,
      validate: idempotencyKeyField.nullish(),
    }),
  }),
  alsoWrong: ({ sendAt }, { services }) => [services.scheduledMessages.wrongSendAt(sendAt.getTime())],
  resolve: async (viewer, { roomId, body, replyTo, sendAt, idempotencyKey }, { services }) => ({
    scheduledMessage: await services.scheduledMessages.schedule({
      room: roomIdOf(roomId),
      author: viewer,
      body,
      sendAt: sendAt.getTime(),
      ...defined({
        replyTo: replyTo == null ? undefined : messageKeyOf(replyTo),
        idempotencyKey: idempotencyKey ?? undefined,
      }),
    }),
  }),
  payload: (t) => ({
    scheduledMessage: t.expose('scheduledMessage', {
      type: ScheduledMessageRef,
      description: 'The scheduled message.',
    }),
    scheduledMessageEdge: t.field({
      type: ScheduledMessagePages.edge,
      description: 'The scheduled message in `Viewer.scheduledMessages`.',
      resolve: ({ scheduledMessage }) => scheduledMessageEdge(scheduledMessage),
    }),
  }),
});

mutation('updateScheduledMessage', {
  description:
    'Changes a scheduled message that was not sent yet. `NOT_FOUND` if it was sent or cancelled. A new time tries one again that could not be sent.',
  limit: 'messages',
  input: (t) => ({
    scheduledMessageId: t.id({ required: true, description: 'A scheduled message of the viewer.' }),
    body: t.string({
      description: `The new text: ${BODY_RULE}. Absent: it stays.`,
      validate: writtenBodyField.nullish(),
    }),
    sendAt: t.field({ type: 'DateTime', description: `The new time: ${AHEAD}. Absent: it stays.` }),
    version: t.int({
      description:
        'The version that may be changed: `CONFLICT` if the message has another one. Without it, the current version is changed.',
    }),
  }),
  alsoWrong: ({ sendAt }, { services }) => [services.scheduledMessages.wrongSendAt(sendAt?.getTime())],
  resolve: async (viewer, { scheduledMessageId, body, sendAt, version }, { services }) => ({
    scheduledMessage: await services.scheduledMessages.update(
      viewer,
      requireScheduledId(viewer, scheduledMessageId),
      defined({
        body: body ?? undefined,
        sendAt: sendAt?.getTime(),
        version: version ?? undefined,
      }),
    ),
  }),
  payload: (t) => ({
    scheduledMessage: t.expose('scheduledMessage', {
      type: ScheduledMessageRef,
      description: 'The changed message.',
    }),
  }),
});

mutation('cancelScheduledMessage', {
  description: 'Removes a scheduled message, also one that could not be sent. Idempotent.',
  limit: 'messages',
  input: (t) => ({
    scheduledMessageId: t.id({ required: true, description: 'A scheduled message of the viewer.' }),
  }),
  resolve: async (viewer, { scheduledMessageId }, { services }) => ({
    cancelled: await services.scheduledMessages.cancel(
      viewer,
      requireScheduledId(viewer, scheduledMessageId),
    ),
  }),
  payload: (t) => ({
    cancelled: t.expose('cancelled', {
      type: ScheduledMessageRef,
      nullable: true,
      description: 'What was removed, which will not be sent; null if it was sent or cancelled before.',
    }),
  }),
});
