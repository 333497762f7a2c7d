import type { Redis } from 'ioredis';
import { OutageError, OverloadError } from '../../core/errors.ts';
import { createHealth } from '../../core/health.ts';
import type { OutageLog } from '../../core/log.ts';
import type { Bus, Json, Topic } from '../bus.ts';
import { createListeners } from '../listeners.ts';
import { createRedisChannels } from './channels.ts';
import {
  createRedisConnection,
  IS_REPLICA,
  type RedisLimits,
  type RedisSession,
  reasonOf,
} from './connection.ts';

export interface RedisBusOptions extends Partial<RedisLimits> {
  /** `redis://[user:password@]host[:port]`, or `rediss://` for TLS. One server or endpoint, no Sentinel. */
  readonly url: string;
  /** The channel of a topic is this and the topic's name: it keeps tables that share a Redis apart. */
  readonly prefix: string;
  readonly log: OutageLog;
}

/** A bus whose prefix may change. */
export interface RedisBus extends Bus {
  /**
   * From now on messages with this prefix arrive as well. Resolves when that is so, or the connection is lost; then it
   * is so when `onGap` listeners are called.
   */
  listenTo(prefix: string): Promise<void>;
  /** The opposite of `listenTo`, unless messages are published with this prefix. */
  forget(prefix: string): Promise<void>;
  /**
   * From now on messages are published with this prefix. Those with the former one arrive until the connection is lost.
   */
  publishWith(prefix: string): void;
}

/** Messages in flight at most: a publisher must not flood a Redis that has just stopped. */
const MAX_IN_FLIGHT = 10_000;

/**
 * The bus of several servers, over the pub/sub of Redis or Valkey.
 *
 * Two connections, because one that subscribes cannot publish; the bus is up while both are. A lost connection is
 * opened again until the bus is closed, within a second of Redis's return. One that hangs (Redis stopped, a cable
 * pulled) is found within `heartbeatMs + timeoutMs`, or `timeoutMs` after a publish. While the bus is down nothing is
 * queued: `publish` rejects at once. Only the first attempt to connect is waited for.
 */
export function createRedisBus(options: RedisBusOptions): RedisBus {
  const { url, log, heartbeatMs = 2_000, timeoutMs = 1_500 } = options;
  const channels = createRedisChannels(log);
  const gaps = createListeners<void>(log);
  const downs = createListeners<void>(log);
  const health = createHealth({
    log,
    down: 'The bus is down',
    up: 'The bus is up again',
    describe: reasonOf,
  });
  let state: 'connecting' | 'up' | 'down' | 'closed' = 'connecting';
  let inFlight = 0;
  let { prefix } = options;
  /** One that it will have. */
  let next: string | undefined;
  /** Those of the present connection. */
  let listened = new Set<string>();
  /** Ends the subscriptions of the present connection to these channels. */
  let leave = async (_channels: readonly string[]): Promise<unknown> => undefined;

  const shared = { url, heartbeatMs, timeoutMs, onUp: onConnected };
  const publishing = createRedisConnection({
    ...shared,
    name: 'tsudoi-publish',
    onDown: (cause) => {
      // The other connection may be to the same replica, and cannot find out by itself.
      if (cause.message === IS_REPLICA) subscribing.session?.drop(cause);
      onDisconnected(cause);
    },
  });
  const subscribing = createRedisConnection({
    ...shared,
    name: 'tsudoi-subscribe',
    subscribes: true,
    prepare: attach,
    onDown: (cause) => {
      channels.detach();
      onDisconnected(cause);
    },
  });

  async function attach({ client, drop }: RedisSession): Promise<void> {
    const own = new Set([prefix, ...(next === undefined ? [] : [next])]);
    listened = own;
    const channelsOf = (names: readonly string[]) =>
      [...own].flatMap((start) => names.map((name) => start + name));
    client.on('message', (channel: string, text: string) => {
      for (const start of own)
        if (channel.startsWith(start)) channels.deliver(channel.slice(start.length), text);
    });
    leave = (names) => client.unsubscribe(...names);
    await channels.attach({
      subscribe: (names) => client.subscribe(...channelsOf(names)),
      unsubscribe: (names) => client.unsubscribe(...channelsOf(names)),
      drop,
    });
  }

  const isClosed = () => state === 'closed';

  function onConnected(): void {
    if (isClosed() || publishing.session === undefined || subscribing.session === undefined) return;
    const first = state === 'connecting';
    state = 'up';
    health.worked();
    if (first) log.info('The bus is up');
    else gaps.emit();
  }

  function onDisconnected(cause: Error): void {
    if (isClosed() || state === 'down') return;
    state = 'down';
    health.failed(cause);
    downs.emit();
  }

  return {
    async publish({ name }, payload) {
      const text = JSON.stringify(payload);
      if (inFlight >= MAX_IN_FLIGHT) throw new OverloadError();
      inFlight++;
      try {
        await publishing.firstAttempt;
        await publishing.run((client) => {
          gatherWrites(client);
          return client.publish(prefix + name, text);
        });
      } finally {
        inFlight--;
      }
    },

    async subscribe<T extends Json>({ name }: Topic<T>, listener: (payload: T) => void) {
      if (isClosed()) throw new OutageError();
      // The topic's type says which payloads its name carries.
      const remove = channels.add(name, listener as (payload: Json) => void);
      await subscribing.firstAttempt;
      await channels.subscribed(name);
      if (isClosed()) throw new OutageError();
      return remove;
    },

    async listenTo(also) {
      next = also;
      if (listened.has(also)) return;
      listened.add(also);
      await channels.renew();
    },

    async forget(other) {
      if (other === prefix) return;
      if (next === other) next = undefined;
      if (!listened.delete(other)) return;
      // If the connection is lost, the next one does not have them.
      await channels.each((names) => leave(names.map((name) => other + name))).catch(() => {});
    },

    publishWith(start) {
      prefix = start;
      next = undefined;
    },

    onGap: (listener) => gaps.add(listener),
    onDown: (listener) => downs.add(listener),

    get up() {
      return state === 'up';
    },

    async close() {
      state = 'closed';
      channels.clear();
      gaps.clear();
      downs.clear();
      await Promise.all([publishing.close(), subscribing.close()]);
    },
  };
}

/**
 * One write to the socket for everything published in one turn. In bursts of 100: 166,000–228,000 messages a second
 * against 73,000–78,000, and as fast for single messages. (ioredis's own auto-pipelining: 100,000–108,000 at twice
 * the latency, because it waits for the batch before.)
 */
function gatherWrites({ stream }: Redis): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
