import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Bus, topic } from '../../src/bus/bus.ts';
import { type RedisServer, redisAvailable, startRedis } from '../support/servers/redis.ts';
import { eventually } from '../support/time/eventually.ts';
import { took } from '../support/time/ownTime.ts';
import { listen, next, settlesAtOnce } from './support/bus.ts';
import { HEARTBEAT_MS, isUp, named, openAdminClient, openBus, TIMEOUT_MS } from './support/redis.ts';

const unavailable = expect.objectContaining({ code: 'UNAVAILABLE' });
const numbers = topic<number>('numbers');
/** Milliseconds that a busy machine may add to a time limit. */
const SLACK_MS = 2_500;

/** Another server on the port of a Redis that was killed. It counts the attempts to connect. */
async function listenInstead(port: number, answer: (socket: Socket) => void) {
  let attempts = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    attempts++;
    sockets.add(socket);
    socket.on('error', () => {});
    answer(socket);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  async function close(): Promise<void> {
    if (!server.listening) return;
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
  onTestFinished(close);
  return {
    close,
    get attempts() {
      return attempts;
    },
  };
}

/** Publishes, also on a busy machine, where a bus with short time limits may refuse a message at first. */
const published = (bus: Bus, n: number) => eventually(() => bus.publish(numbers, n), 1);

describe.skipIf(!redisAvailable)('createRedisBus', () => {
  let server: RedisServer;
  beforeEach(async () => {
    server = await startRedis();
  });
  afterEach(() => server?.stop());

  test('Redis is killed and restarted: the bus is down at once, then attaches all listeners, then calls onGap', async () => {
    const { bus, lines } = openBus(server);
    await isUp(bus);
    const before = await listen(bus, numbers);
    const down = next(bus, 'onDown');
    await server.kill();
    await down;
    expect(bus.up).toBe(false);
    expect(await settlesAtOnce(bus.publish(numbers, 1))).toBe(true);
    await expect(bus.publish(numbers, 1)).rejects.toEqual(unavailable);
    const meanwhile = await listen(bus, numbers);
    const left = await listen(bus, numbers);
    left.detach();

    // The listener of the gap is the first that may publish; both must already be attached.
    const published = next(bus, 'onGap').then(() => bus.publish(numbers, 2));
    await server.restart();
    await published;
    await Promise.all([before.holds(1), meanwhile.holds(1)]);
    expect([before.received, meanwhile.received, left.received]).toEqual([[2], [2], []]);
    expect([named(lines, 'The bus is down'), named(lines, 'The bus is up again')]).toEqual([
      [expect.objectContaining({ reason: expect.any(String) })],
      [expect.anything()],
    ]);
  });

  test('Redis stays down: the bus keeps trying to connect, and logs it once', async () => {
    const { bus, lines } = openBus(server);
    await isUp(bus);
    const downs = vi.fn();
    bus.onDown(downs);
    await server.kill();
    const impostor = await listenInstead(server.port, (socket) => socket.destroy());
    await eventually(() => expect(impostor.attempts).toBeGreaterThanOrEqual(8), 10);
    expect(named(lines, 'The bus is down')).toHaveLength(1);
    expect(downs).toHaveBeenCalledTimes(1);
    await impostor.close();
    const gap = next(bus, 'onGap');
    await server.restart();
    await gap;
  });

  test('Redis accepts connections without answering: the bus stays down', async () => {
    const { bus } = openBus(server, { timeoutMs: TIMEOUT_MS });
    await isUp(bus);
    const [downs, gaps] = [vi.fn(), vi.fn()];
    bus.onDown(downs);
    bus.onGap(gaps);
    await server.kill();
    const impostor = await listenInstead(server.port, () => {});
    await eventually(() => expect(impostor.attempts).toBeGreaterThanOrEqual(6), 10);
    expect([bus.up, downs.mock.calls.length, gaps.mock.calls.length]).toEqual([false, 1, 0]);
  });

  test('Redis is down at first: subscribe resolves at once, and the listener is attached later', async () => {
    await server.kill();
    const { bus } = openBus(server);
    const down = next(bus, 'onDown');
    const inbox = await listen(bus, numbers);
    await down;
    expect(bus.up).toBe(false);
    await expect(bus.publish(numbers, 1)).rejects.toEqual(unavailable);
    const gap = next(bus, 'onGap');
    await server.restart();
    await gap;
    await bus.publish(numbers, 2);
    await inbox.holds(1);
    expect(inbox.received).toEqual([2]);
  });

  test('Redis is up: a subscribe before the connection is made resolves when the listener is attached', async () => {
    const admin = openAdminClient(server);
    const prefix = `${randomUUID()}:`;
    const { bus } = openBus(server, { prefix });
    const gaps = vi.fn();
    bus.onGap(gaps);
    await listen(bus, numbers);
    expect(await admin.pubsub('NUMSUB', `${prefix}numbers`)).toEqual([`${prefix}numbers`, 1]);
    await isUp(bus);
    expect(gaps).not.toHaveBeenCalled();
  });

  test('Redis is up: messages published before the connection is made are delivered in order', async () => {
    const prefix = `${randomUUID()}:`;
    const { bus: there } = openBus(server, { prefix });
    const inbox = await listen(there, numbers);
    const { bus: here } = openBus(server, { prefix });
    const sent = Array.from({ length: 100 }, (_, n) => n);
    const accepted = sent.map((n) => here.publish(numbers, n));
    await isUp(here);
    await Promise.all([...accepted, here.publish(numbers, 100)]);
    await inbox.holds(101);
    expect(inbox.received).toEqual([...sent, 100]);
  });

  test('Redis is stopped: a publish rejects within its time limit, and later ones at once', async () => {
    const { bus } = openBus(server, { timeoutMs: TIMEOUT_MS });
    await isUp(bus);
    const inbox = await listen(bus, numbers);
    const down = next(bus, 'onDown');
    server.stopProcess();
    expect(await took(bus.publish(numbers, 1))).toBeLessThan(TIMEOUT_MS + SLACK_MS);
    await down;
    expect(await settlesAtOnce(bus.publish(numbers, 2))).toBe(true);
    const gap = next(bus, 'onGap');
    server.continueProcess();
    await gap;
    await published(bus, 3);
    // The first message is in Redis's buffer, and may still arrive.
    await eventually(() => expect(inbox.received.includes(3)).toBe(true), 1);
    expect(inbox.received).not.toContain(2);
  });

  test('Redis is stopped while no message is published: the heartbeat finds it, and finds when it is back', async () => {
    const { bus } = openBus(server, { heartbeatMs: HEARTBEAT_MS, timeoutMs: TIMEOUT_MS });
    await isUp(bus);
    const inbox = await listen(bus, numbers);
    const down = next(bus, 'onDown');
    server.stopProcess();
    expect(await took(down)).toBeLessThan(HEARTBEAT_MS + TIMEOUT_MS + SLACK_MS);
    expect(await settlesAtOnce(bus.subscribe(numbers, () => {}))).toBe(true);
    const gap = next(bus, 'onGap');
    server.continueProcess();
    expect(await took(gap)).toBeLessThan(1_000 + TIMEOUT_MS + SLACK_MS);
    await published(bus, 1);
    await inbox.holds(1);
  });

  test('Redis is stopped during a subscribe: it resolves, and the listener is attached later', async () => {
    const { bus } = openBus(server, { timeoutMs: TIMEOUT_MS });
    await isUp(bus);
    server.stopProcess();
    const down = next(bus, 'onDown');
    const inbox = await listen(bus, numbers);
    await down;
    const gap = next(bus, 'onGap');
    server.continueProcess();
    await gap;
    await published(bus, 1);
    await inbox.holds(1);
  });

  test('Redis is stopped during many publishes: 10,000 wait, more reject at once, and none of the waiting is lost', async () => {
    const { bus } = openBus(server, { timeoutMs: 60_000 });
    await isUp(bus);
    const inbox = await listen(bus, numbers);
    server.stopProcess();
    const waiting = Promise.allSettled(Array.from({ length: 10_000 }, (_, n) => bus.publish(numbers, n)));
    const refused = await Promise.allSettled([bus.publish(numbers, -1), bus.publish(numbers, -2)]);
    expect(refused).toEqual(refused.map(() => ({ status: 'rejected', reason: unavailable })));
    expect(bus.up).toBe(true);
    server.continueProcess();
    expect((await waiting).filter(({ status }) => status === 'rejected')).toEqual([]);
    await bus.publish(numbers, 10_000);
    await inbox.holds(10_001);
    expect(inbox.received).toEqual(Array.from({ length: 10_001 }, (_, n) => n));
  });

  test('Redis is stopped when the bus is closed: running calls reject, and close does not hang', async () => {
    const { bus } = openBus(server, { timeoutMs: 60_000 });
    await isUp(bus);
    server.stopProcess();
    const running = [bus.publish(numbers, 1), bus.subscribe(numbers, () => {})];
    const settled = Promise.allSettled(running);
    expect(await took(bus.close())).toBeLessThan(SLACK_MS);
    for (const { status } of await settled) expect(status).toBe('rejected');
  });

  test('Redis drops the subscribers’ connections: onGap is called after messages were lost', async () => {
    const [admin, { bus }] = [openAdminClient(server), openBus(server)];
    await isUp(bus);
    const inbox = await listen(bus, numbers);
    const missedAtGap: number[] = [];
    let sent = 0;
    const gap = next(bus, 'onGap').then(() => missedAtGap.push(sent - inbox.received.length));
    for (; sent < 300; sent++) {
      await bus.publish(numbers, sent).catch(() => {});
      if (sent === 100) await admin.client('KILL', 'TYPE', 'pubsub');
    }
    await gap;
    expect(missedAtGap[0]).toBeGreaterThan(0);
    await bus.publish(numbers, -1);
    await eventually(() => expect(inbox.received.at(-1) === -1).toBe(true), 1);
  });

  test('Redis drops a connection with a full output buffer: onGap is called, and later messages arrive', async () => {
    const [admin, { bus }] = [openAdminClient(server), openBus(server)];
    await isUp(bus);
    await admin.config('SET', 'client-output-buffer-limit', 'pubsub 64kb 0 0');
    const texts = topic<string>('texts');
    const inbox = await listen(bus, texts);
    const gap = next(bus, 'onGap');
    await bus.publish(texts, 'x'.repeat(200_000));
    await gap;
    await bus.publish(texts, 'small');
    await inbox.holds(1);
    expect(inbox.received).toEqual(['small']);
  });

  test('Redis becomes a replica: the bus is down until it is the primary again, and then calls onGap', async () => {
    const { bus, lines } = openBus(server, { heartbeatMs: HEARTBEAT_MS });
    await isUp(bus);
    const inbox = await listen(bus, numbers);
    const [down, gap] = [next(bus, 'onDown'), next(bus, 'onGap')];
    // Nothing is there. A failover leaves the connections of clients open as well.
    await server.command('REPLICAOF 127.0.0.1 9');
    await down;
    await eventually(() => expect(bus.publish(numbers, 1)).rejects.toEqual(unavailable));
    expect(lines.at(-1)).toMatchObject({ reason: 'This Redis is a replica, not the primary.' });
    await server.command('REPLICAOF NO ONE');
    await gap;
    await bus.publish(numbers, 2);
    await inbox.holds(1);
    expect(inbox.received).toEqual([2]);
  });

  test('Redis forbids ROLE: the bus works, and PING shows that Redis responds', async () => {
    const admin = openAdminClient(server);
    await admin.call('ACL', 'SETUSER', 'default', '-role');
    const { bus, lines } = openBus(server, { heartbeatMs: HEARTBEAT_MS });
    await isUp(bus);
    const inbox = await listen(bus, numbers);
    await bus.publish(numbers, 1);
    await inbox.holds(1);
    const down = next(bus, 'onDown');
    await server.kill();
    await down;
    expect(named(lines, 'The bus is down')).toHaveLength(1);
  });

  test('Redis refuses a publish: it rejects with UNAVAILABLE, and the bus stays up', async () => {
    const [admin, { bus }] = [openAdminClient(server), openBus(server)];
    await isUp(bus);
    await admin.call('ACL', 'SETUSER', 'default', '-publish');
    const error: unknown = await bus.publish(topic<string>('texts'), 'a secret').catch((e: unknown) => e);
    expect(error).toEqual(unavailable);
    expect(inspect(error, { depth: 9 })).not.toContain('a secret');
    expect(bus.up).toBe(true);
  });

  test('Redis refuses the password: the bus is down, logs the reason once, and never logs the password', async () => {
    const admin = openAdminClient(server);
    await admin.config('SET', 'requirepass', 'right');
    const url = `redis://:wrong-secret@127.0.0.1:${server.port}`;
    const { bus, lines } = openBus({ url });
    await next(bus, 'onDown');
    await expect(bus.publish(numbers, 1)).rejects.toEqual(unavailable);
    const error: unknown = await bus.publish(numbers, 1).catch((e: unknown) => e);
    expect(inspect(error, { depth: 9 })).not.toContain('wrong-secret');
    expect(lines).toEqual([expect.objectContaining({ reason: expect.stringContaining('WRONGPASS') })]);
    expect(JSON.stringify(lines)).not.toContain('wrong-secret');
  });
});
