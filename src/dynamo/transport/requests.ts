import { setTimeout as wait } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { currentCaller } from '../../core/work.ts';
import {
  type ClientOptions,
  CONNECT_TIMEOUT_MS,
  MAX_SOCKETS,
  MAX_SOCKETS_PER_USER,
  TIMEOUTS,
} from '../client.ts';
import { mapError } from '../errors.ts';
import { decodeError } from './decode.ts';
import type { HttpResponse } from './httpConnection.ts';
import { createPool, type Server } from './pool.ts';
import { createSigner, type Signer } from './sigv4.ts';
import type { SendOptions } from './transport.ts';

/** The URL that the SDK would send a request to, and the region that it would sign it for. */
export interface Endpoint {
  readonly url: URL;
  readonly region: string;
}

export interface RequestsOptions extends Pick<ClientOptions, 'gate' | 'timeouts' | 'serverClock'> {
  /** The configuration of an SDK's client: its credentials and retry strategy are used. */
  readonly config: Pick<DynamoDBClient['config'], 'credentials' | 'retryStrategy'>;
  /** Called again after the credentials' account has changed, because AWS has an endpoint for each account. */
  readonly endpoint: () => Promise<Endpoint>;
  /** The name and version of the API, to which operations belong. */
  readonly api: 'DynamoDB_20120810' | 'DynamoDBStreams_20120810';
}

/** Signed requests of JSON to one API of DynamoDB, over a pool of connections. */
export interface Requests {
  /** Resolves to the body of the response. Rejects as `Transport.send` does. */
  send(operation: string, body: string, options: SendOptions): Promise<Buffer>;
  /** Closes the connections. Requests in flight fail. */
  destroy(): void;
}

/**
 * The server that requests are sent to. It depends on the credentials, because AWS has an endpoint for each account.
 */
interface Target {
  readonly accountId: string | undefined;
  readonly server: Server;
  readonly host: string;
  readonly path: string;
  readonly sign: Signer;
}

interface Deadline {
  /** On the clock of `performance.now()`. */
  readonly until: number;
  readonly signal: AbortSignal | undefined;
}

/** DynamoDB accepts signatures that are up to five minutes old. */
const MAX_SKEW_MS = 240_000;

/**
 * Credentials, endpoint and retry strategy are the SDK's. A transport shares the strategy of its client, so both have
 * one budget of retries.
 */
export function createRequests({ config, endpoint, api, ...options }: RequestsOptions): Requests {
  const { gate = (run) => run(), timeouts = TIMEOUTS, serverClock } = options;
  const pool = createPool({
    connectMs: CONNECT_TIMEOUT_MS,
    maxSockets: MAX_SOCKETS,
    maxPerCaller: MAX_SOCKETS_PER_USER,
  });
  const attempts = createAttempts(config);
  let target: Target | undefined;
  /** DynamoDB's clock, minus ours. Set only by an error, so a request that succeeds costs no look at its date. */
  let clockOffsetMs = 0;

  async function targetFor(accountId: string | undefined): Promise<Target> {
    if (target !== undefined && target.accountId === accountId) return target;
    const { url, region } = await endpoint();
    target = {
      accountId,
      server: pool.server(url),
      host: url.host,
      path: url.pathname,
      sign: createSigner(region, 'dynamodb'),
    };
    return target;
  }

  async function attempt(operation: string, body: string, { until, signal }: Deadline): Promise<Buffer> {
    // The SDK keeps them, and gets new ones before they expire.
    const credentials = await config.credentials();
    const { server, host, path, sign } = await targetFor(credentials.accountId);
    const signedAt = Date.now() + clockOffsetMs;
    const headers = sign({
      path,
      body,
      credentials,
      at: signedAt,
      headers: {
        host,
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `${api}.${operation}`,
      },
    });
    const sentAt = Date.now();
    const response = await pool.post({
      server,
      headers,
      body,
      until,
      signal,
      caller: currentCaller(),
      responseMs: timeouts.attemptMs,
    });
    serverClock?.observe(response.headers.date, sentAt, Date.now());
    checkSum(response);
    if (response.status === 200) return response.body;
    const text = response.body.toString();
    throw decodeError({
      text,
      status: response.status,
      clockSkewCorrected: correctClock(response, signedAt),
    });
  }

  /** Whether the request was signed with a time that DynamoDB does not accept. */
  function correctClock({ headers: { date = '' } }: HttpResponse, signedAt: number): boolean {
    const serverTime = Date.parse(date);
    if (!(Math.abs(serverTime - signedAt) >= MAX_SKEW_MS)) return false;
    clockOffsetMs = serverTime - Date.now();
    return true;
  }

  return {
    async send(operation, body, { timeoutMs, signal }) {
      const deadline = { until: performance.now() + timeoutMs, signal };
      try {
        return await attempts(() => gate(() => attempt(operation, body, deadline)), deadline);
      } catch (error) {
        throw mapError(error);
      }
    },
    destroy: () => pool.destroy(),
  };
}

interface ResolvedEndpoint {
  readonly url: URL;
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
}

/** From what the SDK resolves; `region`: the client's, for an endpoint that does not say which one it is signed for. */
export const endpointOf = async (
  { url, properties }: ResolvedEndpoint,
  region: () => Promise<string>,
): Promise<Endpoint> => ({ url, region: signingRegionOf(properties) ?? (await region()) });

function signingRegionOf(properties: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const schemes = properties?.authSchemes;
  const scheme: unknown = Array.isArray(schemes) ? schemes[0] : undefined;
  if (typeof scheme !== 'object' || scheme === null || !('signingRegion' in scheme)) return undefined;
  return typeof scheme.signingRegion === 'string' ? scheme.signingRegion : undefined;
}

/** A response that was damaged on its way is an outage, and tried again. */
function checkSum({ headers, body }: HttpResponse): void {
  const expected = headers['x-amz-crc32'];
  if (expected !== undefined && Number(expected) !== crc32(body)) {
    const mismatch = new Error("DynamoDB's response does not have the checksum that it came with.");
    throw Object.assign(mismatch, { name: 'ChecksumMismatch', $retryable: {} });
  }
}

/** Runs attempts as the SDK's client does: its strategy decides whether and when there is another one. */
function createAttempts(config: RequestsOptions['config']) {
  return async function attempts<T>(run: () => Promise<T>, deadline: Deadline): Promise<T> {
    const strategy = await config.retryStrategy();
    if (!('acquireInitialRetryToken' in strategy))
      throw new Error('The retry strategy of the AWS SDK has an unsupported version.');
    for (let token = await strategy.acquireInitialRetryToken(''); ; ) {
      try {
        const result = await run();
        strategy.recordSuccess(token);
        return result;
      } catch (error) {
        if (!isSdkError(error)) throw error;
        // Waits before it resolves, and rejects if there is to be no other attempt.
        const renewed = strategy.refreshRetryTokenForRetry(token, { error, errorType: errorTypeOf(error) });
        const next = await before(deadline, renewed);
        if (next === undefined) throw error;
        token = next;
      }
    }
  };
}

/** Undefined if the work rejects, or does not end before the deadline. */
async function before<T>({ until, signal }: Deadline, work: Promise<T>): Promise<T | undefined> {
  const done = new AbortController();
  const ended = signal === undefined ? done.signal : AbortSignal.any([done.signal, signal]);
  const late = wait(Math.max(0, until - performance.now()), undefined, { signal: ended });
  try {
    return await Promise.race([work, late]);
  } catch {
    return undefined;
  } finally {
    done.abort();
  }
}

/** What the SDK's functions ask an error for is optional, so any error will do. */
type SdkError = Parameters<typeof isTransientError>[0];
const isSdkError = (error: unknown): error is SdkError => error instanceof Error;

function errorTypeOf(error: SdkError) {
  if (isThrottlingError(error)) return 'THROTTLING';
  if (isTransientError(error)) return 'TRANSIENT';
  return isServerError(error) ? 'SERVER_ERROR' : 'CLIENT_ERROR';
}
