import { type Agent, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type Clock, sleep } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import { type SendResult, TIMEOUT_MS } from './channel.ts';

export interface PostOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Default: Node's own, which keeps connections open. */
  readonly agent?: Agent;
}

/** There was a response, at least its status, or none. */
export type PostResult =
  | { readonly type: 'response'; readonly status: number; readonly retryAfterMs?: number }
  | { readonly type: 'timedOut' }
  /** `code`: Node's, e.g. ECONNREFUSED. Undefined: the agent refused the address. Messages may quote the receiver. */
  | { readonly type: 'failed'; readonly code: string | undefined };

/** A receiver's body is not used. Up to this many bytes are read, so that the connection can be used again. */
const BODY_MAX = 16_384;

/** Posts once and never rejects. A redirect is a response like any other, and is not followed. */
export async function post(options: PostOptions): Promise<PostResult> {
  const { clock } = options;
  const ended = new AbortController();
  let known: PostResult = { type: 'timedOut' };
  const late = sleep(clock, TIMEOUT_MS, ended.signal).then(() => known);
  const onStatus = (result: PostResult) => {
    known = result;
  };
  try {
    return await Promise.race([respond(options, ended.signal, onStatus), late]);
  } finally {
    ended.abort();
  }
}

function respond(
  { url, headers, body, now, agent }: PostOptions,
  signal: AbortSignal,
  onStatus: (result: PostResult) => void,
): Promise<PostResult> {
  return new Promise((resolve) => {
    let received: PostResult | undefined;
    // A connection that is reset while the body arrives is an error of the request, not of the response.
    const failed = (error: NodeJS.ErrnoException) =>
      resolve(received ?? { type: 'failed', code: error.code });
    const request = url.startsWith('https:') ? requestHttps : requestHttp;
    try {
      const sent = request(
        url,
        {
          method: 'POST',
          headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
          signal,
          ...defined({ agent }),
        },
        (response) => {
          let bytes = 0;
          response.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
            if (bytes > BODY_MAX) response.destroy();
          });
          const { statusCode: status = 0 } = response;
          const retryAfterMs = retryAfter(response.headers['retry-after'], now());
          const result: PostResult = {
            type: 'response',
            status,
            ...defined({ retryAfterMs }),
          };
          // The receiver has decided, also if the rest is lost or never comes.
          received = result;
          onStatus(result);
          const end = () => resolve(result);
          response.on('error', end);
          response.on('close', end);
        },
      );
      sent.on('error', failed);
      sent.end(body);
    } catch (error) {
      // An agent that refuses an address may throw at once.
      failed(error as NodeJS.ErrnoException);
    }
  });
}

/** The header is a number of seconds or a date. https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3 */
function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** What the log says: nothing of the receiver's, and not the path of its address, which may be a secret. */
export function reasonOf(result: PostResult): object {
  if (result.type === 'response') return { status: result.status };
  return result.type === 'timedOut' ? { reason: 'It did not respond in time.' } : { code: result.code };
}

/** A response or its absence, if trying again is right for what is overloaded, broken or out of reach. */
export function retryOf(result: PostResult): SendResult {
  if (result.type !== 'response') return { outcome: 'retry', timedOut: result.type === 'timedOut' };
  const { retryAfterMs: afterMs } = result;
  return { outcome: 'retry', ...defined({ afterMs }) };
}
