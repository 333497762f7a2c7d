/** What likes add to messages. */
import { keys } from '../../dynamo/keys.ts';
import { builder } from '../../graphql/builder.ts';
import { connection, pageWanted } from '../../graphql/connections.ts';
import { forwardArgs } from '../../graphql/pageArgs.ts';
import { MessageRef, viewerHas } from '../../messages/types.ts';
import { UserConnection } from '../../users/types.ts';
import { likeCountOf } from './like.ts';

builder.objectField(MessageRef, 'likeCount', (t) =>
  t.int({
    description: 'How many people like it: exact; 0 once it is deleted.',
    resolve: likeCountOf,
  }),
);

builder.objectField(MessageRef, 'viewerHasLiked', (t) =>
  t.boolean({
    description: 'Whether the viewer likes it.',
    // What nobody likes the viewer does not like either: nothing is read for it.
    resolve: async (message, _args, context) =>
      likeCountOf(message) > 0 && viewerHas(message, context, (user) => keys.like(user, message)),
  }),
);

const PLACE = /^\d{16}#[0-9a-z]{1,64}$/;

builder.objectField(MessageRef, 'likers', (t) =>
  t.field({
    type: UserConnection,
    description: 'Who likes it, whoever did so last first; nobody once it is deleted.',
    args: forwardArgs,
    resolve: async (message, args, { services, items }) => {
      const codec = { list: `likers:${message.room}:${message.t}:${message.c}`, position: PLACE };
      const wanted = pageWanted(args, codec);
      const none = likeCountOf(message) === 0;
      const page = none
        ? { nodes: [], more: false }
        : await services.likes.likers(message, { ...wanted, items });
      return connection(page, wanted, { codec, position: ({ place }) => place });
    },
  }),
);
