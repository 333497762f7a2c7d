import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Bus, topic } from '../../src/bus/bus.ts';
import { programFile } from '../support/build.ts';
import { eventually } from '../support/eventually.ts';
import { type RedisServer, redisAvailable, startRedis } from '../support/redis.ts';
import { isUp, named, openAdmin, openBus } from './redisSupport.ts';
import { type LogLine, listen, next } from './support.ts';

const numbers = topic<number>('numbers');

describe.skipIf(!redisAvailable)('the channels of the Redis bus', () => {
  let server: RedisServer;
  let admin: Redis;
  let bus: Bus;
  let lines: LogLine[];
  let prefix: string;

  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    prefix = `${randomUUID()}:`;
    admin = openAdmin(server);
    ({ bus, lines } = openBus(server, { prefix }));
    await isUp(bus);
  });

  /** How many connections hear the topic. */
  const subscribers = async () => (await admin.pubsub('NUMSUB', `${prefix}numbers`))[1];
  const commands = async (name: string) => {
    const stats = await admin.info('commandstats');
    return Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
  };

  test('are subscribed once, however many listen, and left with the last of them', async () => {
    const inboxes = await Promise.all([listen(bus, numbers), listen(bus, numbers), listen(bus, numbers)]);
    expect(await subscribers()).toBe(1);
    const { bus: other } = openBus(server, { prefix });
    const there = await listen(other, numbers);
    expect(await subscribers()).toBe(2);
    for (const { detach } of inboxes.slice(1)) detach();
    await bus.publish(numbers, 1);
    await Promise.all([there.holds(1), inboxes[0]?.holds(1)]);
    expect(await subscribers()).toBe(2);
    inboxes[0]?.detach();
    inboxes[0]?.detach();
    await eventually(async () => expect(await subscribers()).toBe(1));
    there.detach();
    await eventually(async () => expect(await subscribers()).toBe(0));
  });

  test('that are left and taken again at once stay subscribed', async () => {
    let inbox = await listen(bus, numbers);
    for (let n = 0; n < 100; n++) {
      inbox.detach();
      if (n % 3 === 0) await Promise.resolve();
      if (n % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
      inbox = await listen(bus, numbers);
    }
    expect(await subscribers()).toBe(1);
    await bus.publish(numbers, 1);
    await inbox.holds(1);
  });

  test('that are asked for in one turn are subscribed in few commands, and again after a break', async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => topic<number>(`many:${n}`));
    const before = await commands('subscribe');
    const inboxes = await Promise.all(many.map((each) => listen(bus, each)));
    expect((await commands('subscribe')) - before).toBeLessThanOrEqual(3);
    const gap = next(bus, 'onGap');
    await admin.client('KILL', 'TYPE', 'pubsub');
    await gap;
    expect(await admin.pubsub('CHANNELS', `${prefix}*`)).toHaveLength(1_000);
    await Promise.all(many.map((each, n) => bus.publish(each, n)));
    await Promise.all(inboxes.map((inbox) => inbox.holds(1)));
    expect(inboxes.map(({ received }) => received)).toEqual(many.map((_, n) => [n]));
  });

  test('are of one prefix: two tables on one Redis do not hear each other', async () => {
    const { bus: stranger } = openBus(server);
    const [here, there] = await Promise.all([listen(bus, numbers), listen(stranger, numbers)]);
    await isUp(stranger);
    await bus.publish(numbers, 1);
    await stranger.publish(numbers, 2);
    await Promise.all([here.holds(1), there.holds(1)]);
    expect([here.received, there.received]).toEqual([[1], [2]]);
  });

  test('parse a message once for all who listen', async () => {
    const objects = topic<{ readonly n: number }>('objects');
    const inboxes = await Promise.all([listen(bus, objects), listen(bus, objects), listen(bus, objects)]);
    await bus.publish(objects, { n: 1 });
    await Promise.all(inboxes.map((inbox) => inbox.holds(1)));
    expect(new Set(inboxes.map(({ received }) => received[0])).size).toBe(1);
  });

  test('on which something else than JSON comes are logged once, and go on', async () => {
    const inbox = await listen(bus, numbers);
    await admin.publish(`${prefix}numbers`, '{"torn":');
    await admin.publish(`${prefix}numbers`, '');
    await admin.publish(`${prefix}numbers`, '1');
    await inbox.holds(1);
    expect(inbox.received).toEqual([1]);
    expect(named(lines, 'A message on the bus is not JSON; ignored')).toHaveLength(1);
  });

  test('leave nothing open when the bus is closed: a program that did so ends', async () => {
    const child = spawn(process.execPath, [await programFile('openAndClose'), server.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    const closed = performance.now();
    expect(await exited).toEqual([0, null]);
    // Less than any timer of the bus: none was left to run out.
    expect(performance.now() - closed).toBeLessThan(30_000);
  });
});
