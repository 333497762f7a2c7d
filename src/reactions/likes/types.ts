/** The fields that likes add to messages. */
import { keys } from '../../dynamo/keys.ts';
import { builder } from '../../graphql/builder.ts';
import { connection, forwardArgs, parsePageArgs } from '../../graphql/connections.ts';
import { MessageRef, viewerHas } from '../../messages/types.ts';
import { UserConnection } from '../../users/types.ts';
import { likeCountOf } from './like.ts';

builder.objectField(MessageRef, 'likeCount', (t) =>
  t.int({
    description: 'The exact number of users who like the message; 0 if it was deleted.',
    resolve: likeCountOf,
  }),
);

builder.objectField(MessageRef, 'viewerHasLiked', (t) =>
  t.boolean({
    description: 'Whether the viewer likes the message; false if it was deleted.',
    // If there are no likes, nothing has to be read.
    resolve: (message, _args, context, info) =>
      likeCountOf(message) > 0 &&
      viewerHas(
        message,
        { context, info },
        {
          key: (user) => keys.like(user, message),
          holders: (readers) => context.services.reactionHolders.likers(message, readers),
        },
      ),
  }),
);

const POSITION = /^\d{16}#[0-9a-z]{1,64}$/;

builder.objectField(MessageRef, 'likers', (t) =>
  t.field({
    type: UserConnection,
    description:
      'The users who like the message, the most recent like first; empty if the message was deleted.',
    args: forwardArgs,
    resolve: async (message, args, { services, items }) => {
      const codec = { list: `likers:${message.room}:${message.threadTs}:${message.ts}`, position: POSITION };
      const request = parsePageArgs(args, codec);
      const none = likeCountOf(message) === 0;
      const page = none
        ? { nodes: [], more: false }
        : await services.likes.likers(message, { ...request, items });
      return connection(page, request, { codec, position: ({ place }) => place });
    },
  }),
);
