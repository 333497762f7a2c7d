import { badUserInput, notFound } from '../../core/errors.ts';
import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/ids.ts';
import { mutation } from '../../graphql/mutation.ts';
import { MessageRef, messageKeyOf } from '../../messages/types.ts';
import type { Catalogue } from './catalogue.ts';
import { emojiOf } from './emoji.ts';
import { KINDS_MAX, parseMessageStampId, TOTAL_MAX } from './stamp.ts';
import type { Stamps } from './stamps.ts';
import { MessageStampPages, MessageStampRef, messageStampEdge, StampRef } from './types.ts';

declare module '../../graphql/context.ts' {
  interface Services {
    readonly stamps: Stamps;
    readonly catalogue: Catalogue;
  }
}

builder.queryField('stamps', (t) =>
  t.field({
    type: [StampRef],
    description: 'The catalogue of stamps, in the order for a picker.',
    resolve: (_root, _args, { services }) => [...services.catalogue.stamps],
  }),
);

mutation('addStamp', {
  description: `Puts a stamp on a message. A user can put several different stamps on a message, each of them once. \`CONFLICT\` if the message was deleted, if the viewer put this stamp on it before, or if the message is full (${KINDS_MAX} different stamps, ${TOTAL_MAX} in total).`,
  limit: 'stamps',
  input: (t) => ({
    messageId: t.id({ required: true, description: 'A message of a room that the viewer is in.' }),
    stamp: t.string({
      required: true,
      description:
        'The `key` of a stamp in the catalogue, or one emoji, with or without variation selectors; `BAD_USER_INPUT` otherwise.',
    }),
  }),
  resolve: async (viewer, { messageId, stamp }, { services }) => {
    const key = messageKeyOf(messageId);
    const stampKey = services.catalogue.get(stamp)?.key ?? emojiOf(stamp);
    if (stampKey === undefined) {
      throw badUserInput('input.stamp', 'It is neither a stamp of the catalogue nor exactly one emoji.');
    }
    return { messageStamp: await services.stamps.add(viewer, key, stampKey) };
  },
  payload: (t) => ({
    messageStamp: t.expose('messageStamp', {
      type: MessageStampRef,
      description: 'The stamp that was put on the message.',
    }),
    messageStampEdge: t.field({
      type: MessageStampPages.edge,
      description: 'The stamp in `Message.stamps`.',
      resolve: ({ messageStamp }) => messageStampEdge(messageStamp),
    }),
  }),
});

mutation('removeStamp', {
  description:
    'Removes a stamp that the viewer put on a message. `FORBIDDEN` if another user put it there, `NOT_FOUND` if it is not there, `CONFLICT` if the message was deleted.',
  limit: 'stamps',
  input: (t) => ({
    messageStampId: t.id({ required: true, description: 'A stamp that the viewer put on a message.' }),
  }),
  resolve: async (viewer, { messageStampId }, { services }) => {
    const key = parseMessageStampId(idOf('MessageStamp', messageStampId) ?? '');
    if (key === undefined) throw notFound();
    const message = await services.stamps.remove(viewer, key);
    return { message, deletedMessageStampId: messageStampId };
  },
  payload: (t) => ({
    message: t.expose('message', { type: MessageRef, description: 'The message without the stamp.' }),
    deletedMessageStampId: t.exposeID('deletedMessageStampId', {
      description: 'The id of the stamp that was removed.',
    }),
  }),
});
