/**
 * The peer: graphql-ws and graphql-js as their documentation shows them, with Yoga's `createPubSub`, on our schema.
 * Nothing is looked up, nobody has a badge of their own: every reader is told the same value, which is executed
 * for each of them.
 */
import { setMaxListeners } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { buildSchema, type ExecutionArgs, execute, subscribe } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { createPubSub } from 'graphql-yoga';
import { WebSocketServer } from 'ws';
import { listening, type Server } from './server.ts';

export async function graphqlWs(): Promise<Server> {
  const sdl = await readFile(new URL('../../../schema/schema.graphql', import.meta.url), 'utf8');
  const schema = buildSchema(sdl);
  const eventTarget = new EventTarget();
  // One for each reader: no leak.
  setMaxListeners(0, eventTarget);
  const pubSub = createPubSub<{ badge: [value: object] }>({ eventTarget });
  const nothing = { total: 0, notifications: 0, rooms: [], removedRoomIds: [] };

  async function* unread() {
    yield { unread: nothing };
    for await (const value of pubSub.subscribe('badge')) yield { unread: value };
  }

  const http = createServer();
  const sockets = new WebSocketServer({ server: http, path: '/graphql', perMessageDeflate: false });
  const graphql = useServer(
    {
      schema,
      execute: (args: ExecutionArgs) => execute(args),
      subscribe: (args: ExecutionArgs) => subscribe(args),
      roots: { subscription: { unread } },
    },
    sockets,
  );
  return {
    url: await listening(http),
    async send(frame) {
      const { payload } = JSON.parse(frame) as { payload: { data: { unread: object } } };
      pubSub.publish('badge', payload.data.unread);
    },
    async stop() {
      await graphql.dispose();
      http.close();
    },
  };
}
