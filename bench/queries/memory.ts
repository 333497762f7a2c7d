/** What the peers share: our schema, the values of our answers, and a resolver that finds a value in its parent. */
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { buildSchema, type GraphQLFieldResolver, type GraphQLResolveInfo } from 'graphql';
import { serve } from '../support.ts';
import { queriesOf } from './queries.ts';

interface Argument {
  readonly answers: Readonly<Record<string, string>>;
}

const { answers } = JSON.parse(process.argv[2] ?? '{}') as Argument;
/** The data of all answers in one object. */
export const data = Object.assign(
  {},
  ...Object.values(answers).map((answer) => JSON.parse(answer).data),
) as Record<string, unknown>;

/** A value under the name that it has in the answer. */
export const fieldResolver: GraphQLFieldResolver<Record<string, unknown>, unknown> = (
  source,
  _args,
  _context,
  { fieldNodes, fieldName }: GraphQLResolveInfo,
) => source[fieldNodes[0]?.alias?.value ?? fieldName];

export const sdl = await readFile(new URL('../../schema/schema.graphql', import.meta.url), 'utf8');
export const schema = buildSchema(sdl);

/** Answers the bench, as every server under test does. */
export function servePeer(url: string, http: Pick<Server, 'close'>): void {
  // Every page is the same one.
  const { room } = data as { readonly room: { readonly id: string } };
  serve(
    async ({ command }) => {
      if (command === 'target') return { url, tokens: ['-'], queries: queriesOf([room.id]) };
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    },
    async () => void http.close(),
  );
}
