import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Bus, topic } from '../../src/bus/bus.ts';
import { eventually } from '../support/eventually.ts';
import { took } from '../support/ownTime.ts';
import { type RedisServer, redisAvailable, startRedis } from '../support/redis.ts';
import { HEARTBEAT_MS, isUp, named, openAdmin, openBus, TIMEOUT_MS } from './redisSupport.ts';
import { isOverAtOnce, listen, next } from './support.ts';

const unavailable = expect.objectContaining({ code: 'UNAVAILABLE' });
const numbers = topic<number>('numbers');
/** What a busy machine may add to a time limit. */
const SLACK_MS = 2_500;

/** Somebody else at the port of a Redis that is gone; every connection, from now on, is one attempt. */
async function openDoor(port: number, answer: (socket: Socket) => void) {
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

/** One that is to notice quickly may refuse a message on a machine that is busy just then. */
const published = (bus: Bus, n: number) => eventually(() => bus.publish(numbers, n), 1);

describe.skipIf(!redisAvailable)('the Redis bus, when Redis', () => {
  let server: RedisServer;
  beforeEach(async () => {
    server = await startRedis();
  });
  afterEach(() => server?.stop());

  test('is killed and comes back: down at once, then all is attached again, then the gap is told', async () => {
    const { bus, lines } = openBus(server);
    await isUp(bus);
    const before = await listen(bus, numbers);
    const down = next(bus, 'onDown');
    await server.kill();
    await down;
    expect(bus.up).toBe(false);
    expect(await isOverAtOnce(bus.publish(numbers, 1))).toBe(true);
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

  test('stays away: it is tried again for ever, and said once', async () => {
    const { bus, lines } = openBus(server);
    await isUp(bus);
    const downs = vi.fn();
    bus.onDown(downs);
    await server.kill();
    const door = await openDoor(server.port, (socket) => socket.destroy());
    await eventually(() => expect(door.attempts).toBeGreaterThanOrEqual(8), 10);
    expect(named(lines, 'The bus is down')).toHaveLength(1);
    expect(downs).toHaveBeenCalledTimes(1);
    await door.close();
    const gap = next(bus, 'onGap');
    await server.restart();
    await gap;
  });

  test('accepts connections but answers nothing: that is not taken for being back', async () => {
    const { bus } = openBus(server, { timeoutMs: TIMEOUT_MS });
    await isUp(bus);
    const [downs, gaps] = [vi.fn(), vi.fn()];
    bus.onDown(downs);
    bus.onGap(gaps);
    await server.kill();
    const door = await openDoor(server.port, () => {});
    await eventually(() => expect(door.attempts).toBeGreaterThanOrEqual(6), 10);
    expect([bus.up, downs.mock.calls.length, gaps.mock.calls.length]).toEqual([false, 1, 0]);
  });

  test('is not there yet: subscribing waits for nothing, and is attached when it comes', async () => {
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

  test('is there from the start: subscribing before the connection stands is attached when it resolves', async () => {
    const admin = openAdmin(server);
    const prefix = `${randomUUID()}:`;
    const { bus } = openBus(server, { prefix });
    const gaps = vi.fn();
    bus.onGap(gaps);
    await listen(bus, numbers);
    expect(await admin.pubsub('NUMSUB', `${prefix}numbers`)).toEqual([`${prefix}numbers`, 1]);
    await isUp(bus);
    expect(gaps).not.toHaveBeenCalled();
  });

  test('is there from the start: what is published before the connection stands is carried, in order', async () => {
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

  test('is stopped: a publish hangs no longer than its limit, the next ones not at all', async () => {
    const { bus } = openBus(server, { timeoutMs: TIMEOUT_MS });
    await isUp(bus);
    const inbox = await listen(bus, numbers);
    const down = next(bus, 'onDown');
    server.stopProcess();
    expect(await took(bus.publish(numbers, 1))).toBeLessThan(TIMEOUT_MS + SLACK_MS);
    await down;
    expect(await isOverAtOnce(bus.publish(numbers, 2))).toBe(true);
    const gap = next(bus, 'onGap');
    server.continueProcess();
    await gap;
    await published(bus, 3);
    // The first one hung in Redis's own buffer: it may arrive, late.
    await eventually(() => expect(inbox.received.includes(3)).toBe(true), 1);
    expect(inbox.received).not.toContain(2);
  });

  test('is stopped while nobody publishes: the heartbeat notices, and its return', async () => {
    const { bus } = openBus(server, { heartbeatMs: HEARTBEAT_MS, timeoutMs: TIMEOUT_MS });
    await isUp(bus);
    const inbox = await listen(bus, numbers);
    const down = next(bus, 'onDown');
    server.stopProcess();
    expect(await took(down)).toBeLessThan(HEARTBEAT_MS + TIMEOUT_MS + SLACK_MS);
    expect(await isOverAtOnce(bus.subscribe(numbers, () => {}))).toBe(true);
    const gap = next(bus, 'onGap');
    server.continueProcess();
    expect(await took(gap)).toBeLessThan(1_000 + TIMEOUT_MS + SLACK_MS);
    await published(bus, 1);
    await inbox.holds(1);
  });

  test('is stopped while a subscription is under way: it resolves, and is attached later', async () => {
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

  test('is stopped under a flood: 10,000 publishes wait, more are refused at once, and none that waited is lost', async () => {
    const { bus } = openBus(server, { timeoutMs: 60_000 });
    await isUp(bus);
    const inbox = await listen(bus, numbers);
    server.stopProcess();
    const waiting = Promise.allSettled(Array.from({ length: 10_000 }, (_, n) => bus.publish(numbers, n)));
    const beyond = await Promise.allSettled([bus.publish(numbers, -1), bus.publish(numbers, -2)]);
    expect(beyond).toEqual(beyond.map(() => ({ status: 'rejected', reason: unavailable })));
    expect(bus.up).toBe(true);
    server.continueProcess();
    expect((await waiting).filter(({ status }) => status === 'rejected')).toEqual([]);
    await bus.publish(numbers, 10_000);
    await inbox.holds(10_001);
    expect(inbox.received).toEqual(Array.from({ length: 10_001 }, (_, n) => n));
  });

  test('is stopped when the bus is closed: what is under way is refused, and closing does not hang', async () => {
    const { bus } = openBus(server, { timeoutMs: 60_000 });
    await isUp(bus);
    server.stopProcess();
    const underWay = [bus.publish(numbers, 1), bus.subscribe(numbers, () => {})];
    const settled = Promise.allSettled(underWay);
    expect(await took(bus.close())).toBeLessThan(SLACK_MS);
    for (const { status } of await settled) expect(status).toBe('rejected');
  });

  test('ends the subscribers’ connections: whatever was lost is followed by a gap', async () => {
    const [admin, { bus }] = [openAdmin(server), openBus(server)];
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

  test('ends a connection whose output buffer is full: a gap, and on it goes', async () => {
    const [admin, { bus }] = [openAdmin(server), openBus(server)];
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

  test('refuses a publish: UNAVAILABLE, and the bus stays up', async () => {
    const [admin, { bus }] = [openAdmin(server), openBus(server)];
    await isUp(bus);
    await admin.call('ACL', 'SETUSER', 'default', '-publish');
    const error: unknown = await bus.publish(topic<string>('texts'), 'a secret').catch((e: unknown) => e);
    expect(error).toEqual(unavailable);
    expect(inspect(error, { depth: 9 })).not.toContain('a secret');
    expect(bus.up).toBe(true);
  });

  test('refuses the password: it is down, says why once, and the password is nowhere to be read', async () => {
    const admin = openAdmin(server);
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
