/**
 * What a server holds for each idle socket with `roomEvents` and `unread`, in objects, because bytes depend on Node and
 * on what ran before. `bench/opening.ts` measures the bytes.
 */
import { IncomingMessage } from 'node:http';
import { queryObjects } from 'node:v8';
import { RequestCache } from '@pothos/plugin-scope-auth';
import { print } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { BadgeDocument, RoomEventsDocument } from '../../web/src/generated/graphql.ts';
import { JoinRoom } from '../support/clients/operations.ts';
import { roomOf } from '../support/clients/people.ts';
import { startTestApp, type TestApp, tokenFor } from '../support/servers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** With callbacks and without promises: the clients are in the same process, and must hold none of what is counted. */
function open(url: string, token: string, operations: readonly object[], onOpen: () => void): WebSocket {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  let left = operations.length;
  socket.on('open', () =>
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } })),
  );
  socket.on('message', (data) => {
    const { type } = JSON.parse(String(data)) as { readonly type: string };
    if (type === 'connection_ack') {
      for (const [i, payload] of operations.entries())
        socket.send(JSON.stringify({ type: 'subscribe', id: String(i), payload }));
    } else if (type !== 'next') {
      throw new Error(String(data));
    } else if (--left === 0) {
      onOpen();
    }
  });
  return socket;
}

/** A count takes seconds, because it looks at each object of the process. */
const SOCKETS = 10;

const count = (kind: typeof Promise | typeof RequestCache | typeof IncomingMessage): number =>
  queryObjects(kind, { format: 'count' });

test('idle sockets: each holds few promises, and neither the request nor the check that opened it', async () => {
  const owner = await app.as('owner');
  const roomId = await roomOf(owner);
  const handles = Array.from({ length: 2 * SOCKETS }, (_, i) => `reader_${i}`);
  const tokens = await Promise.all(handles.map((handle) => tokenFor(handle)));
  await Promise.all(handles.map(async (handle) => (await app.as(handle)).do(JoinRoom, { roomId })));
  const operations = [
    { query: print(RoomEventsDocument), variables: { room: roomId } },
    { query: print(BadgeDocument), variables: {} },
  ];
  const openAll = (some: readonly string[]) => {
    const sockets: WebSocket[] = [];
    return new Promise<WebSocket[]>((resolve) => {
      let left = some.length;
      for (const token of some)
        sockets.push(
          open(app.url, token, operations, () => {
            if (--left === 0) resolve(sockets);
          }),
        );
    });
  };
  const first = await openAll(tokens.slice(0, SOCKETS));
  const before = { promises: count(Promise), caches: count(RequestCache), requests: count(IncomingMessage) };
  const second = await openAll(tokens.slice(SOCKETS));
  expect((count(Promise) - before.promises) / SOCKETS).toBeLessThan(15);
  // Each of the two subscriptions would have one.
  expect((count(RequestCache) - before.caches) / SOCKETS).toBeLessThan(1);
  // The upgrade of each socket would be one. The bound is half of that: an earlier request may be released meanwhile.
  expect((count(IncomingMessage) - before.requests) / SOCKETS).toBeLessThan(0.5);
  for (const socket of [...first, ...second]) socket.terminate();
});
