/** The search for users by the beginning of their handle. */
import { builder } from '../graphql/builder.ts';
import { forwardArgs, pagedList } from '../graphql/connections.ts';
import { requireViewer } from '../graphql/context.ts';
import { FOUND_MAX, type Found, foundPosition, handlePrefix, matchCodec } from './handleSearch.ts';
import { loadUser, prefixArg, UserPages } from './types.ts';
import type { User } from './user.ts';

const foundUsers = pagedList({
  cursors: (prefix: string) => matchCodec('searchUsers', prefix),
  position: (user: User & Found) => foundPosition(user),
});

builder.queryField('searchUsers', (t) =>
  t.field({
    type: UserPages.connection,
    description: `Users whose handle begins with a text, by handle: at most ${FOUND_MAX} in all. Users without a handle are not found.`,
    args: { ...prefixArg, ...forwardArgs },
    resolve: (_root, { prefix: text, ...args }, context) => {
      requireViewer(context);
      const prefix = handlePrefix(text);
      return foundUsers.page(prefix, args, async (request) => {
        const { matches, ...page } = await context.services.users.find(prefix, request);
        // The index lags: the profile has the handle of the moment.
        const found = await Promise.all(
          matches.map(async (match) => {
            const user = await loadUser(match.user, context.items);
            return user?.handle === match.handle ? [{ ...user, match }] : [];
          }),
        );
        return { ...page, nodes: found.flat() };
      });
    },
  }),
);
