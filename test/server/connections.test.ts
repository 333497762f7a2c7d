/** What the connections of one address may cost: those that do nothing, and those with many requests at once. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createUserUsage } from '../../src/rateLimits/userUsage.ts';
import { cutOffUnread } from '../../src/server/http/openResponses.ts';
import type { ServerLimits } from '../../src/server/limits.ts';
import { eventually } from '../support/time/eventually.ts';
import { startServer } from './support/server.ts';

const HEALTH = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n';

function slowRequest(authorization: string): string {
  const body = JSON.stringify({ query: '{ slow }' });
  const headers = [
    'POST /graphql HTTP/1.1',
    'host: localhost',
    `authorization: ${authorization}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ];
  return `${headers.join('\r\n')}\r\n\r\n${body}`;
}

async function start(limits: Partial<ServerLimits>, trustedProxies = 0) {
  const server = await startServer({ limits, config: { trustedProxies } });
  async function open(localAddress = '127.0.0.1'): Promise<Socket> {
    const socket = connect({ port: server.port, host: '127.0.0.1', localAddress });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  }
  /** Resolves to the beginning of the response, or to undefined if the connection was closed. */
  async function use(socket: Socket): Promise<string | undefined> {
    if (socket.destroyed) return undefined;
    socket.write(HEALTH);
    const answer = once(socket, 'data').then(([data]) => String(data).slice(0, 15));
    return Promise.race([answer, closeOf(socket).then(() => undefined)]);
  }
  return { ...server, open, use };
}

/** A connection that is reset is closed as well. */
const closeOf = (socket: Socket) => new Promise((resolve) => socket.resume().once('close', resolve));

const OK = 'HTTP/1.1 200 OK';

test('idle: one connection too many closes the one of its address that was idle for longest', async () => {
  const { open, use } = await start({ idleConnections: 3 });
  const elsewhere = await open('127.0.0.2');
  const first = await open();
  const second = await open();
  const third = await open();
  expect(await use(first)).toBe(OK);
  // Now the second one is idle for longest.
  const closed = closeOf(second);
  const fourth = await open();
  await closed;
  const answers = [];
  for (const socket of [elsewhere, first, third, fourth]) answers.push(await use(socket));
  expect(answers).toEqual([OK, OK, OK, OK]);
});

test('idle: a connection whose head does not end is one of them', async () => {
  const { open } = await start({ idleConnections: 1 });
  const slow = await open();
  slow.write('GET /healthz HTTP/1.1\r\nhost: loc');
  const closed = closeOf(slow);
  await open();
  await closed;
});

test('idle: websockets, event streams and open requests are not closed for it', async () => {
  const { open, use, session, events, post, authorization } = await start({ idleConnections: 1 });
  const sockets = [];
  for (let i = 0; i < 20; i++) sockets.push(await session());
  const started = once(events, 'started');
  const slow = post({ query: '{ slow }' }, { authorization });
  await started;
  for (let i = 0; i < 5; i++) expect(await use(await open())).toBe(OK);
  events.emit('finish', 'x');
  expect((await slow).status).toBe(200);
  for (const socket of sockets) {
    socket.send({ type: 'ping' });
    expect(await socket.next()).toEqual({ type: 'pong' });
  }
});

test('idle: the connections of a proxy are not limited', async () => {
  const { open, use } = await start({ idleConnections: 1 }, 1);
  const sockets = [await open(), await open(), await open()];
  for (const socket of sockets) expect(await use(socket)).toBe(OK);
});

test('pipelining: requests that wait on one connection beyond the limit end it, and others are served', async () => {
  const { open, use, url } = await start({ pipelinedRequests: 5 });
  const good = await open();
  const bad = await open();
  const closed = closeOf(bad);
  bad.write(HEALTH.repeat(1_000));
  await closed;
  expect(await use(good)).toBe(OK);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test('pipelining: requests within the limit, and any number one after another, are served', async () => {
  const { open, port } = await start({ pipelinedRequests: 5 });
  const socket = await open();
  let text = '';
  const all = new Promise<void>((resolve) => {
    socket.on('data', (data) => {
      text += String(data);
      if (text.split(OK).length === 6) resolve();
    });
  });
  socket.write(HEALTH.repeat(5));
  await all;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const statuses = Array.from({ length: 30 }, async () => {
    const sent = request({ port, path: '/healthz', agent }).end();
    const [response] = await once(sent, 'response');
    response.resume();
    return response.statusCode as number;
  });
  expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
});

test('idle: many that become idle in the same turn are limited as well', async () => {
  const { open, events, authorization } = await start({ idleConnections: 3 });
  const sockets: Socket[] = [];
  let started = 0;
  const all = new Promise<void>((resolve) => {
    events.on('started', () => {
      started++;
      if (started === 20) resolve();
    });
  });
  for (let i = 0; i < 20; i++) {
    const socket = await open();
    socket.write(slowRequest(authorization));
    sockets.push(socket);
  }
  await all;
  let closed = 0;
  const enough = new Promise<void>((resolve) => {
    for (const socket of sockets) {
      socket.resume().once('close', () => {
        closed++;
        if (closed === 17) resolve();
      });
    }
  });
  events.emit('finish', 'x');
  await enough;
});

test('idle: a connection whose next request is running is not closed', async () => {
  const { open, use, events, authorization } = await start({ idleConnections: 1 });
  const socket = await open();
  let text = '';
  socket.on('data', (data) => {
    text += String(data);
  });
  const started = once(events, 'started');
  socket.write(`${HEALTH}${slowRequest(authorization)}`);
  await started;
  for (let i = 0; i < 3; i++) expect(await use(await open())).toBe(OK);
  const second = once(socket, 'data');
  events.emit('finish', 'x');
  await second;
  expect(text.split(OK)).toHaveLength(3);
});

/** More than the kernel takes of a connection that is not read. */
const LARGE = Buffer.alloc(12 * 1_048_576, 'x');

test('unread: a client that takes nothing of a file is cut off, with its further requests', async () => {
  const files = [{ path: '/large', contentType: 'text/plain', body: LARGE }];
  const usage = createUserUsage({ limits: { operations: 1 } });
  const { port, events, post, authorization } = await startServer({
    files,
    usage,
    limits: { unreadMs: 200 },
  });
  const statusOf = async () => (await post({ query: '{ hello }' }, { authorization })).status;
  const silent = connect(port, '127.0.0.1');
  onTestFinished(() => void silent.destroy());
  silent.on('error', () => {});
  const started = once(events, 'started');
  silent.write(`GET /large HTTP/1.1\r\nhost: localhost\r\n\r\n${slowRequest(authorization)}`);
  await started;
  // Its place shows when the connection is closed.
  await eventually(async () => expect(await statusOf()).toBe(200));
});

test('unread: a client that sends empty lines and takes nothing is cut off', async () => {
  const files = [{ path: '/large', contentType: 'text/plain', body: LARGE }];
  const { port } = await startServer({ files, limits: { unreadMs: 500 } });
  const silent = connect(port, '127.0.0.1');
  silent.on('error', () => {});
  silent.write('GET /large HTTP/1.1\r\nhost: localhost\r\n\r\n');
  const lines = setInterval(() => silent.write('\r\n'), 20);
  onTestFinished(() => {
    clearInterval(lines);
    silent.destroy();
  });
  await new Promise((resolve) => silent.once('close', resolve));
});

test('unread: a client that takes a part of one long write is not cut off', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  // As Node has it: the length of the stream stays the same until the whole write is taken.
  const handle = { writeQueueSize: 100 };
  const socket = { writableLength: 100, _handle: handle, destroy: vi.fn() };
  const stop = cutOffUnread(socket as unknown as Socket, 1_000);
  for (let i = 0; i < 9; i++) {
    handle.writeQueueSize -= 10;
    vi.advanceTimersByTime(1_000);
  }
  expect(socket.destroy).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(socket.destroy).toHaveBeenCalledOnce();
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

test('unread: a request that takes long behind a response that was read is not cut off', async () => {
  const { open, use, events, authorization } = await start({ unreadMs: 20 });
  const socket = await open();
  const started = once(events, 'started');
  socket.write(`${HEALTH}${slowRequest(authorization)}`);
  await once(socket, 'data');
  await started;
  for (let i = 0; i < 20; i++) expect(await use(await open())).toBe(OK);
  const second = once(socket, 'data');
  events.emit('finish', 'x');
  expect(String((await second)[0])).toContain(OK);
});
