import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { CloseCode } from '../../src/server/websocket/closeCodes.ts';
import { eventually } from '../support/time/eventually.ts';
import { FREE, gauge, startServer } from './support/server.ts';
import { ENDING_MS, endingToken, tokenOf } from './support/tokens.ts';

const init = (payload?: Record<string, unknown>) => ({
  type: 'connection_init',
  ...(payload && { payload }),
});

describe('the protocol', () => {
  test('websocket: runs queries, mutations and subscriptions', async () => {
    const { session } = await startServer();
    const socket = await session();
    socket.subscribe('1', '{ whoami requestId }');
    expect(await socket.next()).toMatchObject({
      id: '1',
      type: 'next',
      payload: { data: { whoami: 'aki' } },
    });
    expect(await socket.next()).toEqual({ id: '1', type: 'complete' });
    socket.subscribe('2', 'mutation { write }');
    expect(await socket.next()).toEqual({
      id: '2',
      type: 'next',
      payload: { data: { write: 'written' }, extensions: FREE },
    });
    expect(await socket.next()).toEqual({ id: '2', type: 'complete' });
    socket.subscribe('3', 'subscription { count }');
    for (const count of [1, 2, 3]) {
      expect(await socket.next()).toEqual({ id: '3', type: 'next', payload: { data: { count } } });
    }
    expect(await socket.next()).toEqual({ id: '3', type: 'complete' });
  });

  test('websocket: a completed subscription receives nothing more and is released', async () => {
    const server = await startServer();
    const { session, events } = server;
    const socket = await session();
    const subscribed = once(events, 'subscribed');
    socket.subscribe('1', 'subscription { ticks }');
    await subscribed;
    events.emit('tick', 'a');
    expect(await socket.next()).toEqual({ id: '1', type: 'next', payload: { data: { ticks: 'a' } } });
    expect(await gauge(server, 'tsudoi_open_subscriptions')).toBe(1);
    socket.send({ type: 'complete', id: '1' });
    await eventually(() => expect(events.listenerCount('tick')).toBe(0));
    await eventually(async () => expect(await gauge(server, 'tsudoi_open_subscriptions')).toBe(0));
    expect(socket.unread()).toBe(0);
  });

  test('websocket: the subscriptions of a client that disconnects are released', async () => {
    const server = await startServer();
    const { session, events } = server;
    const socket = await session();
    const subscribed = once(events, 'subscribed');
    socket.subscribe('1', 'subscription { ticks }');
    await subscribed;
    socket.raw.terminate();
    await eventually(() => expect(events.listenerCount('tick')).toBe(0));
    await eventually(async () => expect(await gauge(server, 'tsudoi_open_subscriptions')).toBe(0));
    expect(await gauge(server, 'tsudoi_open_sockets')).toBe(0);
  });

  test('websocket: without connection_init it is closed with 4408', async () => {
    const { socket } = await startServer({ limits: { initMs: 50 } });
    expect((await (await socket()).closed).code).toBe(CloseCode.ConnectionInitialisationTimeout);
  });

  test('websocket: a second connection_init closes it with 4429', async () => {
    const { session } = await startServer();
    const socket = await session();
    socket.send(init());
    expect((await socket.closed).code).toBe(4429);
  });

  test('websocket: an operation before the acknowledgement closes it with 4401', async () => {
    const { socket } = await startServer();
    const early = await socket();
    early.subscribe('1', '{ hello }');
    expect((await early.closed).code).toBe(4401);
  });

  test('websocket: an id that is in use closes it with 4409', async () => {
    const { session, events } = await startServer();
    const socket = await session();
    const subscribed = once(events, 'subscribed');
    socket.subscribe('1', 'subscription { ticks }');
    await subscribed;
    socket.subscribe('1', '{ hello }');
    expect((await socket.closed).code).toBe(4409);
  });

  test.each([
    ['invalid JSON', 'garbage'],
    ['an unknown message', '{"type":"shout"}'],
    ['a list', '[]'],
    ['a result, which only servers send', '{"type":"next","id":"1","payload":{}}'],
    ['an acknowledgement, which only servers send', '{"type":"connection_ack"}'],
    ['an operation without a query', '{"type":"subscribe","id":"1","payload":{}}'],
    ['an operation with an empty id', '{"type":"subscribe","id":"","payload":{"query":"{ hello }"}}'],
  ])('websocket: %s closes it with 4400, and others stay open', async (_what, text) => {
    const { session, recorded } = await startServer();
    const [bad, good] = [await session(), await session()];
    bad.send(text);
    expect((await bad.closed).code).toBe(4400);
    good.subscribe('1', '{ hello }');
    expect(await good.next()).toMatchObject({ payload: { data: { hello: 'world' } } });
    expect(recorded.lines().filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  test('websocket: another protocol closes it with 4406', async () => {
    const { socket } = await startServer();
    const other = await socket({ protocol: 'graphql-ws' }).catch((error: Error) => error.message);
    if (typeof other === 'string') expect(other).toMatch(/subprotocol/);
    else expect((await other.closed).code).toBe(4406);
  });

  test('websocket: an oversize frame closes it with 1009, and others stay open', async () => {
    const { session } = await startServer();
    const [bad, good] = [await session(), await session()];
    bad.subscribe('1', '{ hello }', { x: 'x'.repeat(262_144) });
    expect((await bad.closed).code).toBe(CloseCode.MessageTooBig);
    good.subscribe('1', '{ echo(text: "a") }', { x: 'x'.repeat(262_000) });
    expect(await good.next()).toMatchObject({ payload: { data: { echo: 'a' } } });
  });

  test('websocket: compression is not negotiated', async () => {
    const { socket } = await startServer();
    expect((await socket()).raw.extensions).toBe('');
  });
});

describe('identity', () => {
  test.each([['authorization'], ['Authorization'], ['AUTHORIZATION']])(
    'identity: a token is accepted as %s',
    async (name) => {
      const { session, authorization } = await startServer();
      const socket = await session({ [name]: authorization });
      socket.subscribe('1', '{ whoami }');
      expect(await socket.next()).toMatchObject({ payload: { data: { whoami: 'aki' } } });
    },
  );

  test.each([
    ['expired', async () => `Bearer ${await tokenOf({ expiresIn: -10 })}`],
    ['garbage', () => 'Bearer garbage'],
    ['not a text', () => ({ token: 'x' })],
  ])(
    'identity: a token that is %s closes the websocket with 4403 before the acknowledgement',
    async (_what, make) => {
      const { socket } = await startServer();
      const bad = await socket();
      bad.send(init({ authorization: await make() }));
      expect((await bad.closed).code).toBe(4403);
      expect(bad.unread()).toBe(0);
    },
  );

  test('identity: without a token the websocket opens, and fields that need a viewer are refused', async () => {
    const { session } = await startServer();
    const socket = await session({});
    socket.subscribe('1', '{ hello whoami }');
    const { payload } = await socket.next();
    expect(payload.data).toEqual({ hello: 'world', whoami: null });
    expect(payload.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    await socket.next();
    socket.subscribe('2', 'subscription { ticks }');
    const refused = await socket.next();
    expect(refused.payload.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect(await socket.next()).toEqual({ id: '2', type: 'complete' });
  });

  test('identity: a websocket is closed with 4403 when its token would be refused, 5 s after it expired', async () => {
    const authorization = `Bearer ${await endingToken()}`;
    const { session, events } = await startServer();
    const openedAt = performance.now();
    const socket = await session({ authorization });
    const subscribed = once(events, 'subscribed');
    socket.subscribe('1', 'subscription { ticks }');
    // On a slow machine the token ends before the subscription begins.
    await Promise.race([subscribed, socket.closed]);
    expect((await socket.closed).code).toBe(4403);
    expect(performance.now() - openedAt).toBeGreaterThanOrEqual(ENDING_MS - 5);
    await eventually(() => expect(events.listenerCount('tick')).toBe(0));
  });

  test('identity: an expiry that is later than a timer can reach does not close the websocket', async () => {
    const { session } = await startServer();
    const socket = await session({ authorization: `Bearer ${await tokenOf({ expiresIn: 3_000_000_000 })}` });
    socket.subscribe('1', '{ whoami }');
    expect(await socket.next()).toMatchObject({ payload: { data: { whoami: 'aki' } } });
    expect(socket.raw.readyState).toBe(socket.raw.OPEN);
  });

  test('identity: keys that cannot be fetched close the websocket with 1013', async () => {
    const auth = { kind: 'jwks', url: 'http://127.0.0.1:1/', issuer: 'i', audience: 'a' } as const;
    const { socket } = await startServer({ config: { auth } });
    const { generateKeyPair } = await import('jose');
    const { privateKey: key } = await generateKeyPair('RS256');
    const waiting = await socket();
    waiting.send(init({ authorization: `Bearer ${await tokenOf({ key, header: { alg: 'RS256' } })}` }));
    expect((await waiting.closed).code).toBe(CloseCode.TryAgainLater);
  });
});

describe('rules that HTTP has as well', () => {
  const aliases = `{ ${Array.from({ length: 101 }, (_, i) => `a${i}: hello`).join(' ')} }`;
  test.each([
    ['21 levels', `{ tree ${'{ child '.repeat(19)}{ name }${' }'.repeat(20)}`],
    ['101 aliases', aliases],
    ['51 directives', `{ ${'hello @include(if: true) '.repeat(51)} }`],
    ['a million objects', '{ tree { children { children(last: 100) { children(first: 100) { name } } } } }'],
    ['51 fields of one name in one place', `{ ${'hello '.repeat(51)} }`],
    ['2,001 tokens', `{ ${'hello '.repeat(1_999)} }`],
    ['a fragment cycle', '{ tree { ...F } } fragment F on Tree { child { ...F } }'],
    ['a syntax error', '{ hello'],
    ['a misspelt field', '{ helo }'],
    ['an ambiguous operation', 'query A { hello } query B { hello }'],
  ])('websocket: %s is refused with an error message', async (_what, query) => {
    const { session } = await startServer();
    const socket = await session();
    socket.subscribe('1', query);
    const { type, payload } = await socket.next();
    expect([type, payload[0].extensions.code]).toEqual(['error', 'GRAPHQL_VALIDATION_FAILED']);
    expect(JSON.stringify(payload)).not.toMatch(/Did you mean|"http"|stack/);
    socket.subscribe('1', '{ hello }');
    expect(await socket.next()).toMatchObject({ payload: { data: { hello: 'world' } } });
  });

  test('cost: an answer has it, and so has the error that refuses the operation', async () => {
    const { session } = await startServer();
    const socket = await session();
    const limit = 30_000;
    socket.subscribe('1', '{ tree { children(last: 7) { name } } }');
    expect((await socket.next()).payload.extensions).toEqual({ cost: { objects: 7, limit } });
    await socket.next();
    socket.subscribe('2', '{ tree { children { children(last: 100) { children(first: 100) { name } } } } }');
    expect((await socket.next()).payload[0].extensions).toEqual({
      code: 'GRAPHQL_VALIDATION_FAILED',
      limit,
      cost: { objects: 505_050, limit },
    });
  });

  test('cost: a subscription may read fewer objects, because it reads them for each event', async () => {
    const { session } = await startServer();
    const socket = await session();
    const forest = (first: number) =>
      `subscription { forest { children(first: 10) { children(first: ${first}) { name } } } }`;
    socket.subscribe('1', forest(99));
    expect(await socket.next()).toMatchObject({ id: '1', type: 'next' });
    expect(await socket.next()).toEqual({ id: '1', type: 'complete' });
    socket.subscribe('2', forest(100));
    expect((await socket.next()).payload[0].extensions).toEqual({
      code: 'GRAPHQL_VALIDATION_FAILED',
      limit: 1_000,
      cost: { objects: 1_010, limit: 1_000 },
    });
  });

  test('introspection: is refused if it is off', async () => {
    const { session } = await startServer({ config: { introspection: false } });
    const socket = await session();
    socket.subscribe('1', '{ __schema { types { name } } }');
    const { type, payload } = await socket.next();
    expect([type, payload[0].extensions.code]).toEqual(['error', 'GRAPHQL_VALIDATION_FAILED']);
  });

  test('errors: a deliberate error has its code and details, an unexpected one only an id', async () => {
    const { session, recorded } = await startServer();
    const socket = await session();
    socket.subscribe('1', '{ refuse fail }');
    const { payload } = await socket.next();
    expect(payload.errors.map(({ extensions }: { extensions: object }) => extensions)).toEqual([
      {
        code: 'BAD_USER_INPUT',
        field: 'input.body',
        limit: 4_000,
        fields: [{ field: 'input.body', max: 4_000, message: 'Too long.' }],
      },
      { code: 'INTERNAL', errorId: expect.any(String) },
    ]);
    expect(JSON.stringify(payload)).not.toMatch(/hunter2|stack|"http"/);
    expect(recorded.text()).toContain(payload.errors[1].extensions.errorId);
  });

  test('errors: a subscription that fails sends an id without the reason', async () => {
    const { session, recorded } = await startServer();
    const socket = await session();
    socket.subscribe('1', 'subscription { breaks }');
    expect(await socket.next()).toMatchObject({ payload: { data: { breaks: 'fine' } } });
    const { type, payload } = await socket.next();
    expect([type, payload[0].extensions]).toEqual([
      'error',
      { code: 'INTERNAL', errorId: expect.any(String) },
    ]);
    expect(JSON.stringify(payload)).not.toContain('hunter2');
    expect(recorded.text()).toContain(payload[0].extensions.errorId);
    expect(recorded.text()).not.toContain('hunter2');
  });
});
