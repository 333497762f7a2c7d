/** The GraphQL types of users. Other features add their fields to them. */

import { notFound } from '../core/errors.ts';
import type { Item } from '../dynamo/item.ts';
import type { ItemLoader } from '../dynamo/itemLoader.ts';
import { isId, keys } from '../dynamo/keys.ts';
import { builder } from '../graphql/builder.ts';
import { pageTypes } from '../graphql/connections.ts';
import { idOf } from '../graphql/ids.ts';
import { nodeLoader } from '../graphql/nodes.ts';
import { bestLanguage } from '../i18n/language.ts';
import { looksLikeEmail } from './claims.ts';
import { HANDLE_MAX, type User, userOf } from './user.ts';

/** One round trip, shared with everything that the operation reads in the same turn. */
export async function loadUser(id: string, items: ItemLoader): Promise<User | null> {
  const item = await items.load(keys.user(id));
  return item === undefined ? null : userOf(id, item);
}

/** The viewer's own profile. It is always read from the table. */
export async function loadOwnProfile(id: string, items: ItemLoader): Promise<User> {
  return presentUser(id, await items.load(keys.user(id)));
}

/**
 * A user that a stored item names, as others see them: profiles are never deleted, only emptied. At once if this server
 * keeps the profile (`profileCache.ts` says how old it may be), otherwise like `loadUser`.
 */
export function loadUserOrThrow(id: string, items: ItemLoader): User | Promise<User> {
  const item = items.loadKept(keys.user(id));
  return item instanceof Promise ? item.then((read) => presentUser(id, read)) : presentUser(id, item);
}

/** `loadUserOrThrow` for several users: at once if this server keeps all of their profiles. */
export function loadUsersOrThrow(ids: readonly string[], items: ItemLoader): User[] | Promise<User[]> {
  const users = ids.map((id) => loadUserOrThrow(id, items));
  const isThere = (user: User | Promise<User>): user is User => !(user instanceof Promise);
  return users.every(isThere) ? users : Promise.all(users);
}

function presentUser(id: string, item: Item | undefined): User {
  if (item === undefined) throw new Error(`The profile of ${id} is missing.`);
  return userOf(id, item);
}

/** The user's id in a global id. Throws NOT_FOUND if it is malformed or belongs to another type. */
export function requireUserId(globalId: string): string {
  const id = idOf('User', globalId);
  if (id === undefined || !isId(id)) throw notFound();
  return id;
}

export const UserRef = builder.objectRef<User>('User');

builder.node(UserRef, {
  description:
    'A user, with what every signed-in user may see of them. After they delete their account, `isFormer` is true, and nothing but the id and a fixed name is left.',
  id: { resolve: ({ id }) => id },
  fields: (t) => ({
    handle: t.exposeString('handle', {
      nullable: true,
      description:
        'The unique name for mentions, in lower case and without the `@`; null if the user has none.',
    }),
    displayName: t.exposeString('displayName', {
      description: 'The name that other users see: at most 80 characters, not unique.',
    }),
    avatarUrl: t.exposeString('avatarUrl', {
      nullable: true,
      description: 'The http or https address of a picture; null if the user has none.',
    }),
    timeZone: t.exposeString('timeZone', {
      nullable: true,
      description:
        'The IANA name of the time zone that the user has chosen, e.g. `Asia/Tokyo`; null if none.',
    }),
    isFormer: t.boolean({
      description:
        'Whether the user has deleted their account. Clients show a name in their own language then; `displayName` is `Former member`.',
      resolve: ({ deletedAt }) => deletedAt !== undefined,
    }),
    externalId: t.string({
      nullable: true,
      description:
        'The id of a user that was imported from another system, `import:<source>:<id>`; null for all others, and if that id looks like an e-mail address.',
      resolve: ({ externalId }) =>
        externalId === undefined || looksLikeEmail(externalId) ? null : externalId,
    }),
  }),
});
/** The arguments of a search by handle. */
export const prefixArg = builder.args((t) => ({
  prefix: t.string({
    required: true,
    description: `The beginning of a handle, without the \`@\`, in upper or lower case: 1 to ${HANDLE_MAX} characters, \`BAD_USER_INPUT\` otherwise. A text with other characters than a–z, 0–9 and _ finds no one.`,
  }),
}));

export const UserPages = pageTypes(UserRef, 'User', {
  edge: 'A user in a page, with their cursor.',
  page: 'A page of users.',
});

nodeLoader('User', (id, { items }) => loadUser(id, items));

/** Without the profile: most of what features add needs only the id, so the profile is read if it is requested. */
export interface Viewer {
  readonly id: string;
}

/** Features add the fields that only the user themselves may see. */
export const ViewerRef = builder.objectRef<Viewer>('Viewer');

builder.node(ViewerRef, {
  description: 'The signed-in user, with what only they may see.',
  id: { resolve: ({ id }) => id },
  fields: (t) => ({
    user: t.field({
      type: UserRef,
      description: "The viewer's profile as other users see it.",
      resolve: ({ id }, _args, { items }) => loadOwnProfile(id, items),
    }),
    locale: t.string({
      description:
        "The viewer's language as a BCP 47 tag: the one they chose, or otherwise the best match between `Accept-Language` and the languages of the product. Texts are in this language if the product has it, and in English otherwise.",
      resolve: async ({ id }, _args, { items, acceptLanguage }) =>
        (await loadOwnProfile(id, items)).locale ?? bestLanguage(acceptLanguage),
    }),
  }),
});
nodeLoader('Viewer', async (id, { viewer }) => (id === viewer ? { id } : null));
