/** The GraphQL type of tags. */
import { isId, keys } from '../dynamo/keys.ts';
import { builder } from '../graphql/builder.ts';
import { pageTypes } from '../graphql/connections.ts';
import { requireViewer } from '../graphql/context.ts';
import { nodeLoader } from '../graphql/nodes.ts';
import { type SavedTag, savedTagOf } from './tag.ts';

export const SavedTagRef = builder.objectRef<SavedTag>('SavedTag');

builder.node(SavedTagRef, {
  description:
    'A tag of the viewer. It is there while a saved message has it, and keeps its id when it is renamed. Only its user sees it.',
  id: { resolve: ({ user, id }) => `${user}:${id}` },
  fields: (t) => ({
    name: t.string({
      description: 'Its name, as it was first written.',
      resolve: ({ name }) => name.shown,
    }),
    count: t.exposeInt('count', { description: 'How many saved messages have it, exactly.' }),
    publicCount: t.exposeInt('publicCount', { description: 'How many of these are public.' }),
  }),
});

/** The id of a tag of the viewer's, of the global id without the type's name. Undefined for any other text. */
export function ownTagId(viewer: string, id: string): string | undefined {
  const [user, own = '', ...more] = id.split(':');
  return user === viewer && isId(own) && more.length === 0 ? own : undefined;
}

nodeLoader('SavedTag', async (id, context) => {
  const viewer = requireViewer(context);
  const own = ownTagId(viewer, id);
  if (own === undefined) return null;
  return savedTagOf(viewer, own, await context.items.load(keys.savedTag(viewer, own))) ?? null;
});

export const SavedTagPages = pageTypes(SavedTagRef, 'SavedTag', {
  edge: 'A tag in a page, with its cursor.',
  page: 'A page of tags.',
});
