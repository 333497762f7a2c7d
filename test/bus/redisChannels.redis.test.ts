import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Bus, topic } from '../../src/bus/bus.ts';
import { programFile } from '../support/builds/build.ts';
import { type RedisServer, redisAvailable, startRedis } from '../support/servers/redis.ts';
import { eventually } from '../support/time/eventually.ts';
import { type LogLine, listen, next } from './support/bus.ts';
import { isUp, named, openAdminClient, openBus } from './support/redis.ts';

const numbers = topic<number>('numbers');

describe.skipIf(!redisAvailable)('createRedisChannels', () => {
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
    admin = openAdminClient(server);
    ({ bus, lines } = openBus(server, { prefix }));
    await isUp(bus);
  });

  /** The number of connections that are subscribed to the topic. */
  const subscribers = async () => (await admin.pubsub('NUMSUB', `${prefix}numbers`))[1];
  const commands = async (name: string) => {
    const stats = await admin.info('commandstats');
    return Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
  };

  test('createRedisChannels: a channel is subscribed once for all listeners, and unsubscribed with the last one', async () => {
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

  test('createRedisChannels: a channel stays subscribed if its listener is replaced at once', async () => {
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

  test('createRedisChannels: 1,000 channels in one turn take at most 3 commands, and are subscribed again after a lost connection', async () => {
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

  test('createRedisBus: buses with different prefixes do not receive each other’s messages', async () => {
    const { bus: other } = openBus(server);
    const [here, there] = await Promise.all([listen(bus, numbers), listen(other, numbers)]);
    await isUp(other);
    await bus.publish(numbers, 1);
    await other.publish(numbers, 2);
    await Promise.all([here.holds(1), there.holds(1)]);
    expect([here.received, there.received]).toEqual([[1], [2]]);
  });

  test('createRedisChannels: a message is parsed once for all listeners', async () => {
    const objects = topic<{ readonly n: number }>('objects');
    const inboxes = await Promise.all([listen(bus, objects), listen(bus, objects), listen(bus, objects)]);
    await bus.publish(objects, { n: 1 });
    await Promise.all(inboxes.map((inbox) => inbox.holds(1)));
    expect(new Set(inboxes.map(({ received }) => received[0])).size).toBe(1);
  });

  test('createRedisChannels: a message that is not JSON is logged once, and later ones are delivered', async () => {
    const inbox = await listen(bus, numbers);
    await admin.publish(`${prefix}numbers`, '{"torn":');
    await admin.publish(`${prefix}numbers`, '');
    await admin.publish(`${prefix}numbers`, '1');
    await inbox.holds(1);
    expect(inbox.received).toEqual([1]);
    expect(named(lines, 'A message on the bus is not JSON; ignored')).toHaveLength(1);
  });

  test('close: leaves nothing open, so the process ends', async () => {
    const child = spawn(process.execPath, [await programFile('openAndClose'), server.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    // Every timer of the bus takes an hour, so none was left running.
    expect(await exited).toEqual([0, null]);
  });
});
