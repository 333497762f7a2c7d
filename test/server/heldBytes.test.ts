/** What the requests and results of one user may occupy while they are on their way, and what it costs to parse them. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { UserLimits } from '../../src/core/rateLimits.ts';
import { createAnonymousLimit } from '../../src/rateLimits/anonymousLimit.ts';
import { createUserUsage } from '../../src/rateLimits/userUsage.ts';
import type { ServerLimits } from '../../src/server/limits.ts';
import { eventually } from '../support/time/eventually.ts';
import { startServer } from './support/server.ts';
import { tokenOf } from './support/tokens.ts';

const MIB = 1_048_576;

async function start(users: UserLimits, limits: Partial<ServerLimits> = {}) {
  const server = await startServer({ usage: createUserUsage({ limits: users }), limits });
  const { port, post, authorization } = server;
  const ben = `Bearer ${await tokenOf({ claims: { sub: 'ben', preferred_username: 'ben' } })}`;
  const statusOf = async (as = authorization) => {
    const response = await post({ query: '{ hello }' }, { authorization: as });
    await response.text();
    return response.status;
  };
  return {
    ...server,
    /** A connection that has sent the head of a POST, and this much of its body. */
    async send(body: string, length = body.length, accept = 'application/json') {
      const socket = connect(port, '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      await once(socket, 'connect');
      const head = ['POST /graphql HTTP/1.1', 'host: localhost', 'content-type: application/json'];
      head.push(`accept: ${accept}`, `authorization: ${authorization}`, `content-length: ${length}`);
      socket.pause();
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
      return socket;
    },
    whenFull: () => eventually(async () => expect(await statusOf()).toBe(429)),
    whenFree: () => eventually(async () => expect(await statusOf()).toBe(200)),
    statusOfBen: () => statusOf(ben),
  };
}

/** A query with a result of 12 MiB: more than the kernel takes of a connection that is not read. */
const LONG = JSON.stringify({ query: `{ echo(text: "${'x'.repeat(MIB / 16)}", times: 192) }` });

test('operations: a body that has not arrived has the place of one, until the client disconnects', async () => {
  const { send, whenFull, whenFree, statusOfBen } = await start({ operations: 1 });
  const slow = await send('{"query":', 1_000);
  await whenFull();
  expect(await statusOfBen()).toBe(200);
  slow.destroy();
  await whenFree();
});

test.each(['application/json', 'text/event-stream'])(
  'operations: a result that is not read has the place of one, until it is read (%s)',
  async (accept) => {
    const { send, whenFull, whenFree, statusOfBen } = await start({ operations: 1 }, { unreadMs: 3_600_000 });
    const reader = await send(LONG, LONG.length, accept);
    await whenFull();
    expect(await statusOfBen()).toBe(200);
    reader.resume();
    await whenFree();
  },
);

test('operations: a client that takes nothing of a result is cut off', async () => {
  const { send, whenFree } = await start({ operations: 1 }, { unreadMs: 100 });
  const reader = await send(LONG);
  // The response has begun, and the rest of it is not read.
  await once(reader, 'readable');
  await whenFree();
});

test('operations: a long result over a websocket counts for each mebibyte until it is read', async () => {
  const { session, whenFull, whenFree, statusOfBen } = await start({ operations: 5 });
  const socket = await session();
  socket.raw.pause();
  socket.send({ id: '1', type: 'subscribe', payload: JSON.parse(LONG) });
  await whenFull();
  expect(await statusOfBen()).toBe(200);
  socket.raw.resume();
  await whenFree();
});

test('operations: event streams have places of their own', async () => {
  const { send, events, statusOfBen } = await start({ operations: 1, networkOperations: 1 });
  for (let i = 0; i < 3; i++) {
    const subscribed = once(events, 'subscribed');
    const query = JSON.stringify({ query: 'subscription { ticks }' });
    await send(query, query.length, 'text/event-stream');
    await subscribed;
  }
  expect(await statusOfBen()).toBe(200);
});

test('objects: a large body counts by its length, before it is parsed, over HTTP', async () => {
  const { post, authorization, statusOfBen } = await start({ objects: { max: 1_000, seconds: 36_000 } });
  const large = 'x'.repeat(200_000);
  const accept = ['application/json', 'application/json;q=0.5', 'text/event-stream'];
  expect((await post(large, { authorization })).status).toBe(400);
  for (const one of accept) expect((await post(large, { authorization, accept: one })).status).toBe(429);
  expect((await post('x'.repeat(4_000), { authorization })).status).toBe(400);
  expect(await statusOfBen()).toBe(200);
});

test('objects: a message counts by its length, before it is parsed, over a websocket', async () => {
  const { session, statusOfBen } = await start({ objects: { max: 1_000, seconds: 36_000 } });
  const socket = await session();
  const ping = { type: 'ping', payload: { text: 'x'.repeat(200_000) } };
  socket.send(ping);
  expect((await socket.next()).type).toBe('pong');
  socket.send(ping);
  expect(await socket.closed).toEqual({ code: 4429, reason: 'Too many requests' });
  expect(await statusOfBen()).toBe(200);
});

test('objects: a client that sends pings in a loop is cut off', async () => {
  const { session, statusOfBen } = await start({ objects: { max: 100, seconds: 36_000 } });
  const socket = await session();
  for (let i = 0; i < 100; i++) socket.send({ type: 'ping' });
  expect((await socket.closed).code).toBe(4429);
  expect(await statusOfBen()).toBe(200);
});

test('anonymous: a large body counts as several requests', async () => {
  const anonymous = createAnonymousLimit({ rate: { max: 20, seconds: 3_600 } });
  const { post, query } = await startServer({ anonymous });
  const large = 'x'.repeat(200_000);
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push((await post(large)).status);
  expect(statuses).toEqual([400, 429, 429]);
  expect(await query('{ whoami }')).toMatchObject({ data: { whoami: 'aki' } });
});

test('networkSockets: websockets count before they have sent a token', async () => {
  const { socket } = await start({ networkSockets: 2 });
  const silent = await socket();
  await socket();
  const third = await socket();
  expect(await third.closed).toEqual({ code: 4429, reason: 'Too many sockets of one user or network' });
  silent.raw.close();
  await silent.closed;
  await eventually(async () => {
    const next = await socket();
    next.send({ type: 'connection_init' });
    expect(await Promise.race([next.next(), next.closed])).toEqual({ type: 'connection_ack' });
  });
});
