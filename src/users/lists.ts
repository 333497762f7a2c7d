/** The search for users by the beginning of their handle. */
import { builder } from '../graphql/builder.ts';
import { connection, forwardArgs, parsePageArgs } from '../graphql/connections.ts';
import { requireViewer } from '../graphql/context.ts';
import { FOUND_MAX, type HandleMatch, handlePrefix, matchCodec, matchPosition } from './handleSearch.ts';
import { loadUser, prefixArg, UserConnection } from './types.ts';

builder.queryField('searchUsers', (t) =>
  t.field({
    type: UserConnection,
    description: `Users whose handle begins with a text, by handle: at most ${FOUND_MAX} in all. Users without a handle are not found.`,
    args: { ...prefixArg, ...forwardArgs },
    resolve: async (_root, { prefix: text, ...args }, context) => {
      requireViewer(context);
      const prefix = handlePrefix(text);
      const codec = matchCodec('searchUsers', prefix);
      const request = parsePageArgs(args, codec);
      const { matches, more } = await context.services.users.find(prefix, request);
      // The index lags: the profile has the handle of the moment.
      const found = await Promise.all(
        matches.map(async (match) => {
          const user = await loadUser(match.user, context.items);
          return user?.handle === match.handle ? [{ ...user, match }] : [];
        }),
      );
      const position = ({ match }: { readonly match: HandleMatch }) => matchPosition(match);
      const last = matches.at(-1);
      const end = last && matchPosition(last);
      return connection({ nodes: found.flat(), more, end }, request, { codec, position });
    },
  }),
);
