/** The peer: Yoga on our schema, answering with the values of our answers, from memory. */
import { createServer } from 'node:http';
import { type ExecutionArgs, execute } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { listening } from '../fanOut/servers/server.ts';
import { data, fieldResolver, schema, servePeer } from './memory.ts';

const fromMemory: Plugin = {
  onExecute({ setExecuteFn }) {
    setExecuteFn((args: ExecutionArgs) => execute({ ...args, rootValue: data, fieldResolver }));
  },
};
const yoga = createYoga({ schema, logging: false, plugins: [fromMemory] });
const http = createServer(yoga);
servePeer(await listening(http), http);
