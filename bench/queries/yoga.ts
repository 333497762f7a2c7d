/** The peer: Yoga on our schema, answering with the values of our answers, from memory. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import {
  buildSchema,
  type ExecutionArgs,
  execute,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
} from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { listening } from '../fanOut/servers/server.ts';
import { serve } from '../support.ts';
import { queriesOf } from './queries.ts';

interface Argument {
  readonly answers: Readonly<Record<string, string>>;
}

const { answers } = JSON.parse(process.argv[2] ?? '{}') as Argument;
const data = Object.assign({}, ...Object.values(answers).map((answer) => JSON.parse(answer).data)) as object;

/** A value under the name that it has in the answer. */
const fieldResolver: GraphQLFieldResolver<Record<string, unknown>, unknown> = (
  source,
  _args,
  _context,
  { fieldNodes, fieldName }: GraphQLResolveInfo,
) => source[fieldNodes[0]?.alias?.value ?? fieldName];

const sdl = await readFile(new URL('../../schema/schema.graphql', import.meta.url), 'utf8');
const fromMemory: Plugin = {
  onExecute({ setExecuteFn }) {
    setExecuteFn((args: ExecutionArgs) => execute({ ...args, rootValue: data, fieldResolver }));
  },
};
const yoga = createYoga({ schema: buildSchema(sdl), logging: false, plugins: [fromMemory] });
const http = createServer(yoga);
const url = await listening(http);
const roomId = (data as { room: { id: string } }).room.id;

serve(
  async ({ command }) => {
    if (command === 'target') return { url, token: '-', queries: queriesOf(roomId) };
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  async () => void http.close(),
);
