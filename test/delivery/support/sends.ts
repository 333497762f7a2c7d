import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { openTestDynamo, type TestDynamo } from '../../support/database/dynamo.ts';
import { openTimers } from '../../timers/support/timers.ts';
import { type PushService, startPushService } from './pushService.ts';
import { createSender, nextSend, type SenderOptions } from './sending.ts';

const LONG_MS = 100 * 24 * 3_600_000;

/**
 * Processes that send from one table to two push services, which are new for each test. To be called once in a file,
 * outside its tests.
 */
export function useSends() {
  let startAt = Date.now();
  let database: TestDynamo;
  let services: PushService[] = [];
  let running: Array<ReturnType<typeof createSender>> = [];
  beforeAll(async () => {
    database = await openTestDynamo({ file: true });
  });
  afterAll(() => database?.stop());
  beforeEach(async () => {
    startAt += LONG_MS;
    services = [await startPushService(), await startPushService()];
  });
  afterEach(async () => {
    for (const service of services) {
      service.respond(() => ({ status: 201 }));
      service.release();
    }
    await Promise.all(running.map(({ runner }) => runner.pause()));
    running = [];
    await Promise.all(services.map((service) => service.stop()));
    const { dynamo } = database;
    for (const one of await openTimers(dynamo)) await dynamo.remove(keys.timer(one.due, one.id));
  });

  return {
    get dynamo(): Dynamo {
      return database.dynamo;
    },
    service: (i = 0): PushService => services[i] as PushService,
    /** A process. `dynamo`: the table with faults. */
    sender(options: Partial<SenderOptions> = {}, dynamo: Dynamo = database.dynamo) {
      const one = createSender(dynamo, { services, startAt, ...options });
      running.push(one);
      return one;
    },
    timers: () => openTimers(database.dynamo),
    /** As `nextSend`. */
    next: (one: ReturnType<typeof createSender>): Promise<number> => nextSend(database.dynamo, one),
  };
}
