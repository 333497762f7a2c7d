import { createRedisConnection, type RedisLimits, reasonOf } from '../bus/redis/connection.ts';
import { createHealth } from '../core/health.ts';
import type { OutageLog } from '../core/log.ts';

export interface RedisStoreOptions extends Partial<RedisLimits> {
  /** As `createRedisBus` takes it. */
  readonly url: string;
  /** The prefix of each key. */
  readonly prefix: string;
  readonly log: OutageLog;
}

/** The Redis in which all servers count rate limits together. */
export interface RedisStore {
  /** What `RateLimiterRedis` calls of a client, with `useRedisPackage`. */
  readonly client: {
    /**
     * Rejects if Redis does not respond: after `timeoutMs` at most, which also gives the connection up, and at once
     * while there is no connection. Only the first attempt to connect is waited for.
     */
    eval(
      script: string,
      parameters: { readonly keys: string[]; readonly arguments: string[] },
    ): Promise<unknown>;
  };
  /** From now on this is the prefix of each key. */
  usePrefix(prefix: string): void;
  close(): Promise<void>;
}

/**
 * A send waits for it, once per outage. Redis responds in a fraction of a millisecond, but a busy server may be late
 * to read the response: with 300 ms a start under load took its own slowness for an outage.
 */
const TIMEOUT_MS = 1_000;
const HEARTBEAT_MS = 2_000;

/**
 * A connection of the house, not a client of ioredis: its time limits keep a hanging Redis from delaying requests, and
 * an outage is logged once.
 */
export function createRedisStore(options: RedisStoreOptions): RedisStore {
  const { url, log, heartbeatMs = HEARTBEAT_MS, timeoutMs = TIMEOUT_MS } = options;
  const health = createHealth({
    log,
    down: 'Each server counts rate limits alone: Redis is down',
    up: 'Rate limits are counted in Redis again',
    describe: reasonOf,
  });
  let { prefix } = options;
  const connection = createRedisConnection({
    url,
    name: 'tsudoi-limits',
    heartbeatMs,
    timeoutMs,
    onUp: health.worked,
    onDown: health.failed,
  });
  return {
    client: {
      async eval(script, { keys, arguments: values }) {
        await connection.firstAttempt;
        return connection.run((client) =>
          client.eval(script, keys.length, ...keys.map((key) => prefix + key), ...values),
        );
      },
    },
    usePrefix(next) {
      prefix = next;
    },
    close: () => connection.close(),
  };
}
