/**
 * What the requests and results of one user may occupy while they are on their way, and what it costs to parse them.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
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
  const statusOf = async (as: { authorization?: string } = { authorization }) => {
    const response = await post({ query: '{ hello }' }, as);
    await response.text();
    return response.status;
  };
  /** A connection that has sent the head of a POST, and this much of its body. */
  async function send(
    body: string,
    { length = body.length, accept = 'application/json', isAnonymous = false } = {},
  ) {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    const head = ['POST /graphql HTTP/1.1', 'host: localhost', 'content-type: application/json'];
    head.push(`accept: ${accept}`, `content-length: ${length}`);
    if (!isAnonymous) head.push(`authorization: ${authorization}`);
    socket.pause();
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    return socket;
  }
  return {
    ...server,
    send,
    /** Sends the same until one has the only place: the request that looks for it may be faster. */
    async fill(...request: Parameters<typeof send>) {
      // The first token takes longer than others, because its key is read.
      await statusOf();
      const sockets: Socket[] = [];
      await eventually(async () => {
        sockets.push(await send(...request));
        expect(await statusOf()).toBe(429);
      });
      return sockets;
    },
    statusOf,
    whenFull: () => eventually(async () => expect(await statusOf()).toBe(429)),
    whenFree: () => eventually(async () => expect(await statusOf()).toBe(200)),
    statusOfBen: () => statusOf({ authorization: ben }),
  };
}

type Started = Awaited<ReturnType<typeof start>>;

const SLOW = (type: 'query' | 'mutation') => JSON.stringify({ query: `${type} { slow }` });

/** A query with a result of 12 MiB: more than the kernel takes of a connection that is not read. */
const LONG = JSON.stringify({ query: `{ echo(text: "${'x'.repeat(MIB / 16)}", times: 192) }` });

/** An empty ping of a client, masked with zeros. */
const PING = Buffer.from([0x89, 0x80, 0, 0, 0, 0]);

/** A connection that was upgraded and does nothing by itself, as a client of the websocket protocol would. */
async function upgraded({ port }: { readonly port: number }) {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.write(
    `GET /graphql HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n` +
      `sec-websocket-version: 13\r\nsec-websocket-protocol: graphql-transport-ws\r\n` +
      `sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  );
  await once(socket, 'data');
  return { socket };
}

test('operations: a body that has not arrived has the place of one, until the client disconnects', async () => {
  const { fill, whenFree, statusOfBen } = await start({ operations: 1 });
  const sockets = await fill('{"query":', { length: 1_000 });
  expect(await statusOfBen()).toBe(200);
  for (const socket of sockets) socket.destroy();
  await whenFree();
});

test('operations: clients without a token leave places of their network to its users', async () => {
  const { send, statusOf } = await start({ operations: 2, networkOperations: 4 });
  for (let i = 0; i < 4; i++) await send('{"query":', { length: 1_000, isAnonymous: true });
  await eventually(async () => expect(await statusOf({})).toBe(429));
  expect(await statusOf()).toBe(200);
});

test.each(['application/json', 'text/event-stream'])(
  'operations: a result that is not read has the place of one, until it is read (%s)',
  async (accept) => {
    const { fill, whenFree, statusOfBen } = await start({ operations: 1 }, { unreadMs: 3_600_000 });
    const readers = await fill(LONG, { accept });
    expect(await statusOfBen()).toBe(200);
    for (const reader of readers) reader.resume();
    await whenFree();
  },
);

test.each(['application/json', 'text/event-stream'])(
  'operations: a client that leaves before its long result is there has no place (%s)',
  async (accept) => {
    const { send, events, whenFree, statusOf } = await start({ operations: 1 });
    const started = once(events, 'started');
    const client = await send(SLOW('query'), { accept });
    await started;
    client.destroy();
    await whenFree();
    events.emit('finish', 'x'.repeat(3 * MIB));
    expect(await statusOf()).toBe(200);
  },
);

/**
 * The result of `slow`, of 3 MiB, of a user who has not read a longer one. `run` sends it, and resolves to the result.
 */
async function resultWhileFull(
  type: 'query' | 'mutation',
  run: (server: Started, body: string) => Promise<string>,
) {
  const server = await start({ operations: 3 }, { unreadMs: 3_600_000 });
  const started = once(server.events, 'started');
  const result = run(server, SLOW(type));
  await started;
  await server.send(LONG);
  await server.whenFull();
  server.events.emit('finish', 'x'.repeat(3 * MIB));
  return { text: await result, metrics: await server.metrics.registry.metrics() };
}

const overHttp =
  (accept: string) =>
  async ({ post, authorization }: Started, body: string) => {
    const response = await post(body, { authorization, accept });
    return `${response.headers.get('content-type')} ${await response.text()}`;
  };
async function overWebsocket({ session }: Started, body: string) {
  const socket = await session();
  socket.send({ id: '1', type: 'subscribe', payload: JSON.parse(body) });
  return JSON.stringify(await socket.next());
}
const TRANSPORTS = [
  ['application/json', overHttp('application/json'), /^application\/json/],
  ['application/json;q=0.5', overHttp('application/json;q=0.5'), /^application\/json/],
  ['text/event-stream', overHttp('text/event-stream'), /^application\/graphql-response\+json/],
  ['websocket', overWebsocket, /^{"id":"1","type":"next"/],
] as const;

test.each(TRANSPORTS)(
  'operations: a long result is refused if others are not read, and counted once (%s)',
  async (_name, run, form) => {
    const { text, metrics } = await resultWhileFull('query', run);
    expect(text).toMatch(form);
    expect(text).toContain('You have not read enough of your results yet.');
    expect(metrics).not.toMatch(/tsudoi_operations_total.*type="query".*code="RATE_LIMITED"/);
  },
);

test.each(TRANSPORTS)(
  'operations: the result of a mutation is sent, because it is done (%s)',
  async (_name, run) => {
    const { text } = await resultWhileFull('mutation', run);
    expect(text).toContain('x'.repeat(MIB));
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
    await send(query, { accept: 'text/event-stream' });
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

test.each([
  ['characters', 'x'.repeat(4_096)],
  ['bytes', '語'.repeat(2_000)],
])(
  'objects: a user without any left keeps a websocket, until it sends a message of many %s',
  async (_unit, text) => {
    const { session, statusOf } = await start({ objects: { max: 100, seconds: 36_000 } });
    const socket = await session();
    await eventually(async () => expect(await statusOf()).toBe(429));
    for (let i = 0; i < 100; i++) {
      socket.send({ type: 'ping' });
      socket.send({ id: `${i}`, type: 'complete' });
      expect(await socket.next()).toEqual({ type: 'pong' });
    }
    socket.subscribe('1', 'mutation { write }');
    expect(await socket.next()).toMatchObject({
      id: '1',
      payload: [{ extensions: { code: 'RATE_LIMITED' } }],
    });
    socket.send({ type: 'ping', payload: { text } });
    expect(await socket.closed).toEqual({ code: 4429, reason: 'Too many requests' });
  },
);

test('objects: a short message that is accepted beyond the limit does not pay for a long one behind it', async () => {
  const { session } = await start({ objects: { max: 100, seconds: 36_000 } });
  const socket = await session();
  // In the same turn, so that the server receives them together.
  socket.raw.ping();
  socket.send({ type: 'ping', payload: { text: 'x'.repeat(24_000) } });
  expect(await socket.closed).toEqual({ code: 4429, reason: 'Too many requests' });
});

test('objects: a client that sends pings in a loop is cut off', async () => {
  const { session, statusOfBen } = await start({ objects: { max: 100, seconds: 36_000 } });
  const socket = await session();
  for (let i = 0; i < 1_200; i++) socket.send({ type: 'ping' });
  expect((await socket.closed).code).toBe(4429);
  expect(await statusOfBen()).toBe(200);
});

test.each(['ping', 'pong'] as const)(
  'objects: a client that sends %ss of the websocket protocol in a loop is cut off',
  async (frame) => {
    const { session, statusOfBen } = await start({ objects: { max: 100, seconds: 36_000 } });
    const socket = await session();
    for (let i = 0; i < 1_200; i++) socket.raw[frame]();
    expect(await socket.closed).toEqual({ code: 4429, reason: 'Too many requests' });
    expect(await statusOfBen()).toBe(200);
  },
);

test('objects: a client that sends on after it was closed is disconnected', async () => {
  const server = await start({ objects: { max: 100, seconds: 36_000 } }, { initMs: 3_600_000 });
  const { socket: raw } = await upgraded(server);
  const closed = new Promise((resolve) => raw.once('close', resolve));
  // It never confirms the close, and no timer of the server's cuts it off.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  for (let i = 0; i < 4_000; i++) raw.write(PING);
  raw.resume();
  await closed;
  vi.useRealTimers();
  expect(await server.statusOfBen()).toBe(200);
});

test('objects: pings of the websocket protocol keep the websocket of a user without any left', async () => {
  const { session, statusOf } = await start({ objects: { max: 100, seconds: 36_000 } });
  const socket = await session();
  await eventually(async () => expect(await statusOf()).toBe(429));
  for (let i = 0; i < 100; i++) {
    const pong = once(socket.raw, 'pong');
    socket.raw.ping(`${i}`);
    expect(String((await pong)[0])).toBe(`${i}`);
  }
  socket.send({ type: 'ping' });
  expect(await socket.next()).toEqual({ type: 'pong' });
});

test('objects: websockets without a token leave those of their network to its users', async () => {
  const { socket, session, statusOf, authorization } = await start({
    objects: { max: 100, seconds: 36_000 },
    networkObjects: { max: 300, seconds: 36_000 },
  });
  for (let i = 0; i < 3; i++) {
    const silent = await socket();
    for (let pings = 0; pings < 300; pings++) silent.raw.ping();
    expect((await silent.closed).code).toBe(4429);
  }
  expect(await statusOf()).toBe(200);
  await session();
  // A long token: it arrives in the first message, for which no user pays yet.
  const long = await socket();
  long.send({ type: 'connection_init', payload: { authorization, padding: 'x'.repeat(8_000) } });
  expect(await long.next()).toMatchObject({ type: 'connection_ack' });
});

test('frames: a message in many parts is refused, also if they are empty', async () => {
  const { session, statusOf } = await start({});
  const [good, bad] = [await session(), await session()];
  const send = (socket: typeof good, parts: number) => {
    socket.raw.send('{"type":', { fin: false });
    for (let i = 0; i < parts; i++) socket.raw.send('', { fin: false });
    socket.raw.send('"ping"}', { fin: true });
  };
  send(good, 200);
  expect(await good.next()).toEqual({ type: 'pong' });
  send(bad, 300);
  expect((await bad.closed).code).toBe(1008);
  expect(await statusOf()).toBe(200);
});

test.each([
  ['one part', 1, 200],
  ['many parts', 250, 429],
])('objects: messages count with the heads of their parts: 200 in %s', async (_what, parts, status) => {
  const { session, statusOf } = await start({ objects: { max: 1_000, seconds: 36_000 } });
  const socket = await session();
  for (let i = 0; i < 200; i++) {
    for (let part = 2; part < parts; part++) socket.raw.send('', { fin: false });
    if (parts > 1) socket.raw.send('{"type":', { fin: false });
    socket.raw.send(parts > 1 ? '"ping"}' : '{"type":"ping"}', { fin: true });
    expect(await socket.next()).toEqual({ type: 'pong' });
  }
  expect(await statusOf()).toBe(status);
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
  const { socket } = await start({ networkSockets: 2 }, { initMs: 3_600_000 });
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
