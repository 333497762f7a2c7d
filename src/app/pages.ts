import type { Config } from '../config.ts';
import type { Services } from '../graphql/context.ts';
import { encodeId } from '../graphql/ids.ts';
import { developmentSecret, developmentToken } from '../server/access/developmentSecret.ts';
import type { GraphiQLOptions } from '../server/graphql/graphiql.ts';
import type { ServedFile } from '../server/http/files.ts';
import type { Page } from '../server/http/pages.ts';
import { firstQuery } from './graphiqlQuery.ts';
import { type DemoToken, loadWebClient } from './webClient.ts';

export interface Pages {
  /** The web client's page. */
  readonly page: () => Page;
  /** The files that the page loads. */
  readonly clientFiles: readonly ServedFile[];
  /** Absent if GraphiQL is off. */
  readonly graphiql?: GraphiQLOptions;
  /** Tokens of demo users; empty outside development. */
  readonly tokens: readonly DemoToken[];
}

/** How many demo users the terminal and GraphiQL show. Two are enough to send each other messages. */
const SHOWN = 2;

export async function createPages(
  { auth, dataDir, graphiql }: Config,
  services: Pick<Services, 'users' | 'roomQueries'>,
  clientDir?: string,
): Promise<Pages> {
  const all = auth.kind === 'development' ? await demoTokens(dataDir, services) : [];
  const tokens = all.slice(0, SHOWN);
  const { page, files } = await loadWebClient({ people: all, graphiql }, clientDir);
  return {
    page: () => page,
    clientFiles: files,
    tokens,
    ...(graphiql ? { graphiql: graphiqlFor(tokens, await demoRoom(tokens, services)) } : {}),
  };
}

const graphiqlFor = (tokens: readonly DemoToken[], roomId: string | undefined): GraphiQLOptions => ({
  defaultQuery: firstQuery,
  variables: json({ roomId: roomId ?? "a room's id, from the first query" }),
  headers: headersWith(tokens[0]?.token ?? 'YOUR-TOKEN'),
  headersAs: Object.fromEntries(tokens.map(({ handle, token }) => [handle, headersWith(token)])),
});

const headersWith = (token: string): string => json({ authorization: `Bearer ${token}` });

const json = (value: object): string => JSON.stringify(value, null, 2);

/** A room that all shown demo users are in: the first user is in every room of the last one. */
async function demoRoom(
  tokens: readonly DemoToken[],
  { users, roomQueries }: Pick<Services, 'users' | 'roomQueries'>,
): Promise<string | undefined> {
  const last = tokens.at(-1);
  if (last === undefined) return undefined;
  const page = { limit: 1, direction: 'forward', from: undefined } as const;
  const [membership] = (await roomQueries.memberships(users.idOf(last.handle), page)).nodes;
  return membership === undefined ? undefined : encodeId('Room', membership.room);
}

async function demoTokens(dataDir: string, { users }: Pick<Services, 'users'>): Promise<DemoToken[]> {
  const { people } = await import('../dev/demo/seed.ts');
  const secret = await developmentSecret(dataDir);
  return Promise.all(
    people.map(async ({ handle, name }) => ({
      id: encodeId('User', users.idOf(handle)),
      handle,
      name,
      token: await developmentToken(secret, { handle, name }),
    })),
  );
}
