import { Agent, type IncomingHttpHeaders, request as plainRequest, type RequestOptions } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import { type Clock, systemClock } from '../../core/clock.ts';

/** Connections that are kept alive, to any number of servers. */
export interface Pool {
  /** What `post` needs to know of a server. To be made once for each server, because it takes time. */
  server(url: URL): Server;
  /**
   * Sends one POST request and reads its response, of any status. Rejects with a `TimeoutError` if there is no
   * whole response `responseMs` after it got a connection, or at `until`; with an `AbortError` if the signal is aborted;
   * and with Node's own error if the connection fails. The connection of a request that failed is not used again.
   *
   * The wait for a connection is not part of `responseMs`: if many requests wait, another attempt would begin behind
   * all of them, and none would ever be done. Nor does a response count as late that has arrived while this process was
   * busy.
   */
  post(request: PostRequest): Promise<PoolResponse>;
  /** Closes all connections. */
  destroy(): void;
}

export interface Server {
  readonly request: typeof plainRequest;
  readonly options: RequestOptions;
}

export interface PostRequest {
  readonly server: Server;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly responseMs: number;
  /** On the pool's clock. */
  readonly until: number;
  readonly signal: AbortSignal | undefined;
}

export interface PoolResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface PoolOptions {
  readonly connectMs: number;
  /** For each server. Further requests wait for a connection. */
  readonly maxSockets: number;
  readonly clock?: Clock;
}

export function createPool({ connectMs, maxSockets, clock = systemClock }: PoolOptions): Pool {
  const plain = new Agent({ keepAlive: true, maxSockets });
  const secure = new SecureAgent({ keepAlive: true, maxSockets });
  limitConnecting(plain, connectMs);
  limitConnecting(secure, connectMs);

  return {
    server(url) {
      const { hostname, port, path } = urlToHttpOptions(url);
      const isSecure = url.protocol === 'https:';
      return {
        request: isSecure ? secureRequest : plainRequest,
        options: { hostname, port, path, method: 'POST', agent: isSecure ? secure : plain, setHost: false },
      };
    },
    post: ({ server, headers, body, responseMs, until, signal }) =>
      new Promise((resolve, reject) => {
        const request = server.request({
          ...server.options,
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
          ...(signal === undefined ? {} : { signal }),
        });
        let connectedAt = Number.POSITIVE_INFINITY;
        let settled = false;
        const expire = () => {
          if (settled) return;
          const error = timeout('a response', responseMs);
          request.destroy(error);
          // Node reports the error of a request without a connection only when it gets one.
          fail(error);
        };
        const check = () => {
          const left = Math.min(connectedAt + responseMs, until) - clock.now();
          // In the next turn: what has arrived by now is read before.
          if (left > 0) cancel = clock.after(left, check);
          else setImmediate(expire);
        };
        let cancel = clock.after(Math.min(responseMs, until - clock.now()), check);
        const settle = () => {
          settled = true;
          cancel();
        };
        const fail = (error: Error) => {
          settle();
          reject(error);
        };
        request.on('error', fail);
        request.once('socket', () => {
          connectedAt = clock.now();
        });
        request.once('response', (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', fail);
          response.once('end', () => {
            settle();
            const [first = Buffer.alloc(0)] = chunks;
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: chunks.length > 1 ? Buffer.concat(chunks) : first,
            });
          });
        });
        request.end(body);
      }),
    destroy() {
      plain.destroy();
      secure.destroy();
    },
  };
}

/** Once for each connection instead of once for each request. */
function limitConnecting(agent: Agent, connectMs: number): void {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (...args) => {
    const socket = connect(...args);
    if (socket !== null && socket !== undefined) giveUpAfter(socket, connectMs);
    return socket;
  };
}

function giveUpAfter(socket: Duplex, connectMs: number): void {
  const timer = setTimeout(() => socket.destroy(timeout('a connection', connectMs)), connectMs);
  const done = () => clearTimeout(timer);
  socket.once('connect', done).once('close', done);
}

/** The SDK's retry strategy tries again after an error of this name. */
const timeout = (awaited: string, ms: number): Error =>
  Object.assign(new Error(`There was not ${awaited} within ${Math.round(ms)} ms.`), { name: 'TimeoutError' });
