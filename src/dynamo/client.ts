import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { NodeHttpHandler, type NodeHttpHandlerOptions } from '@smithy/node-http-handler';

export interface ClientOptions {
  /** Absent: AWS, by the region and credentials of the environment. */
  readonly endpoint?: string;
  /** Of AWS; absent: as the SDK finds it in the environment. */
  readonly region?: string;
  /** Every request runs through it: the embedded database holds them back while its process is started again. */
  readonly gate?: Gate;
  /** Default: `TIMEOUTS`. */
  readonly patience?: Timeouts;
}

export type Gate = <T>(run: () => Promise<T>) => Promise<T>;

/** How long a DynamoDB is waited for, in milliseconds. */
export interface Timeouts {
  /** For the answer to one attempt; the next one follows. */
  readonly attemptMs: number;
  /** For a logical call, the SDK's own attempts included. */
  readonly callMs: number;
}

/** A caller gets an answer or an error within three seconds. By default the SDK would wait without end. */
export const TIMEOUTS: Timeouts = { attemptMs: 1_000, callMs: 2_500 };
export const CONNECT_TIMEOUT_MS = 500;
const ATTEMPTS = 3;
/** Requests at the same time to one server; more wait for a connection. */
export const MAX_SOCKETS = 128;

class GatedHandler extends NodeHttpHandler {
  readonly #gate: Gate;
  constructor(gate: Gate, options: NodeHttpHandlerOptions) {
    super(options);
    this.#gate = gate;
  }
  override handle(...args: Parameters<NodeHttpHandler['handle']>): ReturnType<NodeHttpHandler['handle']> {
    return this.#gate(() => super.handle(...args));
  }
}

/**
 * Under Node 20 the SDK warns, in several lines on every start, that its versions from 2027 on want Node 22.
 * Which versions of both go together is settled in package.json.
 */
function silenceVersionWarning(): void {
  // biome-ignore lint/style/noProcessEnv: it is a setting of the SDK, which reads it nowhere else.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
}

function settings({ endpoint, region, gate, patience = TIMEOUTS }: ClientOptions): DynamoDBClientConfig {
  silenceVersionWarning();
  const options: NodeHttpHandlerOptions = {
    connectionTimeout: CONNECT_TIMEOUT_MS,
    requestTimeout: patience.attemptMs,
    throwOnRequestTimeout: true,
    httpAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
    httpsAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
  };
  return {
    maxAttempts: ATTEMPTS,
    requestHandler: gate === undefined ? new NodeHttpHandler(options) : new GatedHandler(gate, options),
    ...(region === undefined ? {} : { region }),
    // Emulators take any credentials but want some; real ones are never sent to them.
    ...(endpoint === undefined
      ? {}
      : { endpoint, region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }),
  };
}

/** Copies every request and answer for a log, whether there is one or not; we have none of the SDK's. */
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
