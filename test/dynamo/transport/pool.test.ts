import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createPool } from '../../../src/dynamo/transport/pool.ts';
import { createTestClock } from '../../support/time/clock.ts';

/** A pool with one connection, and a server that responds when the test says so. */
async function open() {
  const clock = createTestClock();
  const waiting: ServerResponse[] = [];
  let arrived = () => {};
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      waiting.push(response);
      arrived();
    });
  });
  const { port } = await new Promise<AddressInfo>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server.address() as AddressInfo));
  });
  const pool = createPool({ connectMs: 60_000, maxSockets: 1, clock });
  onTestFinished(() => {
    pool.destroy();
    server.closeAllConnections();
    server.close();
  });
  const target = pool.server(new URL(`http://127.0.0.1:${port}`));
  return {
    clock,
    post: async (responseMs: number, until: number) => {
      const request = { server: target, headers: { host: '127.0.0.1' }, body: 'question', signal: undefined };
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
