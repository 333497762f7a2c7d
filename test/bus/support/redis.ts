import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { expect, onTestFinished } from 'vitest';
import type { Bus } from '../../../src/bus/bus.ts';
import { createRedisBus, type RedisBusOptions } from '../../../src/bus/redis/bus.ts';
import { patientLimits, type RedisServer } from '../../support/servers/redis.ts';
import { eventually } from '../../support/time/eventually.ts';
import { type LogLine, recordingLog } from './bus.ts';

/** For a bus that finds failures quickly. On a busy machine it may report a slow response as a failure. */
export const HEARTBEAT_MS = 200;
export const TIMEOUT_MS = 300;

/** A bus with long time limits by default. It is closed when the test ends. */
export function openBus(
  server: Pick<RedisServer, 'url'>,
  options: Partial<RedisBusOptions> = {},
): { readonly bus: Bus; readonly lines: LogLine[] } {
  const { log, lines } = recordingLog();
  const bus = createRedisBus({
    url: server.url,
    prefix: `${randomUUID()}:`,
    log,
    ...patientLimits,
    ...options,
  });
  onTestFinished(() => bus.close());
  return { bus, lines };
}

export const isUp = (...buses: readonly Bus[]) =>
  eventually(() => expect(buses.every((bus) => bus.up)).toBe(true), 1);

/** Another client of the same server, without a bus. */
export function openAdminClient(server: RedisServer): Redis {
  const admin = new Redis(server.url);
  admin.on('error', () => {});
  onTestFinished(() => admin.disconnect());
  return admin;
}

export const named = (lines: readonly LogLine[], msg: string) => lines.filter((line) => line.msg === msg);
