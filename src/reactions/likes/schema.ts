import { addToggle } from '../toggles/schema.ts';
import type { Toggles } from '../toggles/toggles.ts';
import { likesKind } from './kind.ts';

declare module '../../graphql/context.ts' {
  interface Services {
    readonly likes: Toggles;
  }
}

addToggle({
  kind: likesKind,
  service: ({ likes }) => likes,
  limit: 'likes',
  fields: {
    count: 'The exact number of users who like the message; 0 if it was deleted.',
    viewerHas: {
      name: 'viewerHasLiked',
      description: 'Whether the viewer likes the message; false if it was deleted.',
    },
    reactors: {
      name: 'likers',
      description:
        'The users who like the message, the most recent like first; empty if the message was deleted.',
    },
  },
  mutations: {
    add: {
      name: 'likeMessage',
      description:
        'Likes a message. Each user can like a message once. `CONFLICT` if the message was deleted. Idempotent.',
      message: 'The message that was liked.',
      edge: {
        name: 'likerEdge',
        description: 'The viewer in `Message.likers`; null if the like was taken back in the meantime.',
      },
    },
    remove: {
      name: 'unlikeMessage',
      description: "Removes the viewer's like from a message. Idempotent.",
      message: 'The message that the viewer no longer likes.',
    },
  },
});
