import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { BusLog } from '../bus/bus.ts';
import { createRedisConnection, type RedisSession } from '../bus/redis/connection.ts';
import type { RateLimitedAction, RateLimits } from '../core/rateLimits.ts';
import { type Buckets, createBuckets } from './bucket.ts';

export interface SharedBucketsOptions {
  readonly rates: RateLimits;
  /** As `createRedisBus` takes it. */
  readonly url: string;
  /** The prefix of each key: it keeps tables that share a Redis apart. */
  readonly prefix: string;
  readonly log: BusLog;
}

/** Buckets in Redis, the same for all servers on it. */
export interface SharedBuckets {
  /**
   * As `Bucket`. Rejects if Redis does not answer: after TIMEOUT_MS at most, which also gives the connection up, and
   * at once while there is no connection. Only the first attempt to connect is waited for.
   */
  take(act: RateLimitedAction, person: string): Promise<number>;
  close(): Promise<void>;
}

/**
 * A send waits for it, once per outage. Redis answers in a fraction of a millisecond, but a busy server may be late
 * to read the answer: with 300 ms a start under load took its own slowness for an outage.
 */
const TIMEOUT_MS = 1_000;
const HEARTBEAT_MS = 2_000;

export function createSharedBuckets({ rates, url, prefix, log }: SharedBucketsOptions): SharedBuckets {
  let down = false;
  const connection = createRedisConnection({
    url,
    name: 'tsudoi-limits',
    heartbeatMs: HEARTBEAT_MS,
    timeoutMs: TIMEOUT_MS,
    onUp() {
      if (down) log.info('Rate limits are counted in Redis again');
      down = false;
    },
    onDown(cause) {
      down = true;
      log.warn({ reason: cause.message }, 'Each server counts rate limits alone: Redis is down');
    },
  });
  /** The limiters belong to a connection, which is thrown away once it is lost. */
  const made = new WeakMap<RedisSession['client'], Buckets>();

  function bucketsOn(client: RedisSession['client']): Buckets {
    const known = made.get(client);
    if (known !== undefined) return known;
    const buckets = createBuckets(
      rates,
      ({ keyPrefix, ...window }) =>
        new RateLimiterRedis({ storeClient: client, keyPrefix: prefix + keyPrefix, ...window }),
    );
    made.set(client, buckets);
    return buckets;
  }

  return {
    async take(act, person) {
      await connection.firstAttempt;
      return connection.run(async (client) => (await bucketsOn(client)[act]?.(person)) ?? 0);
    },
    close: () => connection.close(),
  };
}
