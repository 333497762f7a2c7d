import type { Config } from '../config.ts';
import { defined } from '../core/defined.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import type { Services } from '../graphql/context.ts';
import { encodeId } from '../graphql/ids.ts';
import { roomOf } from '../rooms/room.ts';
import { developmentSecret, developmentToken } from '../server/access/developmentSecret.ts';
import type { GraphiQLOptions } from '../server/graphql/graphiql.ts';
import type { ServedFile } from '../server/http/files.ts';
import type { Page } from '../server/http/pages.ts';
import { firstQuery } from './graphiqlQuery.ts';
import { type DemoToken, loadWebClient } from './webClient.ts';

export interface Pages {
  /** The web client's page. */
  readonly page: () => Page;
  /** Whether that is the client itself, and not a page that says how to build it. */
  readonly hasClient: boolean;
  /** The files that the page loads. */
  readonly clientFiles: readonly ServedFile[];
  /** Absent if GraphiQL is off. */
  readonly graphiql?: GraphiQLOptions;
  /** Tokens of demo users; empty outside development. */
  readonly tokens: readonly DemoToken[];
}

/** How many demo users the terminal shows. Two are enough to send each other messages. */
const TOKENS_SHOWN = 2;

export interface PagesOptions {
  readonly dynamo: Dynamo;
  readonly services: Pick<Services, 'users' | 'roomQueries'>;
  /** The folder of the built web client. */
  readonly clientDir: string | undefined;
}

export async function createPages(
  { auth, dataDir, graphiql, signIn }: Config,
  { dynamo, services, clientDir }: PagesOptions,
): Promise<Pages> {
  const all = auth.kind === 'development' ? await demoTokens(dataDir, services) : [];
  const tokens = all.slice(0, TOKENS_SHOWN);
  const { isBuilt, page, files } = await loadWebClient(defined({ people: all, graphiql, signIn }), clientDir);
  return {
    page: () => page,
    hasClient: isBuilt,
    clientFiles: files,
    tokens,
    ...(graphiql ? { graphiql: graphiqlFor(all, await demoRoom(all, dynamo, services)) } : {}),
  };
}

const graphiqlFor = (tokens: readonly DemoToken[], roomId: string | undefined): GraphiQLOptions => ({
  defaultQuery: firstQuery,
  variables: json({ roomId: roomId ?? "a room's id, from the first query" }),
  headers: headersWith(tokens[0]?.token ?? PLACEHOLDER),
  ...(tokens.length === 0
    ? {}
    : {
        headersAs: Object.fromEntries(tokens.map(({ handle, token }) => [handle, headersWith(token)])),
        unknownName: { headers: headersWith(PLACEHOLDER), says: UNKNOWN_NAME },
      }),
});

const PLACEHOLDER = 'YOUR-TOKEN';
/** The command does not contain the name, because a link may have any text there. */
const UNKNOWN_NAME =
  '“NAME” is not a user of the demo, so you are not signed in. To use the API as someone else, replace YOUR-TOKEN in the Headers tab by what `npm run -s token -- HANDLE` prints.';

const headersWith = (token: string): string => json({ authorization: `Bearer ${token}` });

const json = (value: object): string => JSON.stringify(value, null, 2);

/** The first demo room, which all demo users are in. Undefined if it is not there (any more). */
async function demoRoom(
  tokens: readonly DemoToken[],
  dynamo: Dynamo,
  { users, roomQueries }: Pick<Services, 'users' | 'roomQueries'>,
): Promise<string | undefined> {
  const [first] = tokens;
  if (first === undefined) return undefined;
  const page = { limit: 20, direction: 'forward', from: undefined } as const;
  const ids = (await roomQueries.memberships(users.idOf(first.handle), page)).nodes.map(({ room }) => room);
  const items = await dynamo.batchGet(ids.map((id) => keys.room(id)));
  const { rooms } = await import('../dev/demo/seed.ts');
  const found = ids.find((id, i) => {
    const item = items[i];
    return item !== undefined && roomOf(id, item).name === rooms[0]?.name;
  });
  return found === undefined ? undefined : encodeId('Room', found);
}

async function demoTokens(dataDir: string, { users }: Pick<Services, 'users'>): Promise<DemoToken[]> {
  const { people } = await import('../dev/demo/seed.ts');
  const secret = await developmentSecret(dataDir);
  return Promise.all(
    people.map(async ({ handle, name, language }) => ({
      id: encodeId('User', users.idOf(handle)),
      handle,
      name,
      language,
      token: await developmentToken(secret, { handle, name }),
    })),
  );
}
