import type { Config } from '../config.ts';
import { createLimits, type Limits, type LimitsOptions } from '../rateLimits/limits.ts';
import { redisPrefix } from './openBus.ts';

/** The rate limits that the configuration names, counted where the bus is: here, or in Redis for all servers. */
export function openLimits(
  { bus, role, rateLimits, tableName }: Config,
  options: Pick<LimitsOptions, 'log' | 'onRefused'>,
): Limits {
  const { anonymous: _countedByTheServer, ...people } = rateLimits;
  // A worker answers nobody.
  const rates = role === 'worker' ? {} : people;
  const redis = bus.kind === 'redis' ? { redis: { url: bus.url, prefix: redisPrefix(tableName) } } : {};
  return createLimits({ rates, ...redis, ...options });
}
