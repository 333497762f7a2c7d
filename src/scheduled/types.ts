/** The GraphQL types of scheduled messages. */
import { keys, scheduledList } from '../dynamo/keys.ts';
import { builder } from '../graphql/builder.ts';
import { type Edge, forwardArgs, POSITIONS, pagedList, pageTypes } from '../graphql/connections.ts';
import { type Context, requireViewer } from '../graphql/context.ts';
import { ConflictReasonRef, ErrorCodeRef } from '../graphql/errorTypes.ts';
import { nodeLoader } from '../graphql/nodes.ts';
import { messageOf } from '../messages/message.ts';
import { MessageRef } from '../messages/types.ts';
import { accessTo } from '../rooms/access.ts';
import { RoomRef } from '../rooms/types.ts';
import { ViewerRef } from '../users/types.ts';
import {
  ownScheduledId,
  SCHEDULED_MAX,
  type ScheduledMessage,
  scheduledId,
  scheduledOf,
} from './scheduledMessage.ts';

export const ScheduledMessageRef = builder.objectRef<ScheduledMessage>('ScheduledMessage');

const accessOf = ({ room }: ScheduledMessage, context: Context) =>
  accessTo(room, requireViewer(context), context.items);

builder.node(ScheduledMessageRef, {
  description: 'A message that the viewer sends later, or that could not be sent. Only they see it.',
  id: { resolve: scheduledId },
  fields: (t) => ({
    room: t.field({
      type: RoomRef,
      nullable: true,
      description: 'The room that it is sent to; null if the viewer may not see it any more.',
      resolve: async (one, _args, context) => (await accessOf(one, context))?.room ?? null,
    }),
    body: t.exposeString('body', {
      description: 'The text as it was written. Mentions are found when it is sent.',
    }),
    replyTo: t.field({
      type: MessageRef,
      nullable: true,
      description:
        'The message that it answers; null if there is none, or if the viewer may not see it any more.',
      resolve: async (one, _args, context) => {
        const { replyTo } = one;
        if (replyTo === undefined) return null;
        const { room, threadTs, ts } = replyTo;
        const [access, item] = await Promise.all([
          accessOf(one, context),
          context.items.load(keys.message(room, threadTs, ts)),
        ]);
        return access?.membership == null || item === undefined ? null : messageOf(replyTo, item);
      },
    }),
    sendAt: t.field({
      type: 'DateTime',
      description:
        'When it is sent, or when it should have been sent. Later than the viewer chose if messages that were due mentioned too many people at once.',
      resolve: ({ sendAt }) => new Date(sendAt),
    }),
    failure: t.field({
      type: ErrorCodeRef,
      nullable: true,
      description:
        'Why it could not be sent, as the code of the error that `sendMessage` would have returned; `INTERNAL` after a day of failed attempts. Null before it is sent. A new `sendAt` tries it again.',
      resolve: ({ failure }) => failure?.code ?? null,
    }),
    failureReason: t.field({
      type: ConflictReasonRef,
      nullable: true,
      description: 'The reason of a `failure` that is a `CONFLICT`; null otherwise.',
      resolve: ({ failure }) => failure?.reason ?? null,
    }),
    version: t.exposeInt('version', {
      description: 'The version, which rises with every change.',
    }),
  }),
});

nodeLoader('ScheduledMessage', async (id, context) => {
  const viewer = requireViewer(context);
  const own = ownScheduledId(viewer, id);
  if (own === undefined) return null;
  const item = await context.items.load(keys.scheduledMessage(viewer, own));
  return item === undefined ? null : scheduledOf(viewer, own, item);
});

export const ScheduledMessagePages = pageTypes(ScheduledMessageRef, 'ScheduledMessage', {
  edge: 'A scheduled message in a page, with its cursor.',
  page: 'A page of scheduled messages.',
});
const ownScheduled = pagedList({
  cursors: (user: string) => ({ list: `scheduledMessages:${user}`, position: POSITIONS.timestampAndId }),
  position: ({ sendAt, id }: ScheduledMessage) => scheduledList.sk(sendAt, id),
});

export const scheduledMessageEdge = (one: ScheduledMessage): Edge<ScheduledMessage> =>
  ownScheduled.edge(one.author, one);

builder.objectField(ViewerRef, 'scheduledMessages', (t) =>
  t.field({
    type: ScheduledMessagePages.connection,
    description: `The messages that the viewer sends later, and those that could not be sent, by \`sendAt\`: at most ${SCHEDULED_MAX} in all. One that was scheduled or moved may be missing for a moment. There are no events: clients read the list again when they show it.`,
    args: forwardArgs,
    resolve: ({ id }, args, { services, items }) =>
      ownScheduled.page(id, args, (request) => services.scheduledMessages.list(id, request, items)),
  }),
);
