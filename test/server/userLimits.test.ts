/** What one user may hold on a server and read from it. Other users are not affected. */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { UserLimits } from '../../src/core/rateLimits.ts';
import { currentCaller } from '../../src/core/work.ts';
import { createUserUsage } from '../../src/rateLimits/userUsage.ts';
import { startServer } from './support/server.ts';
import { tokenOf } from './support/tokens.ts';

const startLimited = (limits: UserLimits) => startServer({ usage: createUserUsage({ limits }) });
const ben = async () => ({
  authorization: `Bearer ${await tokenOf({ claims: { sub: 'ben', preferred_username: 'ben' } })}`,
});

test('sockets: one more than allowed is closed with 4429, and a closed one makes room', async () => {
  const { socket, session, authorization } = await startLimited({ sockets: 2 });
  const [first] = [await session(), await session()];
  const third = await socket();
  third.send({ type: 'connection_init', payload: { authorization } });
  expect(await third.closed).toEqual({ code: 4429, reason: 'Too many sockets of one user or network' });
  await session(await ben());
  first.raw.close();
  await first.closed;
  await session();
});

test('subscriptions: one more than allowed, on any websocket, closes that websocket with 4429', async () => {
  const { session, events } = await startLimited({ subscriptions: 2 });
  const subscribed = () => once(events, 'subscribed');
  const [a, b] = [await session(), await session()];
  for (const [i, one] of [a, b].entries()) {
    const open = subscribed();
    one.subscribe(`${i}`, 'subscription { ticks }');
    await open;
  }
  b.subscribe('more', 'subscription { ticks }');
  expect(await b.closed).toEqual({ code: 4429, reason: 'Too many subscriptions of one user or network' });

  const others = await session(await ben());
  const theirs = subscribed();
  others.subscribe('1', 'subscription { ticks }');
  await theirs;

  // The closed websocket has given its place back; so does an operation that ends or is refused.
  const c = await session();
  c.subscribe('1', 'subscription { count }');
  while ((await c.next()).type !== 'complete');
  c.subscribe('2', 'subscription { nothing }');
  expect(await c.next()).toMatchObject({ id: '2', type: 'error' });
  const open = subscribed();
  c.subscribe('3', 'subscription { ticks }');
  await open;
  c.subscribe('4', 'subscription { ticks }');
  expect((await c.closed).code).toBe(4429);
});

test('objects: a user who has read too much gets 429 with the time to wait, over both transports', async () => {
  const { post, session, authorization } = await startLimited({ objects: { max: 1_000, seconds: 36_000 } });
  const read = (first: number, headers: Record<string, string> = { authorization }) =>
    post({ query: READ, variables: { first } }, headers);
  const socket = await session();
  // The websocket counts as 20 and the document as 17: ten pages of 90 fit into what is left.
  expect(await servedOf(() => read(90))).toBe(10);
  const refused = await read(90);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({
    errors: [{ extensions: { code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) } }],
  });
  socket.send({ id: '1', type: 'subscribe', payload: { query: READ, variables: { first: 90 } } });
  expect(await socket.next()).toMatchObject({
    type: 'error',
    payload: [{ extensions: { code: 'RATE_LIMITED' } }],
  });
  expect((await read(90, await ben())).status).toBe(200);
});

const READ = 'query ($first: Int!) { tree { children(first: $first) { name } } }';

/** How many requests are served before one is refused. At most 1,000. */
async function servedOf(request: (number: number) => Promise<{ readonly status: number }>): Promise<number> {
  for (let served = 0; served < 1_000; served++) if ((await request(served)).status === 429) return served;
  throw new Error('None was refused.');
}

// Much CPU and no page: one user in a loop would take the server from all others.
test.each<[string, number, (number: number) => string]>([
  ['the smallest query counts as 10 objects', 1_000 / 10, () => '{ __typename }'],
  ['introspection counts as 5,000', 1, () => '{ __schema { queryType { name } } }'],
  ['a new document counts by its length', 10, (number) => `{ no${1_000 + number}(${'x'.repeat(390)}: 1) }`],
])('objects: %s', async (_what, expected, query) => {
  const { post, authorization } = await startLimited({ objects: { max: 1_000, seconds: 36_000 } });
  const served = await servedOf((number) => post({ query: query(number) }, { authorization }));
  // The document itself counts once.
  expect(served).toBeGreaterThanOrEqual(expected - 2);
  expect(served).toBeLessThanOrEqual(expected);
  expect((await post({ query: '{ hello }' }, await ben())).status).toBe(200);
});

test('objects: a new websocket counts as 20, and so does a new subscription', async () => {
  const { socket, session, authorization } = await startLimited({ objects: { max: 100, seconds: 36_000 } });
  const open = await session();
  for (let i = 0; i < 3; i++) {
    open.subscribe(`${i}`, 'subscription { count }');
    while ((await open.next()).type !== 'complete');
  }
  open.subscribe('more', 'subscription { count }');
  expect(await open.next()).toMatchObject({ payload: [{ extensions: { code: 'RATE_LIMITED' } }] });
  const next = await socket();
  next.send({ type: 'connection_init', payload: { authorization } });
  expect(await next.closed).toEqual({ code: 4429, reason: 'Too many requests' });
  await session(await ben());
});

test('operations: more than allowed at once are refused with 429, and one that ends makes room', async () => {
  const { query, post, events, authorization, get } = await startLimited({ operations: 1 });
  const started = once(events, 'started');
  const slow = query('{ slow }', {}, { authorization });
  await started;
  const refused = await post({ query: '{ hello }' }, { authorization });
  expect([refused.status, (await refused.json()).errors[0].extensions]).toEqual([
    429,
    { code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) },
  ]);
  expect((await post({ query: '{ hello }' }, await ben())).status).toBe(200);
  events.emit('finish');
  expect((await slow).data).toEqual({ slow: 'done' });
  expect((await post({ query: '{ hello }' }, { authorization })).status).toBe(200);
  expect((await get('/healthz')).status).toBe(200);
});

test('networkSockets: the sockets of one network count together, also without a token', async () => {
  const { socket, session } = await startLimited({ networkSockets: 2 });
  await session(await ben());
  await session();
  const third = await socket();
  third.send({ type: 'connection_init' });
  expect((await third.closed).code).toBe(4429);
});

test('memory: a server with little memory left refuses new subscriptions and large operations, and nothing else', async () => {
  let isLow = false;
  const { session, events, get } = await startServer({ memory: { isLow: () => isLow } });
  const socket = await session();
  const subscribed = once(events, 'subscribed');
  socket.subscribe('1', 'subscription { ticks }');
  await subscribed;
  isLow = true;
  socket.subscribe('2', 'subscription { ticks }');
  expect(await socket.next()).toMatchObject({
    id: '2',
    type: 'error',
    payload: [{ extensions: { code: 'UNAVAILABLE', retryAfterMs: expect.any(Number) } }],
  });
  socket.subscribe('3', '{ hello }');
  expect(await socket.next()).toMatchObject({ id: '3', payload: { data: { hello: 'world' } } });
  expect(await socket.next()).toEqual({ id: '3', type: 'complete' });
  const children = (first: number) =>
    `{ tree { children(first: ${first}) { children(first: 100) { name } } } }`;
  socket.subscribe('4', children(9));
  expect(await socket.next()).toMatchObject({ id: '4', type: 'next' });
  expect(await socket.next()).toEqual({ id: '4', type: 'complete' });
  socket.subscribe('5', children(10));
  expect(await socket.next()).toMatchObject({ id: '5', payload: [{ extensions: { code: 'UNAVAILABLE' } }] });
  expect(await (await get('/metrics')).text()).toContain('tsudoi_rate_limited_total{act="memory"} 2');
});

test("fairness: what a subscription reads when it is opened waits in its user's queue, as queries do", async () => {
  const callers: Array<string | undefined> = [];
  const { session, events } = await startServer({
    subscribe(args, next) {
      callers.push(currentCaller());
      return next(args);
    },
  });
  const socket = await session();
  const subscribed = once(events, 'subscribed');
  socket.subscribe('1', 'subscription { ticks }');
  await subscribed;
  expect(callers).toEqual(['aki']);
});
