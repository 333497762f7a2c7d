/** Requests without a valid token are limited by their network. Requests with one are not. */
import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createAnonymousLimit } from '../../src/rateLimits/anonymousLimit.ts';
import { networkOf } from '../../src/server/access/anonymous.ts';
import { rawRequest } from './support/rawRequest.ts';
import { startServer } from './support/server.ts';

/** Two requests at once: a burst of one, and one of the steady rate. */
const TWO = { max: 1, seconds: 3_600 };
const startLimited = (trustedProxies = 0) =>
  startServer({ anonymous: createAnonymousLimit({ rate: TWO }), config: { trustedProxies } });

describe('over HTTP', () => {
  test.each(['no token', 'a bad token'])(
    'anonymous limit: the third request with %s is 429 with the time to wait',
    async (what) => {
      const { post, query } = await startLimited();
      const headers: Record<string, string> = what === 'no token' ? {} : { authorization: 'Bearer a.b.c' };
      const ask = () => post({ query: '{ hello }' }, headers);
      const allowed = what === 'no token' ? 200 : 401;
      expect([(await ask()).status, (await ask()).status]).toEqual([allowed, allowed]);
      const refused = await ask();
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
      expect(await refused.json()).toMatchObject({
        errors: [{ extensions: { code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) } }],
      });
      expect(await query('{ whoami }')).toMatchObject({ data: { whoami: 'aki' } });
    },
  );

  test('HTTP: a request with a bad token and a wrong content type does not affect the next one', async () => {
    const { post, query } = await startServer();
    const headers = { authorization: 'Bearer a.b.c', 'content-type': 'text/plain' };
    expect((await post('hello', headers)).status).toBe(415);
    expect(await query('{ whoami }')).toMatchObject({ data: { whoami: 'aki' } });
  });

  test('anonymous limit: behind a proxy, counts by the address that the proxy added', async () => {
    const { port } = await startLimited(1);
    const from = async (forwarded: string) => {
      const headers = { 'x-forwarded-for': forwarded };
      return (await rawRequest({ port, path: '/graphql?query=%7Bhello%7D', headers })).status;
    };
    expect(await Promise.all([from('192.0.2.1'), from('192.0.2.1'), from('192.0.2.2')])).toEqual([
      200, 200, 200,
    ]);
    expect(await from('198.51.100.7, 192.0.2.1')).toBe(429);
    expect(await from('192.0.2.1, 192.0.2.2')).toBe(200);
  });

  test('anonymous limit: without a proxy, ignores X-Forwarded-For', async () => {
    const { port } = await startLimited();
    const from = async (forwarded: string) => {
      const headers = { 'x-forwarded-for': forwarded };
      return (await rawRequest({ port, path: '/graphql?query=%7Bhello%7D', headers })).status;
    };
    expect([await from('192.0.2.1'), await from('192.0.2.2'), await from('192.0.2.3')]).toEqual([
      200, 200, 429,
    ]);
  });
});

describe('over a websocket', () => {
  test('anonymous limit: refuses operations, then websockets, without a token only', async () => {
    const { session, socket } = await startLimited();
    const [anonymous, signedIn] = [await session({}), await session()];
    anonymous.subscribe('1', '{ hello }');
    expect(await anonymous.next()).toMatchObject({ type: 'next' });
    await anonymous.next();
    anonymous.subscribe('2', '{ hello }');
    expect(await anonymous.next()).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) } }],
    });
    for (const payload of [{}, { authorization: 'Bearer a.b.c' }]) {
      const another = await socket();
      another.send({ type: 'connection_init', payload });
      expect((await another.closed).code).toBe(4429);
    }
    signedIn.subscribe('1', '{ whoami }');
    expect(await signedIn.next()).toMatchObject({ payload: { data: { whoami: 'aki' } } });
  });
});

describe('networkOf', () => {
  const request = (remoteAddress: string, forwarded?: string) =>
    ({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress } }) as unknown as IncomingMessage;

  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::1', '0:0:0:0'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:DB8:0:1:ffff::9', '2001:db8:0:1'],
    ['2001:0db8:0000:0001:1:2:3:4', '2001:db8:0:1'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('networkOf: %s belongs to %s', (address, network) => {
    expect(networkOf(request(address), 0)).toBe(network);
  });

  test.each([
    [2, '203.0.113.9, 192.0.2.1, 192.0.2.2', '192.0.2.1'],
    [1, '203.0.113.9, 192.0.2.1:49152', '192.0.2.1'],
    [1, '[2001:db8:0:1::7]:443', '2001:db8:0:1'],
    [1, '[2001:db8:0:1::7]', '2001:db8:0:1'],
    [1, '2001:db8:0:1::7', '2001:db8:0:1'],
    [1, '192.0.2.1:', '10.0.0.1'],
    [1, 'nonsense', '10.0.0.1'],
    [3, '192.0.2.1', '10.0.0.1'],
  ])('networkOf: with %i proxies and X-Forwarded-For %s it is %s', (proxies, forwarded, network) => {
    expect(networkOf(request('10.0.0.1', forwarded), proxies)).toBe(network);
  });
});

test('createAnonymousLimit: forgets the networks that were idle for longest', async () => {
  let refused = 0;
  const take = createAnonymousLimit({ rate: TWO, max: 2, onRefused: () => refused++ });
  for (const address of ['a', 'a', 'b']) expect(await take(address)).toBe(0);
  expect(await take('a')).toBeGreaterThan(0);
  // This drops 'b', because 'a' was used later.
  await take('c');
  expect(await take('a')).toBeGreaterThan(0);
  await take('b');
  await take('d');
  expect(await take('a')).toBe(0);
  expect(refused).toBe(2);
});
