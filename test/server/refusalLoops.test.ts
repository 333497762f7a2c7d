/** A client that sends requests that are refused, as fast as it gets the refusals. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { UserLimits } from '../../src/core/rateLimits.ts';
import { createAnonymousLimit } from '../../src/rateLimits/anonymousLimit.ts';
import { createUserUsage } from '../../src/rateLimits/userUsage.ts';
import { eventually } from '../support/time/eventually.ts';
import { rawRequest } from './support/rawRequest.ts';
import { startServer } from './support/server.ts';
import { tokenOf } from './support/tokens.ts';

const AN_HOUR_MS = 3_600_000;
/** Ten are sent at once, and the next ones after the test. */
const TEN = { refusals: { max: 10, seconds: 36_000 } };

interface Loops {
  readonly limits?: UserLimits;
  readonly refusedMs?: number;
}

async function start({ limits = TEN, refusedMs = AN_HOUR_MS }: Loops = {}) {
  const refused: string[] = [];
  const server = await startServer({
    usage: createUserUsage({ limits, refusedMs, onRefused: (what) => refused.push(what) }),
    anonymous: createAnonymousLimit({ rate: { max: 5, seconds: 3_600 } }),
  });
  const sockets = new Set<Socket>();
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const counts = { responses: 0, closed: 0 };
  /** Sends the request again on each response. */
  async function loop(request: string): Promise<Socket> {
    const socket = connect(server.port, '127.0.0.1');
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => counts.closed++);
    await once(socket, 'connect');
    socket.on('data', (data) => {
      for (const _response of String(data).matchAll(/^HTTP\/1\.1 \d{3} /gm)) {
        counts.responses++;
        socket.write(request);
      }
    });
    socket.write(request);
    return socket;
  }
  return {
    ...server,
    counts,
    loop,
    /** How many refusals have been held back. */
    heldBack: () => refused.filter((what) => what === 'refusals').length,
  };
}

function requestOf(body: string, { authorization = '', accept = 'application/json' } = {}): string {
  const head = ['POST /graphql HTTP/1.1', 'host: localhost', 'content-type: application/json'];
  head.push(`accept: ${accept}`, `content-length: ${body.length}`);
  if (authorization !== '') head.push(`authorization: ${authorization}`);
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

const authorizationOf = async (sub: string) =>
  `Bearer ${await tokenOf({ claims: { sub, preferred_username: sub } })}`;

test.each([
  ['400: a body that is not JSON', 'x', 'application/json', true],
  ['400, as an event stream', 'x', 'text/event-stream', true],
  ['a document that is not valid, with the status 200', '{"query":"{ no }"}', 'application/json', true],
  ['the same by Yoga', '{"query":"{ no }"}', 'application/json;q=0.5', true],
  ['the same as an event stream', '{"query":"{ no }"}', 'text/event-stream', true],
  ['401, then 429: a token that is not valid', '{"query":"{ hello }"}', 'application/json', false],
])('loops of refused requests get ten responses at once: %s', async (_what, body, accept, hasToken) => {
  const { loop, counts, heldBack, query } = await start();
  const authorization = hasToken ? await authorizationOf('eve') : 'Bearer a.b.c';
  for (let i = 0; i < 4; i++) await loop(requestOf(body, { authorization, accept }));
  await eventually(() => expect(heldBack()).toBe(4));
  expect(counts).toEqual({ responses: 10, closed: 0 });
  // Others get their results, and their refusals.
  expect(await query('{ whoami }')).toMatchObject({ data: { whoami: 'aki' } });
  expect(await query('{ no }')).toMatchObject({ errors: [{}] });
  expect(counts.responses).toBe(10);
});

test('a client whose refusals wait gets its results at once', async () => {
  const { loop, heldBack, query } = await start();
  const authorization = await authorizationOf('eve');
  for (let i = 0; i < 4; i++) await loop(requestOf('x', { authorization }));
  await eventually(() => expect(heldBack()).toBe(4));
  expect(await query('{ hello }', {}, { authorization })).toMatchObject({ data: { hello: 'world' } });
});

test('rate limited operations are held back as well', async () => {
  const limits = { ...TEN, objects: { max: 25, seconds: 36_000 } };
  const { loop, counts, heldBack } = await start({ limits });
  const request = requestOf('{"query":"{ hello }"}', { authorization: await authorizationOf('eve') });
  for (let i = 0; i < 4; i++) await loop(request);
  await eventually(() => expect(heldBack()).toBe(4));
  // The document costs three objects, and each operation ten.
  expect(counts).toEqual({ responses: 12, closed: 0 });
});

test('refusals beyond the places of operations are sent, and end their connections, also if clients leave', async () => {
  const limits = { ...TEN, operations: 3 };
  const { loop, counts, heldBack, query } = await start({ limits });
  const request = requestOf('x', { authorization: await authorizationOf('eve') });
  const first = await loop(request);
  await eventually(() => expect(heldBack()).toBe(1));
  first.destroy();
  for (let i = 0; i < 2; i++) await loop(request);
  await eventually(() => expect(heldBack()).toBe(3));
  expect(counts).toEqual({ responses: 10, closed: 1 });
  for (let i = 0; i < 5; i++) await loop(request);
  await eventually(() => expect(counts).toEqual({ responses: 15, closed: 6 }));
  expect(await query('{ whoami }')).toMatchObject({ data: { whoami: 'aki' } });
});

test('a subscription that is refused when it begins keeps the place of its operation while the refusal waits', async () => {
  const { loop, counts, heldBack } = await start({ limits: { ...TEN, operations: 3 } });
  const query = 'subscription { forest { children(first: 40) { children(first: 40) { name } } } }';
  const authorization = await authorizationOf('eve');
  const request = requestOf(JSON.stringify({ query }), { authorization, accept: 'text/event-stream' });
  for (let i = 0; i < 3; i++) await loop(request);
  await eventually(() => expect(heldBack()).toBe(3));
  expect(counts).toEqual({ responses: 10, closed: 0 });
  await loop(request);
  await eventually(() => expect(counts).toEqual({ responses: 11, closed: 1 }));
});

test('refusals beyond the places of operations do not end the connections of a proxy', async () => {
  const { port, url } = await startServer({
    usage: createUserUsage({ limits: { ...TEN, operations: 0 }, refusedMs: AN_HOUR_MS }),
    config: { trustedProxies: 1 },
  });
  const connections = [];
  for (let i = 0; i < 12; i++) {
    const { status, headers } = await rawRequest({
      port,
      method: 'POST',
      body: '{"query":"{ hello }"}',
      headers: { 'content-type': 'application/json', connection: 'keep-alive' },
    });
    expect(status).toBe(429);
    connections.push(headers.connection);
  }
  expect(new Set(connections)).toEqual(new Set(['keep-alive']));
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test('a refusal that waits is sent', async () => {
  const { loop, counts, heldBack } = await start({ refusedMs: 5 });
  await loop(requestOf('x', { authorization: await authorizationOf('eve') }));
  await eventually(() => expect(counts.responses).toBeGreaterThan(15));
  expect(heldBack()).toBeGreaterThan(5);
});
