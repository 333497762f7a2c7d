import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createPool } from '../../../src/dynamo/transport/pool.ts';
import { createTestClock } from '../../support/time/clock.ts';

/** A pool with one connection by default, and a server that responds when the test says so. */
async function open(options: { readonly maxSockets?: number; readonly maxPerCaller?: number } = {}) {
  const clock = createTestClock();
  const waiting: ServerResponse[] = [];
  let arrived = () => {};
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      waiting.push(response);
      arrived();
    });
  });
  let connections = 0;
  server.on('connection', () => connections++);
  const { port } = await new Promise<AddressInfo>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server.address() as AddressInfo));
  });
  const pool = createPool({ connectMs: 60_000, maxSockets: 1, clock, ...options });
  onTestFinished(() => {
    pool.destroy();
    server.closeAllConnections();
    server.close();
  });
  const target = pool.server(new URL(`http://127.0.0.1:${port}`));
  const opened = {
    clock,
    connections: () => connections,
    /** Sends some at once, and responds to all. Their connections are then idle. */
    async use(count: number): Promise<void> {
      const posts = Array.from({ length: count }, () => opened.post(1_000, 20_000));
      for (const _ of posts) (await opened.next()).end('alive');
      await Promise.all(posts);
      clock.advance(1);
    },
    /** A request that gets no response in its time. `meanwhile` runs while it waits. */
    async loseOne(meanwhile = async () => {}): Promise<void> {
      const lost = opened.post(1_000, 20_000);
      await opened.next();
      await meanwhile();
      clock.advance(1_000);
      await expect(lost).rejects.toMatchObject({ name: 'TimeoutError' });
    },
    post: async (responseMs: number, until: number, caller?: string) => {
      const request = {
        server: target,
        headers: { host: '127.0.0.1' },
        body: 'question',
        signal: undefined,
        caller,
      };
      return (await pool.post({ ...request, responseMs, until })).body.toString();
    },
    /** Resolves when the server has another request to respond to. */
    async next(): Promise<ServerResponse> {
      while (waiting.length === 0) {
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
      }
      return waiting.shift() as ServerResponse;
    },
  };
  return opened;
}

test('pool: a request that waits for a connection has all of its time when it gets one', async () => {
  const { clock, post, next } = await open();
  const first = post(10_000, 10_000);
  const second = post(1_000, 10_000);
  const response = await next();
  clock.advance(5_000);
  response.end('first');
  expect(await first).toBe('first');
  const other = await next();
  clock.advance(999);
  other.end('second');
  expect(await second).toBe('second');
});

test('pool: a request fails if there is no response in its time, and the next one gets a new connection', async () => {
  const { clock, post, next } = await open();
  const first = post(1_000, 10_000);
  await next();
  clock.advance(1_000);
  await expect(first).rejects.toMatchObject({ name: 'TimeoutError' });
  const second = post(1_000, 10_000);
  (await next()).end('second');
  expect(await second).toBe('second');
});

test('pool: if a used connection is dead, so may be those that were idle meanwhile: one request fails', async () => {
  const { use, loseOne, connections } = await open({ maxSockets: 3 });
  await use(3);
  await loseOne();
  await use(1);
  expect(connections()).toBe(4);
});

test('pool: a connection that has worked while another one was waiting is kept', async () => {
  const { use, loseOne, connections } = await open({ maxSockets: 2 });
  await use(2);
  await loseOne(() => use(1));
  await use(1);
  expect(connections()).toBe(2);
});

test('pool: a server that is slow from the beginning costs no other connection', async () => {
  const { use, loseOne, connections } = await open({ maxSockets: 2 });
  await loseOne(() => use(1));
  await use(1);
  expect(connections()).toBe(2);
});

test('pool: a request that gets no connection fails at its deadline', async () => {
  const { clock, post, next } = await open();
  const first = post(60_000, 60_000);
  const second = post(1_000, 2_500);
  const response = await next();
  clock.advance(2_500);
  await expect(second).rejects.toMatchObject({ name: 'TimeoutError' });
  response.end('first');
  expect(await first).toBe('first');
});

test('pool: a response that has arrived while the process was busy is not late', async () => {
  const { clock, post, next } = await open();
  const first = post(1_000, 10_000);
  const response = await next();
  // As after a turn that took too long: when timers are called, the response is there, but was not read yet.
  await new Promise<void>((resolve) => setTimeout(resolve, 0));
  response.end('first');
  clock.advance(1_000);
  expect(await first).toBe('first');
});

test('pool: no timer is left when the response is there', async () => {
  const { clock, post, next } = await open();
  const first = post(1_000, 10_000);
  (await next()).end('first');
  await first;
  expect(clock.waiting).toBe(0);
});

test('pool: requests that wait are sent in turns of the users, however many one of them has', async () => {
  const { post, next } = await open();
  const order: string[] = [];
  const send = async (caller: string) => {
    await post(60_000, 60_000, caller);
    order.push(caller);
  };
  const all = [...Array.from({ length: 5 }, () => send('eve')), send('aki'), send('ben')];
  for (const _ of all) (await next()).end();
  await Promise.all(all);
  // The first one had the connection before the others came.
  expect(order).toEqual(['eve', 'eve', 'aki', 'ben', 'eve', 'eve', 'eve']);
});

test('pool: the requests of one user occupy only some of the connections', async () => {
  const { post, next } = await open({ maxSockets: 3, maxPerCaller: 2 });
  const ofEve = Array.from({ length: 4 }, () => post(60_000, 60_000, 'eve'));
  const held = [await next(), await next()];
  const ofAki = post(60_000, 60_000, 'aki');
  (await next()).end('aki');
  expect(await ofAki).toBe('aki');
  for (const response of held) response.end('eve');
  for (let i = 0; i < 2; i++) (await next()).end('eve');
  expect(await Promise.all(ofEve)).toEqual(['eve', 'eve', 'eve', 'eve']);
});

test('pool: a request that failed gives its place to another one of the same user', async () => {
  const { clock, post, next } = await open({ maxSockets: 2, maxPerCaller: 1 });
  const first = post(1_000, 10_000, 'eve');
  await next();
  const second = post(9_000, 10_000, 'eve');
  clock.advance(1_000);
  await expect(first).rejects.toMatchObject({ name: 'TimeoutError' });
  (await next()).end('second');
  expect(await second).toBe('second');
});
