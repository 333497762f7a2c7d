import { badUserInput, notFound } from '../../core/errors.ts';
import { builder } from '../../graphql/builder.ts';
import { requireViewer } from '../../graphql/context.ts';
import { idOf } from '../../graphql/ids.ts';
import { MessageRef, type MessageView, messageKeyOf } from '../../messages/types.ts';
import type { Catalogue } from './catalogue.ts';
import { type MessageStamp, parseMessageStampId } from './stamp.ts';
import type { Stamps } from './stamps.ts';
import { MessageStampRef, StampRef } from './types.ts';

declare module '../../graphql/context.ts' {
  interface Services {
    readonly stamps: Stamps;
    readonly catalogue: Catalogue;
  }
}

builder.queryField('stamps', (t) =>
  t.field({
    type: [StampRef],
    description: 'The catalogue: every stamp there is.',
    resolve: (_root, _args, { services }) => [...services.catalogue.stamps],
  }),
);

const AddStampInput = builder.inputType('AddStampInput', {
  description: 'A stamp for a message.',
  fields: (t) => ({
    messageId: t.id({ required: true, description: 'A message of a room that the viewer is in.' }),
    stamp: t.string({ required: true, description: 'The `key` of a stamp in the catalogue.' }),
  }),
});

const RemoveStampInput = builder.inputType('RemoveStampInput', {
  description: 'A stamp to take back.',
  fields: (t) => ({ messageStampId: t.id({ required: true, description: 'One that the viewer has put.' }) }),
});

const AddStampPayload = builder
  .objectRef<{ readonly messageStamp: MessageStamp }>('AddStampPayload')
  .implement({
    description: 'What `addStamp` answers.',
    fields: (t) => ({
      messageStamp: t.expose('messageStamp', {
        type: MessageStampRef,
        description: 'The stamp where it is now.',
      }),
    }),
  });

const RemoveStampPayload = builder
  .objectRef<{ readonly message: MessageView; readonly deletedMessageStampId: string }>('RemoveStampPayload')
  .implement({
    description: 'What `removeStamp` answers.',
    fields: (t) => ({
      message: t.expose('message', { type: MessageRef, description: 'The message as it is now.' }),
      deletedMessageStampId: t.exposeID('deletedMessageStampId', {
        description: 'The stamp that is no more.',
      }),
    }),
  });

builder.mutationFields((t) => ({
  addStamp: t.field({
    type: AddStampPayload,
    description:
      'Puts a stamp on a message: several per person, but not the same one twice. `CONFLICT` on a deleted message, and where it has all the stamps it can bear (50 different, 500 in all).',
    args: { input: t.arg({ type: AddStampInput, required: true, description: 'Which, and where.' }) },
    resolve: async (_root, { input }, context) => {
      const viewer = requireViewer(context);
      await context.services.limits.charge('stamps', viewer);
      const key = messageKeyOf(input.messageId);
      if (context.services.catalogue.get(input.stamp) === undefined) {
        throw badUserInput('input.stamp', 'There is no such stamp in the catalogue.');
      }
      return { messageStamp: await context.services.stamps.add(viewer, key, input.stamp) };
    },
  }),
  removeStamp: t.field({
    type: RemoveStampPayload,
    description: 'Takes back a stamp of the viewer.',
    args: { input: t.arg({ type: RemoveStampInput, required: true, description: 'Which.' }) },
    resolve: async (_root, { input }, context) => {
      const viewer = requireViewer(context);
      await context.services.limits.charge('stamps', viewer);
      const key = parseMessageStampId(idOf('MessageStamp', input.messageStampId) ?? '');
      if (key === undefined) throw notFound();
      const message = await context.services.stamps.remove(viewer, key);
      return { message, deletedMessageStampId: input.messageStampId };
    },
  }),
}));
