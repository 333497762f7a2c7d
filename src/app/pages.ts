import type { Config } from '../config.ts';
import { people } from '../demo/conversations.ts';
import { firstQuery } from '../demo/graphiqlQuery.ts';
import { type DemoToken, startPage } from '../demo/startPage.ts';
import { developmentSecret, developmentToken } from '../server/developmentSecret.ts';

export interface Pages {
  readonly startPage: () => string;
  /** Absent where GraphiQL is off. */
  readonly graphiql?: { readonly defaultQuery: string; readonly headers: string };
  /** Ready-made tokens, in development only. */
  readonly tokens: readonly DemoToken[];
}

/** Two people are enough to watch each other. */
const SHOWN = 2;

export async function createPages({ auth, dataDir, graphiql }: Config): Promise<Pages> {
  const tokens = auth.kind === 'development' ? await demoTokens(dataDir) : [];
  const [first] = tokens;
  const headers =
    first === undefined ? { authorization: 'Bearer …' } : { authorization: `Bearer ${first.token}` };
  return {
    startPage: () => startPage({ graphiql, tokens }),
    tokens,
    ...(graphiql
      ? { graphiql: { defaultQuery: firstQuery, headers: JSON.stringify(headers, null, 2) } }
      : {}),
  };
}

async function demoTokens(dataDir: string): Promise<DemoToken[]> {
  const secret = await developmentSecret(dataDir);
  return Promise.all(
    people.slice(0, SHOWN).map(async ({ handle, name }) => ({
      name,
      token: await developmentToken(secret, { handle, name }),
    })),
  );
}
