import type { Bus } from '../bus/bus.ts';
import { createMemoryBus } from '../bus/memory.ts';
import { createRedisBus } from '../bus/redis/bus.ts';
import type { RedisLimits } from '../bus/redis/connection.ts';
import type { Config } from '../config.ts';
import type { Log } from '../core/log.ts';
import { plainName } from '../core/tableArn.ts';
import { createRateLimiter, type RateLimiter, type RateLimiterOptions } from '../rateLimits/rateLimiter.ts';

/**
 * All names in Redis begin with it, so several tables can share a Redis. A server may name a table by its ARN, and one
 * in the table's account by its plain name: both have the same.
 */
const prefixOf = (table: string): string => `tsudoi:${plainName(table)}:`;

/**
 * Raised when a payload of the bus gets another form. While servers of two releases run, each receives only the events
 * of its own release, and reads what it missed at its next comparison, within 30 s.
 */
const PAYLOADS = 2;

/** A bus that goes along if servers go on in another table. */
export interface TableBus extends Bus {
  /** Receives what processes publish that use this table. Resolves when that is so. */
  listenTo(table: string): Promise<void>;
  /**
   * Does not receive any more what processes publish that use this table, unless it is the one that this process uses.
   */
  forget(table: string): Promise<void>;
  /** Publishes for processes that use this table. */
  useTable(name: string): void;
}

/** The bus that the configuration names. All processes that use a table must have the same one. */
export function openBus(
  { bus, tableName }: Pick<Config, 'bus' | 'tableName'>,
  log: Log,
  limits: Partial<RedisLimits> = {},
): TableBus {
  if (bus.kind !== 'redis')
    return Object.assign(createMemoryBus({ log }), {
      async listenTo() {},
      async forget() {},
      useTable() {},
    });
  const channelsOf = (name: string) => `${prefixOf(name)}${PAYLOADS}:`;
  const redis = createRedisBus({ ...limits, url: bus.url, prefix: channelsOf(tableName), log });
  const { listenTo, forget } = redis;
  return Object.assign(redis, {
    listenTo: (name: string) => listenTo(channelsOf(name)),
    forget: (name: string) => forget(channelsOf(name)),
    useTable(name: string) {
      redis.publishWith(channelsOf(name));
    },
  });
}

/** Rate limits that go along if servers go on in another table. */
export interface TableRateLimiter extends RateLimiter {
  /** Counts with the servers that use this table. */
  useTable(name: string): void;
}

/**
 * The rate limits of users, counted in Redis for all servers of a table if the bus is Redis, otherwise in this process.
 * In another table the counting begins again.
 */
export function openRateLimiter(
  { bus, role, rateLimits, tableName }: Config,
  { limits, ...options }: Pick<RateLimiterOptions, 'log' | 'onRefused'> & { limits?: Partial<RedisLimits> },
): TableRateLimiter {
  const { anonymous: _countedByTheServer, ...ofUsers } = rateLimits;
  // A worker serves no users.
  const rates = role === 'worker' ? {} : ofUsers;
  const redis =
    bus.kind === 'redis' ? { redis: { ...limits, url: bus.url, prefix: prefixOf(tableName) } } : {};
  const { usePrefix, ...limiter } = createRateLimiter({ rates, ...redis, ...options });
  return { ...limiter, useTable: (name) => usePrefix(prefixOf(name)) };
}
