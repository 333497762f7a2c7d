import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { OutageError } from '../../core/errors.ts';
import { type BackoffPolicy, backoffMs } from '../../core/retry.ts';

export interface RedisConnectionOptions {
  readonly url: string;
  /** What `CLIENT LIST` calls it; no spaces. */
  readonly name: string;
  /** Milliseconds between two PINGs. */
  readonly heartbeatMs: number;
  /** Milliseconds for connecting, and for each command. */
  readonly timeoutMs: number;
  /** Prepares every new connection; it counts as up when this has resolved. */
  readonly prepare?: (wire: RedisWire) => Promise<void>;
  readonly onUp: () => void;
  /** Called when the connection is lost, and when the first attempt to make it has failed. */
  readonly onDown: (cause: Error) => void;
}

/** One connection while it lasts. */
export interface RedisWire {
  readonly client: Redis;
  /** Gives it up: another one is made. */
  drop(cause: unknown): void;
}

/** A connection that is made again, for ever, whenever it is lost or has stopped answering. */
export interface RedisConnection {
  /** The connection while it is up. */
  readonly wire: RedisWire | undefined;
  /** Resolves when the first attempt is over, whichever way it went. */
  readonly tried: Promise<void>;
  /**
   * Runs a command. Rejects with UNAVAILABLE: at once while the connection is down, otherwise when Redis
   * refuses, when the connection is lost, or after `timeoutMs`, which also gives the connection up, for
   * what hangs once would hang every command behind it.
   */
  run<T>(command: (client: Redis) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const BACKOFF: BackoffPolicy = { firstMs: 50, longestMs: 1_000, jitter: 'half' };
/** After this long a connection that we ended, and that a stopped server does not end, is destroyed. */
const END_MS = 200;

export function createRedisConnection(options: RedisConnectionOptions): RedisConnection {
  newClient(options); // Connects to nothing; throws here and now where the URL is none.
  const closing = new AbortController();
  let wire: RedisWire | undefined;
  let lastCause: Error | undefined;
  let markTried = () => {};
  const tried = new Promise<void>((resolve) => {
    markTried = resolve;
  });

  function up(now: RedisWire): void {
    wire = now;
    markTried();
    options.onUp();
  }

  function down(cause: unknown): void {
    const first = lastCause === undefined && wire === undefined;
    const lost = wire !== undefined;
    wire = undefined;
    lastCause = plain(cause);
    if (!closing.signal.aborted && (first || lost)) options.onDown(lastCause);
    markTried();
  }

  /** One connection, from its making to its end. Resolves to whether it lived to its first heartbeat. */
  async function live(): Promise<boolean> {
    const gone = new AbortController();
    const client = newClient(options);
    const ended = new Promise<void>((resolve) => {
      client.once('end', () => {
        gone.abort(new Error('The connection to Redis was closed.'));
        resolve();
      });
    });
    // Says why, before `end` only says that it is over. Without a listener ioredis writes to the console.
    client.on('error', (error) => gone.abort(error));
    let dropped = false;
    const self: RedisWire = {
      client,
      // Every command that fails with the connection asks for it.
      drop: (cause) => {
        if (dropped) return;
        dropped = true;
        gone.abort(cause);
        if (wire === self) down(cause);
        if (client.status !== 'end') client.disconnect();
      },
    };
    const close = () => self.drop(new Error('The bus was closed.'));
    closing.signal.addEventListener('abort', close);

    let wasUp = false;
    let held = false;
    try {
      await client.connect();
      await greet(client, options.name);
      await options.prepare?.(self);
      gone.signal.throwIfAborted();
      wasUp = true;
      up(self);
      for (;;) {
        await wait(options.heartbeatMs, undefined, { signal: gone.signal });
        await client.ping();
        held = true;
      }
    } catch (error) {
      // Where the connection has gone, what failed in here is only a consequence.
      const cause: unknown = gone.signal.aborted ? gone.signal.reason : error;
      self.drop(cause);
      if (!wasUp) down(cause);
    }
    await ended;
    closing.signal.removeEventListener('abort', close);
    return held;
  }

  async function run(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; ) {
      // One that is lost again at once (a full output buffer, say) is no success: each costs a re-read.
      failures = (await live()) ? 0 : failures + 1;
      await wait(backoffMs(BACKOFF, failures), undefined, { signal: closing.signal }).catch(() => {});
    }
    markTried();
  }
  const running = run();

  return {
    get wire() {
      return wire;
    },
    tried,
    async run(command) {
      const used = wire;
      if (used === undefined) throw new OutageError(lastCause);
      try {
        return await command(used.client);
      } catch (error) {
        if (!isAnswer(error)) used.drop(error);
        throw new OutageError(plain(error));
      }
    },
    async close() {
      closing.abort();
      await running;
    },
  };
}

/**
 * A client that connects once and is thrown away with its connection. ioredis's own reconnecting would
 * queue and repeat commands, and resubscribe without telling when that is done; its ready check would wait
 * for a dataset to load that nobody here reads (SUBSCRIBE and PUBLISH work while Redis is loading).
 */
function newClient({ url, timeoutMs }: RedisConnectionOptions): Redis {
  return new Redis(url, {
    lazyConnect: true,
    retryStrategy: null,
    enableOfflineQueue: false,
    enableReadyCheck: false,
    autoResubscribe: false,
    disableClientInfo: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    disconnectTimeout: END_MS,
  });
}

/** Being connected proves nothing: the kernel accepts for a stopped process. An answer does. */
async function greet(client: Redis, name: string): Promise<void> {
  // The name is a convenience that an access list may forbid.
  const named = client.client('SETNAME', name).catch(() => {});
  await client.ping();
  await named;
}

/** Redis has answered that it will not; the connection is sound. */
const isAnswer = (error: unknown) => error instanceof Error && error.name === 'ReplyError';

/**
 * An error's message alone: ioredis attaches the command to its errors, people's words and the password
 * with it, and that must not get into a log.
 */
function plain(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  // Where several addresses of a host were tried, there is a code but no message.
  return new Error(error.message === '' && 'code' in error ? String(error.code) : error.message);
}
