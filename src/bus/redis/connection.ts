import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { sleep, systemClock } from '../../core/clock.ts';
import { OutageError } from '../../core/errors.ts';
import { type BackoffPolicy, backoffMs } from '../../core/retry.ts';

/** What finds a connection that hangs, in milliseconds. */
export interface RedisLimits {
  /** Between two looks at whether it responds, and is the primary. */
  readonly heartbeatMs: number;
  /** For connecting, and for each command. */
  readonly timeoutMs: number;
}

export interface RedisConnectionOptions extends RedisLimits {
  readonly url: string;
  /** What `CLIENT LIST` calls it; no spaces. */
  readonly name: string;
  /** Prepares every new connection, which counts as up once this has resolved. */
  readonly prepare?: (session: RedisSession) => Promise<void>;
  /** Whether it subscribes to channels: then it cannot ask whether Redis is still the primary. */
  readonly subscribes?: boolean;
  readonly onUp: () => void;
  /** Called when the connection is lost, and when the first attempt to make it has failed. */
  readonly onDown: (cause: Error) => void;
}

/** One connection while it lasts. */
export interface RedisSession {
  readonly client: Redis;
  /** Gives the connection up; another one is made. */
  drop(cause: unknown): void;
}

/**
 * A connection that is opened again, until it is closed, when it is lost or stops responding. Reconnecting is
 * our own: a connection counts as up only when it is prepared, and one that hangs is replaced.
 */
export interface RedisConnection {
  /** The connection while it is up. */
  readonly session: RedisSession | undefined;
  /** Resolves when the first attempt to connect has succeeded or failed. */
  readonly firstAttempt: Promise<void>;
  /**
   * Runs a command. Rejects with `OutageError`: at once while the connection is down, otherwise if Redis refuses,
   * if the connection is lost, or after `timeoutMs`. A timeout also gives the connection up, because a command
   * that hangs holds up every command after it; so does a refusal because Redis is a replica now.
   */
  run<T>(command: (client: Redis) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Why a connection to a replica is given up. */
export const IS_REPLICA = 'This Redis is a replica, not the primary.';

const BACKOFF: BackoffPolicy = { firstMs: 50, longestMs: 1_000, jitter: 'half' };
/** A connection that we ended is destroyed after this time, because a stopped server does not end its side. */
const END_MS = 200;

export function createRedisConnection(options: RedisConnectionOptions): RedisConnection {
  newClient(options); // Does not connect; throws here if the URL is malformed.
  const closing = new AbortController();
  let session: RedisSession | undefined;
  let lastCause: Error | undefined;
  let markFirstAttempt = () => {};
  const firstAttempt = new Promise<void>((resolve) => {
    markFirstAttempt = resolve;
  });

  function up(current: RedisSession): void {
    session = current;
    markFirstAttempt();
    options.onUp();
  }

  function down(cause: unknown): void {
    const first = lastCause === undefined && session === undefined;
    const lost = session !== undefined;
    session = undefined;
    lastCause = plain(cause);
    if (!closing.signal.aborted && (first || lost)) options.onDown(lastCause);
    markFirstAttempt();
  }

  /** One connection, from start to end. Resolves to whether it lasted until its first heartbeat. */
  async function keepConnection(): Promise<boolean> {
    const lost = new AbortController();
    const client = newClient(options);
    const ended = new Promise<void>((resolve) => {
      client.once('end', () => {
        lost.abort(new Error('The connection to Redis was closed.'));
        resolve();
      });
    });
    // Has the cause, which `end` has not. Without a listener ioredis writes to the console.
    client.on('error', (error) => lost.abort(error));
    let dropped = false;
    const self: RedisSession = {
      client,
      // Every command that fails with the connection calls this.
      drop: (cause) => {
        if (dropped) return;
        dropped = true;
        lost.abort(cause);
        if (session === self) down(cause);
        if (client.status !== 'end') client.disconnect();
      },
    };
    const close = () => self.drop(new Error('The bus was closed.'));
    closing.signal.addEventListener('abort', close);

    let wasUp = false;
    let reachedHeartbeat = false;
    try {
      await client.connect();
      await greet(client, options.name);
      await options.prepare?.(self);
      lost.signal.throwIfAborted();
      wasUp = true;
      up(self);
      for (;;) {
        await wait(options.heartbeatMs, undefined, { signal: lost.signal });
        // A connection that subscribes may only ask for PONGs.
        await (options.subscribes === true ? client.ping() : assertPrimary(client));
        reachedHeartbeat = true;
      }
    } catch (error) {
      // If the connection is lost, the error in here is only a consequence.
      const cause: unknown = lost.signal.aborted ? lost.signal.reason : error;
      self.drop(cause);
      if (!wasUp) down(cause);
    }
    await ended;
    closing.signal.removeEventListener('abort', close);
    return reachedHeartbeat;
  }

  async function run(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; ) {
      // A connection that is lost again at once (a full output buffer, say) counts as a failure: each costs a re-read.
      failures = (await keepConnection()) ? 0 : failures + 1;
      await sleep(systemClock, backoffMs(BACKOFF, failures), closing.signal);
    }
    markFirstAttempt();
  }
  const running = run();

  return {
    get session() {
      return session;
    },
    firstAttempt,
    async run(command) {
      const used = session;
      if (used === undefined) throw new OutageError(lastCause);
      try {
        return await command(used.client);
      } catch (error) {
        if (!isRefusal(error) || isReadOnly(error)) used.drop(error);
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
 * A client that connects once and is thrown away with its connection. ioredis's own reconnecting would queue and
 * repeat commands, and resubscribe without an event when that is done; its ready check would wait for a dataset to
 * load that the bus does not need (SUBSCRIBE and PUBLISH work while Redis is loading).
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

/** Waits for a response, because the kernel accepts connections for a stopped process as well. */
async function greet(client: Redis, name: string): Promise<void> {
  // The name is only a convenience, and an access list may forbid it.
  const named = client.client('SETNAME', name).catch(() => {});
  await assertPrimary(client);
  await named;
}

/**
 * After a failover the old primary may keep its connections and be a replica. It accepts PUBLISH, and delivers it only
 * to its own subscribers. Another connection goes to the new primary, when the name points to it. Also shows that Redis
 * responds.
 */
async function assertPrimary(client: Redis): Promise<void> {
  const role = await client.role().catch((error: unknown) => {
    // An access list may forbid the command.
    if (isRefusal(error)) return client.ping();
    throw error;
  });
  if (Array.isArray(role) && role[0] === 'slave') throw new Error(IS_REPLICA);
}

/** Whether Redis refused the command; the connection itself works. */
const isRefusal = (error: unknown) => error instanceof Error && error.name === 'ReplyError';

/** The server is a replica, which a failover made of it. */
const isReadOnly = (error: unknown) => error instanceof Error && error.message.includes('READONLY');

/** For the log. The reason is Redis's, the system's or ours. It quotes no message. */
export const reasonOf = (error: unknown): object => ({ reason: plain(error).message });

/**
 * An error with only its message: ioredis attaches the command to its errors, which may contain what users wrote
 * or the password, and must not get into a log.
 */
function plain(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  // After several addresses of a host were tried, the error has a code but no message.
  return new Error(error.message === '' && 'code' in error ? String(error.code) : error.message);
}
