/** The GraphQL types of stamps, and what they add to messages. */

import { keys } from '../../dynamo/keys.ts';
import { builder } from '../../graphql/builder.ts';
import { connection, pageWanted } from '../../graphql/connections.ts';
import { type Context, requireViewer } from '../../graphql/context.ts';
import { nodeLoader } from '../../graphql/nodes.ts';
import { forwardArgs } from '../../graphql/pageArgs.ts';
import { dateOf } from '../../graphql/scalars.ts';
import { type Message, messageOf } from '../../messages/message.ts';
import { MessageRef, type MessageView, viewerHas } from '../../messages/types.ts';
import { loadUserOrThrow, UserRef } from '../../users/types.ts';
import { missingStamp, type Stamp } from './catalogue.ts';
import { type MessageStamp, messageStampId, parseMessageStampId, stampCountsOf } from './stamp.ts';

export const StampRef = builder.objectRef<Stamp>('Stamp').implement({
  description: 'A picture that can be put under a message.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'What `addStamp` takes.' }),
    label: t.exposeString('label', { description: 'What it shows.' }),
    imageUrl: t.exposeString('imageUrl', {
      description: 'A path on this server; its content never changes.',
    }),
  }),
});

const stampBy = (key: string, { services }: Context): Stamp =>
  services.catalogue.get(key) ?? missingStamp(key);

export const MessageStampRef = builder.objectRef<MessageStamp>('MessageStamp');

builder.node(MessageStampRef, {
  description: 'A stamp that somebody has put on a message.',
  id: { resolve: messageStampId },
  fields: (t) => ({
    message: t.field({
      type: MessageRef,
      description: 'On what.',
      resolve: async ({ room, t: at, c }, _args, { items }): Promise<Message> => {
        const item = await items.load(keys.message(room, at, c));
        if (item === undefined) throw new Error('The message of a stamp is gone.');
        return messageOf({ room, t: at, c }, item);
      },
    }),
    stamp: t.field({
      type: StampRef,
      description: 'Which.',
      resolve: ({ stampKey }, _args, context) => stampBy(stampKey, context),
    }),
    user: t.field({
      type: UserRef,
      description: 'Who.',
      resolve: ({ user }, _args, { items }) => loadUserOrThrow(user, items),
    }),
    createdAt: t.field({ type: 'DateTime', description: 'When.', resolve: ({ s }) => dateOf(s) }),
  }),
});
nodeLoader('MessageStamp', async (id, context) => {
  const key = parseMessageStampId(id);
  return key === undefined ? null : context.services.stamps.find(requireViewer(context), key, context.items);
});

const MessageStampConnection = builder.connectionObject(
  { type: MessageStampRef, name: 'MessageStampConnection', description: 'A page of stamps, oldest first.' },
  { name: 'MessageStampEdge', description: 'A stamp in a page.' },
);

interface StampCount {
  readonly message: MessageView;
  readonly stampKey: string;
  readonly count: number;
}

const StampCountRef = builder.objectRef<StampCount>('StampCount').implement({
  description: 'How many of one stamp are on a message.',
  fields: (t) => ({
    stamp: t.field({
      type: StampRef,
      description: 'Which.',
      resolve: ({ stampKey }, _args, context) => stampBy(stampKey, context),
    }),
    count: t.exposeInt('count', { description: 'How many people have put it; exact.' }),
    viewerHasStamped: t.boolean({
      description: 'Whether the viewer has.',
      resolve: ({ message, stampKey }, _args, context) =>
        viewerHas(message, context, (user) => keys.stampGuard(user, message, stampKey)),
    }),
  }),
});

const STAMP = /^\d{16}$/;

builder.objectField(MessageRef, 'stamps', (t) =>
  t.field({
    type: MessageStampConnection,
    description: 'The stamps on the message, oldest first; none on a deleted one.',
    args: forwardArgs,
    resolve: async (message, args, { services }) => {
      const codec = { list: `stamps:${message.room}:${message.t}:${message.c}`, position: STAMP };
      const wanted = pageWanted(args, codec);
      // Counts and stamps are written together, and a deleted message has no counts: nothing is there to read.
      const none = Object.keys(stampCountsOf(message)).length === 0;
      const page = none ? { nodes: [], more: false } : await services.stamps.list(message, wanted);
      return connection(page, wanted, { codec, position: ({ s }) => s });
    },
  }),
);

builder.objectField(MessageRef, 'stampCounts', (t) =>
  t.field({
    type: [StampCountRef],
    description:
      'How many of each stamp are on the message, in the order of the catalogue; none on a deleted one.',
    resolve: (message, _args, { services }) => {
      const place = new Map(services.catalogue.stamps.map(({ key }, i) => [key, i]));
      return Object.entries(stampCountsOf(message))
        .map(([stampKey, count]) => ({ message, stampKey, count }))
        .sort((a, b) => (place.get(a.stampKey) ?? place.size) - (place.get(b.stampKey) ?? place.size));
    },
  }),
);
