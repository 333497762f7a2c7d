/** The GraphQL types of people; what other features know of a person hangs on these. */

import { notFound } from '../core/errors.ts';
import type { ItemLoader } from '../dynamo/itemLoader.ts';
import { isId, keys } from '../dynamo/keys.ts';
import { builder } from '../graphql/builder.ts';
import { idOf } from '../graphql/ids.ts';
import { nodeLoader } from '../graphql/nodes.ts';
import { bestLanguage } from '../i18n/language.ts';
import { type User, userOf } from './user.ts';

/** One round trip, shared with whatever else the operation reads in the same turn. */
export async function loadUser(id: string, items: ItemLoader): Promise<User | null> {
  const item = await items.load(keys.user(id));
  return item === undefined ? null : userOf(id, item);
}

/** As `loadUser` for people whom the data names: profiles are never deleted. */
export async function loadUserOrThrow(id: string, items: ItemLoader): Promise<User> {
  const user = await loadUser(id, items);
  if (user === null) throw new Error(`The profile of ${id} is gone.`);
  return user;
}

/** The person's own id out of a global one; what is of another type or malformed is not there. */
export function personIdOf(globalId: string): string {
  const id = idOf('User', globalId);
  if (id === undefined || !isId(id)) throw notFound();
  return id;
}

export const UserRef = builder.objectRef<User>('User');

builder.node(UserRef, {
  description: 'A person, as everyone signed in may see them.',
  id: { resolve: ({ id }) => id },
  fields: (t) => ({
    handle: t.exposeString('handle', {
      nullable: true,
      description: 'Unique, lower case, without the `@`; null until the person has one.',
    }),
    displayName: t.exposeString('displayName', { description: 'What others see; not unique.' }),
    avatarUrl: t.exposeString('avatarUrl', {
      nullable: true,
      description: 'A picture, if the person gave one.',
    }),
  }),
});
export const UserConnection = builder.connectionObject(
  { type: UserRef, name: 'UserConnection', description: 'A page of people.' },
  { name: 'UserEdge', description: 'A person in a page.' },
);

nodeLoader('User', (id, { items }) => loadUser(id, items));

export interface Viewer {
  readonly user: User;
}

/** The features add to it what only the person themselves may see. */
export const ViewerRef = builder.objectRef<Viewer>('Viewer');

builder.node(ViewerRef, {
  description: 'The person who asks, and what only they may see.',
  id: { resolve: ({ user }) => user.id },
  fields: (t) => ({
    user: t.field({ type: UserRef, description: 'As others see the viewer.', resolve: ({ user }) => user }),
    locale: t.string({
      description:
        'BCP 47: what the viewer chose; else, of the languages that texts are worded in, what `Accept-Language` asks for most. A text is worded in it where the product has the language, and in English else.',
      resolve: ({ user }, _args, { acceptLanguage }) => user.locale ?? bestLanguage(acceptLanguage),
    }),
  }),
});
nodeLoader('Viewer', async (id, { items, viewer }) =>
  id === viewer ? { user: await loadUserOrThrow(id, items) } : null,
);
