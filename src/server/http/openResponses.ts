import type { Server as HttpServer, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ServerLimits } from '../limits.ts';

/** The responses of a connection that have not ended, the first of which has its turn. */
export type OpenResponses = (connection: Duplex) => ReadonlySet<ServerResponse>;

/**
 * Follows the responses of a server. Each of them emits `close` once, also if its connection is closed before it has
 * its turn, for which Node emits none. A client that reads nothing of a complete response for `unreadMs` is cut off:
 * Node would wait for it forever. Call it before other listeners are added.
 */
export function followResponses(
  http: HttpServer,
  { unreadMs }: Pick<ServerLimits, 'unreadMs'>,
): OpenResponses {
  const open = new WeakMap<Duplex, Set<ServerResponse>>();
  /** One function for all connections, most of which are idle. */
  function onClose(this: Duplex): void {
    for (const response of open.get(this) ?? NONE) if (isWaiting(response)) closeWaiting(response);
  }
  // Not `once`: see `gracefulServer.ts`.
  http.on('connection', (connection: Duplex) => connection.on('close', onClose));
  http.on('request', ({ socket }, response) => {
    // Not for each connection: one that becomes a websocket has no response.
    const responses = open.get(socket) ?? new Set<ServerResponse>();
    open.set(socket, responses.add(response));
    response.once('close', () => responses.delete(response));
    // From the moment when all of it is written to the connection until all of it has left: most leave in the same
    // turn.
    response.once('prefinish', () => {
      if (socket.writableLength === 0) return;
      const stop = cutOffUnread(socket, unreadMs);
      response.once('finish', stop).once('close', stop);
    });
  });
  return (connection) => open.get(connection) ?? NONE;
}

const NONE: ReadonlySet<ServerResponse> = new Set();

/** Whether it waits on its connection for those of earlier requests. */
export const isWaiting = ({ socket, writableFinished }: ServerResponse): boolean =>
  socket === null && !writableFinished;

/**
 * Cuts off a client that reads nothing for `ms`, until the returned function is called. The socket's own timeout starts
 * again with each byte that the client sends, so a client that sends empty lines would never be cut off.
 */
export function cutOffUnread(socket: Socket, ms: number): () => void {
  let unread = unreadOf(socket);
  const timer = setInterval(() => {
    const before = unread;
    unread = unreadOf(socket);
    if (unread >= before) socket.destroy();
  }, ms);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Falls whenever the kernel takes something. `writableLength` alone counts the whole of a write until all of it is
 * taken.
 */
function unreadOf(
  socket: Socket & { readonly _handle?: { readonly writeQueueSize: number } | null },
): number {
  const { _handle: handle, writableLength } = socket;
  // Node's own timeout of a socket looks at it, too.
  return writableLength + (handle?.writeQueueSize ?? 0);
}

function closeWaiting(response: ServerResponse): void {
  response.destroy();
  response.emit('close');
}
