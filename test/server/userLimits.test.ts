/** What one user may hold on a server and read from it. Other users are not affected. */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { UserLimits } from '../../src/core/rateLimits.ts';
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
  expect(await third.closed).toEqual({ code: 4429, reason: 'Too many sockets of one user' });
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
  expect(await b.closed).toEqual({ code: 4429, reason: 'Too many subscriptions of one user' });

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
  const { post, session, authorization } = await startLimited({ objects: { max: 100, seconds: 3_600 } });
  const read = (first: number, headers: Record<string, string> = { authorization }) =>
    post({ query: `{ tree { children(first: ${first}) { name } } }` }, headers);
  expect((await read(90)).status).toBe(200);
  const refused = await read(90);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({
    errors: [{ extensions: { code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) } }],
  });
  const socket = await session();
  socket.subscribe('1', '{ tree { children(first: 90) { name } } }');
  expect(await socket.next()).toMatchObject({
    type: 'error',
    payload: [{ extensions: { code: 'RATE_LIMITED' } }],
  });
  expect((await post({ query: '{ hello }' }, { authorization })).status).toBe(200);
  expect((await read(90, await ben())).status).toBe(200);
});
