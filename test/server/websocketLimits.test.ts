import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { CloseCode } from '../../src/server/websocket/closeCodes.ts';
import { eventually } from '../support/time/eventually.ts';
import { gauge, startServer } from './support/server.ts';

describe('limits of websockets', () => {
  test('operations: more than the limit close the websocket with 4429, and others stay open', async () => {
    const { session, events } = await startServer({ limits: { operationsPerSocket: 3 } });
    events.setMaxListeners(0);
    const [over, within] = [await session(), await session()];
    for (const id of ['1', '2', '3', '4']) over.subscribe(id, 'subscription { ticks }');
    expect((await over.closed).code).toBe(CloseCode.TooManyRequests);
    await eventually(() => expect(events.listenerCount('tick')).toBe(0));
    within.subscribe('1', '{ hello }');
    expect(await within.next()).toMatchObject({ payload: { data: { hello: 'world' } } });
  });

  test('operations: those that have ended do not count', async () => {
    const { session } = await startServer({ limits: { operationsPerSocket: 2 } });
    const socket = await session();
    for (let i = 0; i < 10; i++) {
      socket.subscribe(String(i), '{ hello }');
      await socket.next();
      await socket.next();
    }
    expect(socket.raw.readyState).toBe(socket.raw.OPEN);
  });

  test('websockets: more than the limit are refused with 503 until another closes', async () => {
    const server = await startServer({ limits: { sockets: 2 } });
    const [first] = [await server.socket(), await server.socket()];
    await expect(server.socket()).rejects.toThrow('503');
    first?.raw.close();
    await eventually(async () => expect(await gauge(server, 'tsudoi_open_sockets')).toBe(1));
    await server.socket();
  });

  test('backpressure: a subscription waits for a client that does not read', async () => {
    const { session, events } = await startServer();
    let sent = 0;
    events.on('flooded', (count: number) => {
      sent = count;
    });
    const socket = await session();
    socket.raw.pause();
    socket.subscribe('1', 'subscription { flood }');
    await untilStable(() => sent);
    // The kernel's buffers on both sides and our own 64 KiB are full.
    expect(sent).toBeLessThan(1_000);
    const before = sent;
    socket.raw.resume();
    await eventually(() => expect(sent).toBeGreaterThan(before + 100));
    // The server notices that the client has disconnected, although the source always has more.
    const unsubscribed = once(events, 'unsubscribed');
    socket.raw.terminate();
    await unsubscribed;
  });

  test('backpressure: a client that does not read its answers is cut off, and others stay open', async () => {
    const { session } = await startServer({ limits: { stalledBytes: 1_048_576 } });
    const [stalled, good] = [await session(), await session()];
    stalled.raw.pause();
    const text = 'x'.repeat(10_000);
    for (let i = 0; i < 40; i++)
      stalled.subscribe(`s${i}`, '{ echo(text: $t, times: 25) }'.replace('$t', `"${text}"`));
    for (let i = 0; i < 40; i++)
      stalled.subscribe(`t${i}`, '{ echo(text: $t, times: 25) }'.replace('$t', `"${text}"`));
    await eventually(() => {
      stalled.send({ type: 'ping' });
      expect(stalled.raw.readyState).not.toBe(stalled.raw.OPEN);
    });
    good.subscribe('1', '{ hello }');
    expect(await good.next()).toMatchObject({ payload: { data: { hello: 'world' } } });
  });

  test('pong: says so if no events reach this server', async () => {
    let up = true;
    const server = await startServer({ receivesEvents: () => up });
    const socket = await server.session();
    socket.send({ type: 'ping' });
    expect(await socket.next()).toEqual({ type: 'pong' });
    up = false;
    socket.send({ type: 'ping' });
    expect(await socket.next()).toEqual({ type: 'pong', payload: { live: false } });
    // A client that expects its own payload gets it.
    socket.send({ type: 'ping', payload: { n: 1 } });
    expect(await socket.next()).toEqual({ type: 'pong', payload: { n: 1 } });
  });

  test('ping: a client that does not answer is cut off within two pings', async () => {
    const server = await startServer({ limits: { pingMs: 200 } });
    const [silent] = [await server.session(), await server.session()];
    silent.raw.pause();
    await eventually(async () => expect(await gauge(server, 'tsudoi_open_sockets')).toBe(1));
    // What it reads now are the pings that it left unanswered.
    let pings = 0;
    silent.raw.on('ping', () => pings++);
    silent.raw.resume();
    await silent.closed;
    expect(pings).toBe(1);
  });

  test('ping: a client that answers stays connected', async () => {
    const server = await startServer({ limits: { pingMs: 100 } });
    const socket = await server.session();
    let pings = 0;
    await new Promise<void>((resolve) => socket.raw.on('ping', () => ++pings === 4 && resolve()));
    expect(await gauge(server, 'tsudoi_open_sockets')).toBe(1);
  });

  test('ping: a client that answers while the server is blocked stays connected', async () => {
    const pingMs = 50;
    const server = await startServer({ limits: { pingMs } });
    const socket = await server.session();
    await new Promise<void>((resolve, reject) => {
      void socket.closed.then(({ code }) => reject(new Error(`closed with ${code}`)));
      let pings = 0;
      socket.raw.on('ping', () => {
        // The answer was sent, but its time limit passes before the server, in this same process, reads it.
        const until = performance.now() + 2 * pingMs;
        while (performance.now() < until);
        if (++pings === 3) resolve();
      });
    });
    expect(await gauge(server, 'tsudoi_open_sockets')).toBe(1);
  });
});

/** Resolves when a number has stopped changing. */
async function untilStable(read: () => number): Promise<void> {
  let last = -1;
  await eventually(() => {
    const now = read();
    const stable = now > 0 && now === last;
    last = now;
    expect(stable).toBe(true);
  }, 200);
}
