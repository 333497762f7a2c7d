/** What event streams may cost the server: the limits of websockets. */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createUserUsage } from '../../src/rateLimits/userUsage.ts';
import { eventually } from '../support/time/eventually.ts';
import { openEvents } from './support/events.ts';
import { gauge, startServer, type TestServerOptions } from './support/server.ts';
import { tokenOf } from './support/tokens.ts';

async function start(options?: TestServerOptions) {
  const server = await startServer(options);
  const { url, events, authorization } = server;
  events.setMaxListeners(0);
  const open = (query: string, headers: Record<string, string> = {}) =>
    openEvents({ url, query, headers: { authorization, ...headers } });
  return {
    ...server,
    open,
    async openTicks(headers?: Record<string, string>) {
      const subscribed = once(events, 'subscribed');
      const stream = await open('subscription { ticks }', headers);
      await subscribed;
      return stream;
    },
  };
}

const ben = async () => ({
  authorization: `Bearer ${await tokenOf({ claims: { sub: 'ben', preferred_username: 'ben' } })}`,
});

test.each(['sockets', 'subscriptions'] as const)(
  '%s: one more than a user may have is 429, and a closed one makes room',
  async (what) => {
    const { open, openTicks, events } = await start({ usage: createUserUsage({ limits: { [what]: 2 } }) });
    const first = await openTicks();
    await openTicks();
    const refused = await open('subscription { ticks }');
    expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([429, 5]);
    await refused.closed;
    expect(JSON.parse(refused.text())).toMatchObject({
      errors: [{ extensions: { code: 'RATE_LIMITED', retryAfterMs: 5_000 } }],
    });
    await openTicks(await ben());
    // Queries are counted as those over HTTP.
    expect((await open('{ hello }')).status).toBe(200);
    first.close();
    await eventually(() => expect(events.listenerCount('tick')).toBe(2));
    await openTicks();
  },
);

test('sockets: event streams and websockets count together', async () => {
  const { session, socket, openTicks, open, authorization } = await start({
    usage: createUserUsage({ limits: { sockets: 2 } }),
  });
  await session();
  await openTicks();
  expect((await open('subscription { ticks }')).status).toBe(429);
  const third = await socket();
  third.send({ type: 'connection_init', payload: { authorization } });
  expect((await third.closed).code).toBe(4429);
});

test.each(['networkSockets', 'networkSubscriptions'] as const)(
  '%s: the event streams of one network count together',
  async (what) => {
    const { open, openTicks } = await start({ usage: createUserUsage({ limits: { [what]: 2 } }) });
    await openTicks();
    await openTicks(await ben());
    expect((await open('subscription { ticks }')).status).toBe(429);
  },
);

test('places: a subscription that is refused or completes gives its places back', async () => {
  const { open, openTicks } = await start({
    usage: createUserUsage({ limits: { sockets: 1, subscriptions: 1 } }),
  });
  for (const query of ['subscription { nothing }', 'subscription { count }', 'subscription { breaks }']) {
    const stream = await open(query);
    expect(stream.status).toBe(200);
    await stream.closed;
  }
  await openTicks();
});

test('server: more event streams than it holds are refused with 503 until another closes', async () => {
  const { open, openTicks, events } = await start({ limits: { eventStreams: 1 } });
  const first = await openTicks();
  const refused = await open('subscription { ticks }', await ben());
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, expect.any(String)]);
  first.close();
  await eventually(() => expect(events.listenerCount('tick')).toBe(0));
  await openTicks();
});

test('memory: a server with little memory left refuses subscriptions with 503', async () => {
  const { open } = await start({ memory: { isLow: () => true } });
  expect((await open('subscription { ticks }')).status).toBe(503);
  expect((await open('{ hello }')).status).toBe(200);
});

test('objects: a user who has read too much gets 429', async () => {
  const { open } = await start({
    usage: createUserUsage({ limits: { objects: { max: 100, seconds: 3_600 } } }),
  });
  // The document counts as 11.
  const query = '{ tree { children(first: 85) { name } } }';
  expect([(await open(query)).status, (await open(query)).status]).toEqual([200, 429]);
});

test('objects: a subscription counts as 40, like a websocket with one', async () => {
  const { open } = await start({
    usage: createUserUsage({ limits: { objects: { max: 100, seconds: 36_000 } } }),
  });
  const statuses = [];
  // The document counts as 6.
  for (let i = 0; i < 3; i++) statuses.push((await open('subscription { count }')).status);
  expect(statuses).toEqual([200, 200, 429]);
});

test('anonymous: requests without a token are limited before they are read', async () => {
  let count = 0;
  const { url } = await start({ anonymous: async () => (++count > 1 ? 2_000 : 0) });
  const [first, second] = [
    await openEvents({ url, query: '{ hello }' }),
    await openEvents({ url, query: '{ hello }' }),
  ];
  expect([first.status, second.status, second.headers['retry-after']]).toEqual([200, 429, '2']);
});

test('cost: a subscription whose events have too many objects is refused', async () => {
  const { open } = await start();
  const stream = await open(
    'subscription { forest { children(first: 40) { children(first: 40) { name } } } }',
  );
  expect(await stream.next()).toMatchObject({
    data: { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED', limit: 1_000 } }] },
  });
});

test('backpressure: a subscription waits for a client that does not read', async () => {
  const { open, events } = await start();
  let sent = 0;
  events.on('flooded', (count: number) => {
    sent = count;
  });
  const stream = await open('subscription { flood }');
  stream.raw.pause();
  let last = -1;
  await eventually(() => {
    const isStable = sent > 0 && sent === last;
    last = sent;
    expect(isStable).toBe(true);
  }, 200);
  // The kernel's buffers on both sides and our own 64 KiB are full.
  expect(sent).toBeLessThan(1_000);
  const before = sent;
  stream.raw.resume();
  await eventually(() => expect(sent).toBeGreaterThan(before + 100));
  // The server notices that the client has disconnected, although the source always has more.
  const unsubscribed = once(events, 'unsubscribed');
  stream.close();
  await unsubscribed;
});

test('backpressure: a client that reads gets all of what is sent in one turn', async () => {
  const { openTicks, events } = await start();
  const stream = await openTicks();
  // More than Node collects for a response or a connection, several times.
  const ticks = Array.from({ length: 64 }, (_, i) => `${i} ${'x'.repeat(8_192)}`);
  for (let round = 0; round < 3; round++) {
    for (const tick of ticks) events.emit('tick', tick);
    for (const tick of ticks) expect((await stream.next())?.data).toEqual({ data: { ticks: tick } });
  }
});

test('ping: a client that reads nothing is cut off within two pings', async () => {
  const server = await start({ limits: { pingMs: 200 } });
  const reader = await server.openTicks();
  const stream = await server.open('subscription { flood }');
  const unsubscribed = once(server.events, 'unsubscribed');
  stream.raw.pause();
  await unsubscribed;
  await eventually(async () => expect(await gauge(server, 'tsudoi_open_subscriptions')).toBe(1));
  server.events.emit('tick', 'still here');
  expect(await reader.next()).toMatchObject({ data: { data: { ticks: 'still here' } } });
});

test('ping: an idle stream has a comment for each, which no client takes for an event', async () => {
  const server = await start({ limits: { pingMs: 50 } });
  const stream = await server.openTicks();
  // The first one is sent when the stream opens.
  await eventually(() => expect(stream.text()).toMatch(/^(:\n){5,}$/));
  server.events.emit('tick', 'now');
  expect((await stream.next())?.data).toEqual({ data: { ticks: 'now' } });
});
