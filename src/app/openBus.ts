import type { Bus } from '../bus/bus.ts';
import { createMemoryBus } from '../bus/memory.ts';
import { createRedisBus } from '../bus/redis/bus.ts';
import type { Config } from '../config.ts';
import type { Log } from '../core/log.ts';

/** What the names in Redis begin with: tables that share a Redis do not meet in it. */
export const redisPrefix = (tableName: string): string => `tsudoi:${tableName}:`;

/** The bus that the configuration names. Everybody who works on one table has to be on the same one. */
export const openBus = ({ bus, tableName }: Pick<Config, 'bus' | 'tableName'>, log: Log): Bus =>
  bus.kind === 'redis'
    ? createRedisBus({ url: bus.url, prefix: redisPrefix(tableName), log })
    : createMemoryBus({ log });
