import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createMetrics } from '../../src/core/metrics.ts';
import { createPage } from '../../src/server/http/pages.ts';
import { createServer } from '../../src/server/server.ts';
import { eventually } from '../support/time/eventually.ts';
import { startOwnTime } from '../support/time/ownTime.ts';
import { createRecordedLog } from './support/log.ts';
import { testSchema } from './support/schema.ts';
import { FREE, startServer } from './support/server.ts';

test('stop: answers open requests, closes their connections, and refuses new ones', async () => {
  const { post, stop, events, url } = await startServer();
  const started = once(events, 'started');
  const answer = post({ query: '{ slow }' });
  await started;
  const stopped = stop();
  await eventually(() => expect(fetch(`${url}/healthz`)).rejects.toThrow());
  events.emit('finish');
  const response = await answer;
  expect(response.headers.get('connection')).toBe('close');
  expect(await response.json()).toEqual({ data: { slow: 'done' }, extensions: FREE });
  await stopped;
});

test('stop: serves a request that arrives on an open connection, and then closes it', async () => {
  const { port, post, stop, events } = await startServer();
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /heal');
  await eventually(() => expect(received).toContain('200 OK'));
  received = '';
  const started = once(events, 'started');
  const response = post({ query: '{ slow }' });
  await started;
  const stopped = stop();
  socket.write('thz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'end');
  expect(received).toMatch(/200 OK.*connection: close/is);
  events.emit('finish');
  await response;
  await stopped;
});

test('stop: resets no connection that it has accepted, nor one that waits in the kernel', async () => {
  const { port, stop } = await startServer({ limits: { stopMs: 60_000, firstRequestMs: 60_000 } });
  const stops = () => eventually(() => expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow());
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const responses = Array.from({ length: 30 }, async (_, i) => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    // A third of the requests is on its way, and a third is sent only after the server no longer accepts.
    if (i % 3 > 0) await begun;
    if (i % 3 > 1) await stops();
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    let received = '';
    for await (const data of socket) received += String(data);
    return received;
  });
  // Now the server has not accepted all of them, and has read nothing.
  const first = connect(port, '127.0.0.1');
  await once(first, 'connect');
  const stopped = stop();
  first.destroy();
  begin();
  for (const received of await Promise.all(responses)) expect(received).toMatch(/^HTTP\/1.1 200 OK/);
  await stopped;
});

test('stop: is not ready for the delay, during which it still accepts connections', async () => {
  const delays: number[] = [];
  let endDelay = () => {};
  const { get, stop } = await startServer({
    config: { shutdownDelay: 5 },
    wait(ms) {
      delays.push(ms);
      return new Promise((resolve) => {
        endDelay = resolve;
      });
    },
  });
  const stopped = stop();
  const response = await get('/readyz');
  expect([response.status, await response.json()]).toEqual([
    503,
    { ok: false, stopping: true, dependencies: { dynamodb: { ok: true } } },
  ]);
  expect((await get('/healthz')).headers.get('connection')).toBe('close');
  expect(delays).toEqual([5_000]);
  endDelay();
  await stopped;
  await expect(get('/healthz')).rejects.toThrow();
});

test('stop: closes websockets with 1012 after their operations were answered', async () => {
  const { session, stop, events, recorded } = await startServer();
  const [idle, busy] = [await session(), await session()];
  const subscribed = once(events, 'subscribed');
  idle.subscribe('1', 'subscription { ticks }');
  await subscribed;
  const started = once(events, 'started');
  busy.subscribe('1', '{ slow }');
  await started;
  const stopped = stop();
  expect(await idle.closed).toEqual({ code: 1012, reason: 'Service restart' });
  busy.subscribe('2', '{ hello }');
  expect(await busy.next()).toMatchObject({
    id: '2',
    type: 'error',
    payload: [{ extensions: { code: 'UNAVAILABLE' } }],
  });
  events.emit('finish');
  expect(await busy.next()).toEqual({
    id: '1',
    type: 'next',
    payload: { data: { slow: 'done' }, extensions: FREE },
  });
  expect((await busy.closed).code).toBe(1012);
  await stopped;
  expect(events.listenerCount('tick')).toBe(0);
  expect(recorded.lines().filter(({ level }) => Number(level) >= 40)).toEqual([]);
});

test('stop: refuses operations that do not end, and cuts off clients that do not answer, after stopMs', async () => {
  const { post, session, stop, events } = await startServer({ limits: { stopMs: 200 } });
  const unresponsive = await session();
  unresponsive.raw.pause();
  const busy = await session();
  let started = 0;
  const both = new Promise<void>((resolve) => events.on('started', () => ++started === 2 && resolve()));
  busy.subscribe('1', '{ slow }');
  const answer = post({ query: '{ slow }' });
  await both;
  const took = startOwnTime();
  await stop();
  expect(took()).toBeLessThan(4_000);
  const response = await answer;
  expect([response.status, response.headers.get('connection')]).toEqual([503, 'close']);
  expect(await response.json()).toMatchObject({
    errors: [
      {
        message: expect.stringContaining('Try again'),
        extensions: { code: 'UNAVAILABLE', retryAfterMs: expect.any(Number) },
      },
    ],
  });
  expect((await busy.closed).code).toBe(1012);
});

test('stop: does not wait for idle connections', async () => {
  const { port, stop } = await startServer({ limits: { stopMs: 50_000 } });
  const agent = new Agent({ keepAlive: true });
  const [response] = await once(request({ port, path: '/healthz', agent }).end(), 'response');
  response.resume();
  await once(response, 'end');
  const silent = connect(port, '127.0.0.1');
  await once(silent, 'connect');
  const took = startOwnTime();
  await stop();
  expect(took()).toBeLessThan(25_000);
  agent.destroy();
  silent.destroy();
});

test('upgrade: the connection of a refused upgrade is closed', async () => {
  const { port } = await startServer();
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.write(
    'GET /graphql HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
  );
  socket.resume();
  await once(socket, 'end');
  // This side stays open. A write fails only because the server has closed its side completely.
  const refused = once(socket, 'error');
  const writing = setInterval(() => socket.write('?'), 10);
  await refused.finally(() => clearInterval(writing));
});

test('stop: a second call waits for the same end', async () => {
  const { stop } = await startServer();
  await Promise.all([stop(), stop()]);
  await stop();
});

test('start: rejects if the port is in use, and the server can still be stopped', async () => {
  const { port, dataDir } = await startServer();
  const second = createServer({
    config: {
      host: '127.0.0.1',
      port,
      auth: { kind: 'development' },
      trustedProxies: 0,
      shutdownDelay: 0,
      metrics: { port: undefined, token: undefined },
      dataDir,
      allowedOrigins: [],
      graphiql: false,
      introspection: true,
    },
    log: createRecordedLog().log,
    metrics: createMetrics(),
    schema: testSchema,
    context: async () => ({}),
    health: async () => ({}),
    page: () => createPage(''),
  });
  await expect(second.start()).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await second.stop();
});
