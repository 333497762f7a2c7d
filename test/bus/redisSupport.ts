import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { expect, onTestFinished } from 'vitest';
import type { Bus } from '../../src/bus/bus.ts';
import { createRedisBus, type RedisBusOptions } from '../../src/bus/redis/bus.ts';
import { eventually } from '../support/eventually.ts';
import type { RedisServer } from '../support/redis.ts';
import { type LogLine, recordingLog } from './support.ts';

/** Of a bus that is to notice quickly. It may take a busy machine's slowness for an outage, which not every test bears. */
export const HEARTBEAT_MS = 200;
export const TIMEOUT_MS = 300;
/** Of one that takes no slowness for an outage: a connection that breaks is noticed at once all the same. */
const PATIENT = { heartbeatMs: 60_000, timeoutMs: 20_000 };

/** A bus with all the patience there is, if nothing else is said; closed when the test ends. */
export function openBus(
  server: Pick<RedisServer, 'url'>,
  options: Partial<RedisBusOptions> = {},
): { readonly bus: Bus; readonly lines: LogLine[] } {
  const { log, lines } = recordingLog();
  const bus = createRedisBus({
    url: server.url,
    prefix: `${randomUUID()}:`,
    log,
    ...PATIENT,
    ...options,
  });
  onTestFinished(() => bus.close());
  return { bus, lines };
}

export const isUp = (...buses: readonly Bus[]) =>
  eventually(() => expect(buses.every((bus) => bus.up)).toBe(true), 1);

/** Somebody else at the same server, who sees it from outside. */
export function openAdmin(server: RedisServer): Redis {
  const admin = new Redis(server.url);
  admin.on('error', () => {});
  onTestFinished(() => admin.disconnect());
  return admin;
}

export const named = (lines: readonly LogLine[], msg: string) => lines.filter((line) => line.msg === msg);
