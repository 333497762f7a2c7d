import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { NodeHttpHandler, type NodeHttpHandlerOptions } from '@smithy/node-http-handler';
import { defined } from '../core/defined.ts';
import { credentialsInTime } from './credentials.ts';
import type { ServerClock } from './serverClock.ts';

export interface ClientOptions {
  /** Default: AWS, with the region and credentials of the environment. */
  readonly endpoint?: string;
  /** AWS region. Default: from the SDK's environment. */
  readonly region?: string;
  /** Every request runs through it. The embedded database holds requests back while its process restarts. */
  readonly gate?: Gate;
  /** Default: `TIMEOUTS`. */
  readonly timeouts?: Pick<Timeouts, 'attemptMs' | 'callMs'>;
  /** Observes every response. */
  readonly serverClock?: Pick<ServerClock, 'observe'>;
}

export type Gate = <T>(run: () => Promise<T>) => Promise<T>;

/** Time limits in milliseconds. */
export interface Timeouts {
  /** One attempt, before it is retried. */
  readonly attemptMs: number;
  /** One call with all its attempts. */
  readonly callMs: number;
  /** One optimistic write: how long it may begin new attempts. */
  readonly optimisticMs: number;
}

/**
 * A caller gets a response or an error within three seconds. Without these limits the SDK would wait forever. With
 * waits of up to half a second, an optimistic write has about 15 attempts.
 */
export const TIMEOUTS: Timeouts = { attemptMs: 1_000, callMs: 2_500, optimisticMs: 5_000 };
export const CONNECT_TIMEOUT_MS = 500;
const ATTEMPTS = 3;
/** Concurrent requests to one server. Further requests wait for a connection. */
export const MAX_SOCKETS = 128;
/**
 * How many of them the operations of one user may occupy, so the requests of others do not wait behind all of theirs.
 * The wait for a turn is part of `callMs`: with requests of 10 ms, an operation may need 6,000 of them at once.
 */
export const MAX_SOCKETS_PER_USER = 32;

class Handler extends NodeHttpHandler {
  readonly #gate: Gate;
  readonly #serverClock: ClientOptions['serverClock'];
  constructor({ gate = (run) => run(), serverClock }: ClientOptions, options: NodeHttpHandlerOptions) {
    super(options);
    this.#gate = gate;
    this.#serverClock = serverClock;
  }
  override handle(...args: Parameters<NodeHttpHandler['handle']>): ReturnType<NodeHttpHandler['handle']> {
    return this.#gate(async () => {
      const sentAt = Date.now();
      const result = await super.handle(...args);
      this.#serverClock?.observe(result.response.headers.date, sentAt, Date.now());
      return result;
    });
  }
}

/**
 * On Node 20 the SDK prints several lines at every start: its versions from 2027 on will need Node 22. package.json
 * decides which versions of both are used. To be called before a client is made.
 */
export function silenceVersionWarning(): void {
  // biome-ignore lint/style/noProcessEnv: it is a setting of the SDK, which reads it nowhere else.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
}

function settings(client: ClientOptions): DynamoDBClientConfig {
  const { endpoint, region, timeouts = TIMEOUTS } = client;
  silenceVersionWarning();
  const options: NodeHttpHandlerOptions = {
    connectionTimeout: CONNECT_TIMEOUT_MS,
    requestTimeout: timeouts.attemptMs,
    throwOnRequestTimeout: true,
    httpAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
    httpsAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
  };
  return {
    maxAttempts: ATTEMPTS,
    requestHandler: new Handler(client, options),
    ...defined({ region }),
    // Emulators need credentials and accept any. Real ones are never sent to them.
    ...(endpoint === undefined
      ? { credentials: credentialsInTime() }
      : { endpoint, region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }),
  };
}

/** The SDK's log middleware copies each request and response even without a logger. We use none. */
const LOGGER = 'loggerMiddleware';

export function createClient(options: ClientOptions): DynamoDBClient {
  const client = new DynamoDBClient(settings(options));
  client.middlewareStack.remove(LOGGER);
  return client;
}

export function createStreamsClient(options: ClientOptions): DynamoDBStreamsClient {
  const client = new DynamoDBStreamsClient(settings(options));
  client.middlewareStack.remove(LOGGER);
  return client;
}
