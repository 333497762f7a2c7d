/**
 * The peer: graphql-ws and graphql-js as their documentation shows them, with Yoga's `createPubSub`, on our schema.
 * It reads nothing and personalizes nothing: every reader receives the same ready value. Only the execution is done per
 * reader.
 */
import { setMaxListeners } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { buildSchema, type ExecutionArgs, execute, subscribe } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { createPubSub } from 'graphql-yoga';
import { WebSocketServer } from 'ws';
import type { Subject } from '../subjects.ts';
import { listening, type Server } from './server.ts';

const FIRST = {
  unread: { total: 0, notifications: 0, rooms: [], removedRoomIds: [] },
  roomEvents: { __typename: 'Synced', cursor: '' },
};

export async function graphqlWs({ field, variables }: Subject): Promise<Server> {
  const sdl = await readFile(new URL('../../../schema/schema.graphql', import.meta.url), 'utf8');
  const schema = buildSchema(sdl);
  const eventTarget = new EventTarget();
  // One listener per reader is intended, so no warning about a leak.
  setMaxListeners(0, eventTarget);
  const pubSub = createPubSub<{ news: [value: object] }>({ eventTarget });

  async function* unread() {
    yield { unread: FIRST.unread };
    for await (const value of pubSub.subscribe('news')) yield { unread: value };
  }
  async function* roomEvents() {
    yield { roomEvents: FIRST.roomEvents };
    for await (const value of pubSub.subscribe('news')) yield { roomEvents: value };
  }

  const http = createServer();
  const sockets = new WebSocketServer({ server: http, path: '/graphql', perMessageDeflate: false });
  const graphql = useServer(
    {
      schema,
      execute: (args: ExecutionArgs) => execute(args),
      subscribe: (args: ExecutionArgs) => subscribe(args),
      roots: { subscription: { unread, roomEvents } },
    },
    sockets,
  );
  return {
    url: await listening(http),
    variables: variables('any'),
    async tell(_round, frame) {
      const { payload } = JSON.parse(frame) as { payload: { data: Record<string, object> } };
      pubSub.publish('news', payload.data[field] as object);
    },
    async stop() {
      await graphql.dispose();
      http.close();
    },
  };
}
