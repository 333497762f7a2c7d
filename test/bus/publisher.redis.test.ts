import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { resyncTopic, topic } from '../../src/bus/bus.ts';
import { createPublisher } from '../../src/bus/publisher.ts';
import { type RedisServer, redisAvailable, startRedis } from '../support/servers/redis.ts';
import { eventually } from '../support/time/eventually.ts';
import { took } from '../support/time/ownTime.ts';
import { listen, next, recordingLog } from './support/bus.ts';
import { isUp, openAdminClient, openBus, TIMEOUT_MS } from './support/redis.ts';

const numbers = topic<number>('numbers');

describe.skipIf(!redisAvailable)('createPublisher on Redis', () => {
  let server: RedisServer;
  beforeEach(async () => {
    server = await startRedis();
  });
  afterEach(() => server?.stop());

  test('createPublisher: waits for one time limit, not one per message, if Redis is stopped', async () => {
    const { bus } = openBus(server, { timeoutMs: TIMEOUT_MS });
    const onFailure = vi.fn();
    const publisher = createPublisher({ bus, log: recordingLog().log, onFailure });
    onTestFinished(() => publisher.stop());
    await isUp(bus);
    server.stopProcess();
    const publishing = async () => {
      for (let n = 0; n < 500; n++) await publisher.publish(numbers, n);
    };
    expect(await took(publishing())).toBeLessThan(TIMEOUT_MS + 1_000);
    expect(onFailure).toHaveBeenCalledTimes(500);
  });

  test('createPublisher: publishes a resync after it alone lost its connection, so other servers read again', async () => {
    const admin = openAdminClient(server);
    const prefix = `${randomUUID()}:`;
    const { bus: here } = openBus(server, { prefix });
    await isUp(here);
    const clients = String(await admin.client('LIST'));
    const id = /^id=(\d+) .*name=tsudoi-publish /m.exec(clients)?.[1] ?? '';
    const { bus: there } = openBus(server, { prefix });
    await isUp(there);
    const gaps = vi.fn();
    there.onGap(gaps);
    const [resyncs, inbox] = [await listen(there, resyncTopic), await listen(there, numbers)];
    const onFailure = vi.fn();
    const publisher = createPublisher({ bus: here, log: recordingLog().log, onFailure });
    onTestFinished(() => publisher.stop());

    const down = next(here, 'onDown');
    await admin.client('KILL', 'ID', id);
    await down;
    await publisher.publish(numbers, 1);
    expect(onFailure).toHaveBeenCalledTimes(1);
    await resyncs.holds(1);
    await eventually(async () => {
      await publisher.publish(numbers, 2);
      expect(inbox.received).toContain(2);
    });
    expect(inbox.received).not.toContain(1);
    expect(gaps).not.toHaveBeenCalled();
  });
});
