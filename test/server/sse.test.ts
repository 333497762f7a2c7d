/** GraphQL as server-sent events: the protocol, and what ends a stream. */
import { on, once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createUserUsage } from '../../src/rateLimits/userUsage.ts';
import { eventually } from '../support/time/eventually.ts';
import { openEvents, type StreamRequest } from './support/events.ts';
import { gauge, startServer, type TestServerOptions } from './support/server.ts';
import { ENDING_MS, endingToken, tokenOf } from './support/tokens.ts';

async function start(options?: TestServerOptions) {
  const server = await startServer(options);
  const { url, authorization } = server;
  return {
    ...server,
    /** Opens a stream with Aki's token. */
    open: (query: string, others: Partial<StreamRequest> = {}) =>
      openEvents({ url, query, ...others, headers: { authorization, ...others.headers } }),
  };
}

const COMPLETE = { event: 'complete' };
const next = (data: unknown) => ({ event: 'next', data: { data } });

describe('the protocol', () => {
  test.each(['GET', 'POST'] as const)(
    '%s: a subscription sends its events, and completes',
    async (method) => {
      const { open } = await start();
      const stream = await open('subscription { count }', { method });
      expect([stream.status, stream.headers['content-type']]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
      ]);
      for (const count of [1, 2, 3]) expect(await stream.next()).toEqual(next({ count }));
      expect([await stream.next(), await stream.next()]).toEqual([COMPLETE, undefined]);
    },
  );

  test('POST: a query and a mutation have one event', async () => {
    const { open, events } = await start();
    const query = await open('{ hello }');
    expect(await query.next()).toMatchObject(next({ hello: 'world' }));
    expect([await query.next(), await query.next()]).toEqual([COMPLETE, undefined]);
    const written = once(events, 'written');
    const mutation = await open('mutation { write }');
    expect(await mutation.next()).toMatchObject(next({ write: 'written' }));
    await written;
  });

  test('GET: a mutation is refused', async () => {
    const { open } = await start();
    const stream = await open('mutation { write }', { method: 'GET' });
    expect([stream.status, stream.headers.allow]).toEqual([405, 'POST']);
    await stream.closed;
    expect(JSON.parse(stream.text()).errors[0]).toMatchObject({
      message: 'A mutation must be sent by POST.',
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    });
  });

  test('headers: no proxy stores, changes or holds back a stream, and it is not compressed', async () => {
    const { open } = await start();
    const { headers } = await open('subscription { count }', { headers: { 'accept-encoding': 'gzip, br' } });
    expect(headers).toMatchObject({
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
    expect(headers).not.toHaveProperty('content-encoding');
    expect(headers).not.toHaveProperty('content-length');
  });

  test.each([
    ['{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ fail }', 'INTERNAL'],
  ])('errors: %s is an event with the error, so that clients do not repeat it', async (query, code) => {
    const { open } = await start();
    const stream = await open(query);
    expect(stream.status).toBe(200);
    expect(await stream.next()).toMatchObject({
      event: 'next',
      data: { errors: [{ extensions: { code } }] },
    });
    expect(await stream.next()).toEqual(COMPLETE);
    expect(stream.text()).not.toContain('hunter2');
  });

  test('errors: a failing source sends a masked error and completes', async () => {
    const { open } = await start();
    const stream = await open('subscription { breaks }');
    expect(await stream.next()).toEqual(next({ breaks: 'fine' }));
    expect(await stream.next()).toMatchObject({ data: { errors: [{ extensions: { code: 'INTERNAL' } }] } });
    expect(await stream.next()).toEqual(COMPLETE);
    expect(stream.text()).not.toContain('hunter2');
  });

  test.each(['{ hello }', 'subscription { ticks }'])('token: %s with a wrong one is 401', async (query) => {
    const { open } = await start();
    const stream = await open(query, { headers: { authorization: 'Bearer nonsense' } });
    expect([stream.status, stream.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    await stream.closed;
    expect(JSON.parse(stream.text())).toMatchObject({
      errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
    });
  });

  test('token: one in the address is not read', async () => {
    const { url } = await start({ signedInOnly: true });
    const token = await tokenOf();
    const query = 'subscription { ticks }';
    for (const name of ['token', 'authorization', 'access_token']) {
      const response = await fetch(
        `${url}/graphql?query=${encodeURIComponent(query)}&${name}=${encodeURIComponent(`Bearer ${token}`)}`,
        { headers: { accept: 'text/event-stream' } },
      );
      expect(response.status).toBe(401);
    }
  });

  test('origin: a foreign page is refused, and an allowed one can read the stream', async () => {
    const { open } = await start();
    const foreign = await open('subscription { count }', { headers: { origin: 'https://evil.example' } });
    expect(foreign.status).toBe(403);
    const allowed = await open('subscription { count }', { headers: { origin: 'https://chat.example.com' } });
    expect(allowed.headers['access-control-allow-origin']).toBe('https://chat.example.com');
  });

  test.each([
    ['PUT', {}, 405],
    // A foreign page can send it without a preflight request.
    ['POST', { 'content-type': 'text/plain' }, 415],
  ])('%s with %j: is refused with %i', async (method, headers, status) => {
    const { url, authorization } = await start();
    const response = await fetch(`${url}/graphql`, {
      method,
      body: '{"query":"{ hello }"}',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization, ...headers },
    });
    expect(response.status).toBe(status);
  });
});

describe('the end of a stream', () => {
  /** A subscription that has begun, and how its source learns of the end. */
  async function openTicks({ open, events }: Awaited<ReturnType<typeof start>>, headers = {}) {
    const subscribed = once(events, 'subscribed');
    const stream = await open('subscription { ticks }', { headers });
    await subscribed;
    return stream;
  }

  function connectTo({ port }: Awaited<ReturnType<typeof start>>) {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    return socket;
  }

  /** A request as it is sent. */
  function subscribeRequest({ authorization }: Awaited<ReturnType<typeof start>>): string {
    const body = JSON.stringify({ query: 'subscription { ticks }' });
    const headers = [
      'Host: localhost',
      'Accept: text/event-stream',
      'Content-Type: application/json',
      `Authorization: ${authorization}`,
      `Content-Length: ${body.length}`,
    ];
    return `POST /graphql HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
  }

  const released = ({ events, metrics }: Awaited<ReturnType<typeof start>>) =>
    eventually(async () => {
      expect(events.listenerCount('tick')).toBe(0);
      expect(await metrics.registry.metrics()).toMatch(/^tsudoi_open_subscriptions 0$/m);
    });

  test('client: one that disconnects ends the subscription', async () => {
    const server = await start();
    const stream = await openTicks(server);
    expect(await gauge(server, 'tsudoi_open_subscriptions')).toBe(1);
    server.events.emit('tick', 'first');
    expect(await stream.next()).toEqual(next({ ticks: 'first' }));
    stream.close();
    await released(server);
  });

  test('client: one that disconnects at once leaves nothing open', async () => {
    const server = await start();
    for (let i = 0; i < 20; i++) {
      const socket = connectTo(server);
      socket.write(subscribeRequest(server));
      await once(socket, 'connect');
      socket.destroy();
    }
    expect(await (await openTicks(server)).status).toBe(200);
    await eventually(() => expect(server.events.listenerCount('tick')).toBe(1));
  });

  test('token: its end ends the stream without `complete`', async () => {
    const authorization = `Bearer ${await endingToken()}`;
    const server = await start();
    const openedAt = performance.now();
    const stream = await openTicks(server, { authorization });
    expect(await stream.next()).toBeUndefined();
    expect(performance.now() - openedAt).toBeGreaterThanOrEqual(ENDING_MS - 5);
    await released(server);
  });

  test('token: its revocation ends the stream without `complete`, and no other', async () => {
    const revoked = new Set<string>();
    let update = () => {};
    const server = await start({
      revoked: {
        isDeleted: () => false,
        has: ({ sub }) => revoked.has(sub),
        onUpdate(listener) {
          update = listener;
          return () => {};
        },
      },
    });
    const ben = `Bearer ${await tokenOf({ claims: { sub: 'ben', preferred_username: 'ben' } })}`;
    const [akis, bens] = [await openTicks(server), await openTicks(server, { authorization: ben })];
    revoked.add('aki');
    update();
    expect(await akis.next()).toBeUndefined();
    server.events.emit('tick', 'still here');
    expect(await bens.next()).toEqual(next({ ticks: 'still here' }));
    expect((await server.open('subscription { ticks }')).status).toBe(401);
  });

  test('connection: its end also ends the requests that wait for their turn on it', async () => {
    const usage = createUserUsage({ limits: { sockets: 3, subscriptions: 3 } });
    // A response that is still open would delay the end of the test by an hour.
    const server = await start({ usage, limits: { stopMs: 3_600_000 } });
    const opened = on(server.events, 'subscribed');
    const socket = connectTo(server);
    socket.write(subscribeRequest(server).repeat(3));
    for (let i = 0; i < 3; i++) await opened.next();
    await eventually(async () => expect(await gauge(server, 'tsudoi_open_subscriptions')).toBe(3));
    socket.destroy();
    await released(server);
    for (let i = 0; i < 3; i++) expect((await openTicks(server)).status).toBe(200);
    await server.stop();
  });

  test('ping: a stream that waits for its turn on a connection is cut off with it', async () => {
    const server = await start({ limits: { pingMs: 100 } });
    const socket = connectTo(server);
    const closed = once(socket.resume(), 'close');
    socket.write(subscribeRequest(server).repeat(2));
    await closed;
    await released(server);
  });

  test('stop: ends the stream without `complete`, and serves the queries that are running', async () => {
    const server = await start();
    const stream = await openTicks(server);
    const started = once(server.events, 'started');
    const slow = server.open('{ slow }');
    await started;
    const stopped = server.stop();
    expect(await stream.next()).toBeUndefined();
    server.events.emit('finish');
    expect(await (await slow).next()).toMatchObject(next({ slow: 'done' }));
    await stopped;
  });

  test('stop: a client that does not read is cut off', async () => {
    const server = await start();
    const flooded = once(server.events, 'flooded');
    const stream = await server.open('subscription { flood }');
    stream.raw.pause();
    await flooded;
    const unsubscribed = once(server.events, 'unsubscribed');
    await server.stop();
    await unsubscribed;
  });
});
