import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { unavailable } from '../../core/errors.ts';
import { networkOfAddress } from '../access/anonymous.ts';
import type { ServerLimits } from '../limits.ts';
import { followResponses, isWaiting } from './openResponses.ts';
import { refuseMalformed, wholeRefusal } from './refusals.ts';

export interface GracefulServerOptions extends ServerOptions {
  readonly onRequest: RequestListener;
  readonly onUpgrade: NonNullable<Parameters<HttpServer['on']>[1]>;
  readonly limits: Pick<
    ServerLimits,
    'stopMs' | 'firstRequestMs' | 'idleConnections' | 'pipelinedRequests' | 'unreadMs'
  >;
  /** Whether all connections may come from one address, a proxy's. Then it limits them. */
  readonly behindProxy: boolean;
}

export interface GracefulServer {
  readonly http: HttpServer;
  /**
   * Accepts the connections that the kernel has accepted already, then stops accepting. Serves the open requests, and
   * one more of each connection that was opened or used just before, and asks clients to close their connections.
   * `stopOthers` is called at the same time. Requests that are open after `stopMs` get UNAVAILABLE, unless their
   * response has begun.
   */
  stop(stopOthers: () => Promise<void>): Promise<void>;
  /** From now on every response asks the client to close its connection, so that it connects elsewhere. */
  closeAfterResponse(): void;
}

/** For how long the stop waits for `PAUSE_MS` in which nothing arrives or leaves, and then for a short turn. */
const BACKLOG_MS = 1_000;
/** How long a client may take from a response to its next connection. */
const PAUSE_MS = 25;
const SHORT_TURN_MS = 1;
/** How long the last responses may take to leave. */
const REFUSAL_MS = 1_000;

/** An HTTP server that resets no request when it stops. */
export function createGracefulServer(options: GracefulServerOptions): GracefulServer {
  const { onRequest, onUpgrade, limits, behindProxy, ...others } = options;
  const http = createHttpServer(others);
  const open = followResponses(http, limits);
  refuseMalformed(http, open);
  const inFlight = new Set<ServerResponse>();
  /** When the connections that may send a request at any time were opened or used. */
  const idle = new Map<Socket, number>();
  /**
   * The same by their network, the one that is idle for longest first. A closed socket does not know its address any
   * more.
   */
  const idleOf = new Map<string, Set<Socket>>();
  const networks = new WeakMap<Socket, string>();
  /** The connections of websockets are never idle again. */
  const upgraded = new WeakSet<Socket>();
  /** Connections and requests that have arrived, and responses that have left: their clients may connect again. */
  let traffic = 0;
  /** Requests that arrived while the kernel's connections are accepted: they are begun after that. */
  let held: Array<() => void> | undefined;
  let closing = false;
  let onProgress = () => {};

  /** One function for all connections. */
  function onSocketClose(this: Socket): void {
    markActive(this);
  }
  http.on('connection', (socket: Socket) => {
    traffic++;
    markIdle(socket);
    // `once` would take three more objects for each connection, and `close` comes once.
    socket.on('close', onSocketClose);
  });
  http.on('request', (request, response) => {
    // Requests that arrived together are all emitted, also after the connection was ended.
    if (request.socket.destroyed) return;
    markActive(request.socket);
    // Otherwise one client could have hundreds of requests begun in a turn of the event loop.
    const isOneTooMany =
      isWaiting(response) && [...open(request.socket)].filter(isWaiting).length > limits.pipelinedRequests;
    if (isOneTooMany) return void request.socket.destroy();
    inFlight.add(response);
    if (closing) response.setHeader('connection', 'close');
    response.once('close', () => {
      traffic++;
      inFlight.delete(response);
      // The next request of the connection may have begun before this response left.
      const isLast = open(request.socket).size === 0 && !upgraded.has(request.socket);
      if (isLast && mayContinue(response)) markIdle(request.socket);
      onProgress();
    });
    traffic++;
    if (held === undefined) onRequest(request, response);
    else held.push(() => onRequest(request, response));
  });
  http.on('upgrade', (request, socket, head) => {
    markActive(request.socket);
    upgraded.add(request.socket);
    onUpgrade(request, socket, head);
  });

  /**
   * With one too many, closes the one that is idle for longest. Its client connects again, but a request that is just
   * on its way is lost.
   */
  function markIdle(socket: Socket): void {
    idle.set(socket, performance.now());
    const address = socket.remoteAddress;
    if (behindProxy || address === undefined) return;
    const network = networkOfAddress(address);
    const all = idleOf.get(network) ?? new Set();
    idleOf.set(network, all.add(socket));
    networks.set(socket, network);
    const [oldest] = all;
    if (oldest === undefined || all.size <= limits.idleConnections) return;
    // It emits `close` at the end of the turn, in which others may become idle.
    markActive(oldest);
    oldest.destroy();
  }

  function markActive(socket: Socket): void {
    const network = networks.get(socket) ?? '';
    const all = idleOf.get(network);
    if (all?.delete(socket) === true && all.size === 0) idleOf.delete(network);
    if (idle.delete(socket)) onProgress();
  }

  function closeAfterResponse(): void {
    closing = true;
    for (const response of inFlight) if (!response.headersSent) response.setHeader('connection', 'close');
  }

  /**
   * Stops accepting after a pause in which nothing arrived or left, and which ended with a short turn of the event
   * loop: then nothing waits in the kernel, which would reset it. A quiet turn alone may be the moment between the
   * responses and the next connections of their clients. No request is begun meanwhile: turns are short, and clients
   * that connect for each request wait.
   */
  async function closeListener(): Promise<{ readonly closed: Promise<void> }> {
    const until = performance.now() + BACKLOG_MS;
    held = [];
    for (let quiet = false; !quiet && performance.now() < until + BACKLOG_MS; ) {
      const before = traffic;
      if (performance.now() < until) await wait(PAUSE_MS);
      // After a timer or a turn the loop accepts before the end of the next turn; after a signal it may not.
      const startedAt = performance.now();
      await turn();
      quiet = traffic === before && performance.now() - startedAt < SHORT_TURN_MS;
    }
    // Not by the HTTP server's own method, which closes idle connections: a request may be on its way on one of them.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(http, () => resolve()));
    const requests = held;
    held = undefined;
    for (const begin of requests) begin();
    return { closed };
  }

  /** Resolves when the refusals have left, or after `REFUSAL_MS`. */
  async function refuseRest(): Promise<void> {
    const refused = [...inFlight].flatMap(({ headersSent, socket }) => {
      if (headersSent || socket === null) return [];
      // Not by the response: what serves the request may still write to it.
      return [
        new Promise<void>((resolve) =>
          socket.once('close', () => resolve()).end(wholeRefusal({ error: unavailable() })),
        ),
      ];
    });
    await Promise.race([Promise.all(refused), wait(REFUSAL_MS, undefined, { ref: false })]);
  }

  /** Resolves when `isDone`, which is asked whenever a request ends or a connection sends its first one. */
  const progress = (isDone: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      onProgress = () => isDone() && resolve();
      onProgress();
    });

  return {
    http,
    closeAfterResponse,
    async stop(stopOthers) {
      closeAfterResponse();
      const { closed } = await closeListener();
      const within = (ms: number) => wait(ms, undefined, { ref: false });
      const served = async () => {
        const since = performance.now() - limits.firstRequestMs;
        for (const [socket, at] of idle) if (at < since) idle.delete(socket);
        await Promise.race([progress(() => idle.size === 0), within(limits.firstRequestMs)]);
        http.close();
        await progress(() => inFlight.size === 0);
      };
      await Promise.all([stopOthers(), Promise.race([served(), within(limits.stopMs)])]);
      await refuseRest();
      // These are connections without a request, and responses that took longer than `stopMs`.
      http.closeAllConnections();
      await closed;
    },
  };
}

/** Whether the client may send another request on the connection of a response that has left. */
const mayContinue = (response: ServerResponse): boolean =>
  response.shouldKeepAlive && response.getHeader('connection') !== 'close' && !response.req.socket.destroyed;
