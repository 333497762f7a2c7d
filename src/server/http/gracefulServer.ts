import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import type { ServerLimits } from '../limits.ts';

export interface GracefulServerOptions extends ServerOptions {
  readonly onRequest: RequestListener;
  readonly onUpgrade: NonNullable<Parameters<HttpServer['on']>[1]>;
  readonly limits: Pick<ServerLimits, 'stopMs' | 'firstRequestMs'>;
}

export interface GracefulServer {
  readonly http: HttpServer;
  /**
   * Accepts the connections that the kernel has accepted already, then stops accepting. Serves the open requests, and
   * the first one of each connection that has sent none, and asks clients to close their connections. `stopOthers` is
   * called at the same time. Cuts off the rest after `stopMs`.
   */
  stop(stopOthers: () => Promise<void>): Promise<void>;
  /** From now on every response asks the client to close its connection, so that it connects elsewhere. */
  closeAfterResponse(): void;
}

/** For how long connections are accepted after the stop has begun, if they arrive without a pause. */
const BACKLOG_MS = 1_000;

/** An HTTP server that resets no request when it stops. */
export function createGracefulServer(options: GracefulServerOptions): GracefulServer {
  const { onRequest, onUpgrade, limits, ...others } = options;
  const http = createHttpServer(others);
  const inFlight = new Set<ServerResponse>();
  /** Connections that have not sent a request yet. */
  const silent = new Set<Socket>();
  /** Responses that wait on their connection for those of earlier requests. */
  const waiting = new Map<Socket, Set<ServerResponse>>();
  let connections = 0;
  let closing = false;
  let onProgress = () => {};

  http.on('connection', (socket: Socket) => {
    connections++;
    silent.add(socket);
    socket.once('close', () => {
      markActive(socket);
      for (const response of waiting.get(socket) ?? []) closeWaiting(response);
    });
  });
  http.on('request', (request, response) => {
    markActive(request.socket);
    inFlight.add(response);
    if (response.socket === null) holdWaiting(response);
    if (closing) response.setHeader('connection', 'close');
    response.once('close', () => {
      inFlight.delete(response);
      onProgress();
    });
    onRequest(request, response);
  });
  http.on('upgrade', (request, socket, head) => {
    markActive(request.socket);
    onUpgrade(request, socket, head);
  });

  /** Node emits no `close` of a response if its connection is closed before the response has its turn. */
  function holdWaiting(response: ServerResponse): void {
    const { socket } = response.req;
    const all = waiting.get(socket) ?? new Set();
    waiting.set(socket, all.add(response));
    const release = () => {
      if (all.delete(response) && all.size === 0) waiting.delete(socket);
    };
    response.once('socket', release).once('close', release);
  }

  function closeWaiting(response: ServerResponse): void {
    response.destroy();
    response.emit('close');
  }

  function markActive(socket: Socket): void {
    if (silent.delete(socket)) onProgress();
  }

  function closeAfterResponse(): void {
    closing = true;
    for (const response of inFlight) if (!response.headersSent) response.setHeader('connection', 'close');
  }

  /** Resolves after a turn of the event loop in which no connection arrived: none is waiting in the kernel. */
  async function acceptBacklog(): Promise<void> {
    const until = performance.now() + BACKLOG_MS;
    for (let before = -1; before !== connections && performance.now() < until; ) {
      before = connections;
      await turn();
    }
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
      await acceptBacklog();
      const closed = new Promise((resolve) => http.close(resolve));
      const within = (ms: number) => wait(ms, undefined, { ref: false });
      const served = async () => {
        await Promise.race([progress(() => silent.size === 0), within(limits.firstRequestMs)]);
        await progress(() => inFlight.size === 0);
      };
      await Promise.all([stopOthers(), Promise.race([served(), within(limits.stopMs)])]);
      // These are connections without a request, and requests that took longer than `stopMs`.
      http.closeAllConnections();
      await closed;
    },
  };
}
