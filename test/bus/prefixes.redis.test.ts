/** A bus goes from one prefix to another, and no message is lost. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { topic } from '../../src/bus/bus.ts';
import { createRedisBus } from '../../src/bus/redis/bus.ts';
import { patientLimits, type RedisServer, redisAvailable, startRedis } from '../support/servers/redis.ts';
import { eventually } from '../support/time/eventually.ts';
import { recordingLog } from './support/bus.ts';
import { isUp, openAdminClient } from './support/redis.ts';

const news = topic<number>('news');

describe.skipIf(!redisAvailable)('createRedisBus', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.stop());

  const openAt = (prefix: string) => {
    const bus = createRedisBus({ url: server.url, prefix, log: recordingLog().log, ...patientLimits });
    onTestFinished(() => bus.close());
    return bus;
  };

  test('listenTo, publishWith: the bus receives with both prefixes, also after another connection', async () => {
    const [one, two] = [`${randomUUID()}:`, `${randomUUID()}:`];
    const [a, b, other] = [openAt(one), openAt(one), openAt(two)];
    await isUp(a, b, other);
    const received: number[] = [];
    let gaps = 0;
    b.onGap(() => gaps++);
    await b.subscribe(news, (payload) => received.push(payload));
    await other.publish(news, 1);
    await b.listenTo(two);
    await other.publish(news, 2);
    await a.publish(news, 3);
    a.publishWith(two);
    await a.publish(news, 4);
    await eventually(() => expect([...received].sort()).toEqual([2, 3, 4]));
    expect(gaps).toBe(0);
    // A listener that came later.
    const later: number[] = [];
    await b.subscribe(topic<number>('later'), (payload) => later.push(payload));
    await a.publish(topic<number>('later'), 5);
    await eventually(() => expect(later).toEqual([5]));

    // It is on its way to the other prefix still.
    await server.command('CLIENT KILL TYPE pubsub');
    await eventually(() => expect(gaps).toBe(1));
    await a.publish(news, 6);
    await openAtAndPublish(one, 7);
    await eventually(() => expect([...received].sort()).toEqual([2, 3, 4, 6, 7]));
    b.publishWith(two);
    await server.command('CLIENT KILL TYPE pubsub');
    await eventually(() => expect(gaps).toBe(2));
    await openAtAndPublish(one, 8);
    await a.publish(news, 9);
    await eventually(() => expect([...received].sort()).toEqual([2, 3, 4, 6, 7, 9]));
  });

  test('forget: the bus does not receive with the other prefix any more, and with its own as before', async () => {
    const [one, two] = [`${randomUUID()}:`, `${randomUUID()}:`];
    const [a, other] = [openAt(one), openAt(two)];
    await isUp(a, other);
    const received: number[] = [];
    let gaps = 0;
    a.onGap(() => gaps++);
    await a.subscribe(news, (payload) => received.push(payload));
    const admin = openAdminClient(server);
    const subscribers = async () => (await admin.pubsub('NUMSUB', `${two}news`))[1];
    await a.listenTo(two);
    expect(await subscribers()).toBe(1);
    await a.forget(two);
    expect(await subscribers()).toBe(0);
    await other.publish(news, 1);
    // The one that it uses.
    await a.forget(one);
    await a.publish(news, 2);
    await eventually(() => expect(received).toEqual([2]));
    await server.command('CLIENT KILL TYPE pubsub');
    await eventually(() => expect(gaps).toBe(1));
    await other.publish(news, 3);
    await a.publish(news, 4);
    await eventually(() => expect(received).toEqual([2, 4]));
    await a.listenTo(two);
    await other.publish(news, 5);
    await eventually(() => expect(received).toEqual([2, 4, 5]));
  });

  async function openAtAndPublish(prefix: string, payload: number): Promise<void> {
    const bus = openAt(prefix);
    await isUp(bus);
    await bus.publish(news, payload);
  }
});
