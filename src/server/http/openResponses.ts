import type { Server as HttpServer, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServerLimits } from '../limits.ts';

/** The responses of a connection that have not ended, the first of which has its turn. */
export type OpenResponses = (connection: Duplex) => ReadonlySet<ServerResponse>;

/**
 * Follows the responses of a server. Each of them emits `close` once, also if its connection is closed before it has its turn, for which
 * Node emits none. A client that takes nothing of a response that has ended for `unreadMs` is cut off: Node waits for it without end.
 * Call it before other listeners are added.
 */
export function followResponses(
  http: HttpServer,
  { unreadMs }: Pick<ServerLimits, 'unreadMs'>,
): OpenResponses {
  const open = new WeakMap<Duplex, Set<ServerResponse>>();
  http.on('connection', (connection: Duplex) => {
    const responses = new Set<ServerResponse>();
    open.set(connection, responses);
    connection.once('close', () => {
      for (const response of responses) if (isWaiting(response)) closeWaiting(response);
    });
  });
  http.on('request', ({ socket }, response) => {
    const responses = open.get(socket);
    responses?.add(response);
    response.once('close', () => responses?.delete(response));
    // From the moment when all of it is written to the connection until all of it has left. Before the server's own listener, which begins
    // the next response, or sets the limit of an idle connection.
    response.once('prefinish', () => socket.setTimeout(unreadMs));
    response.prependOnceListener('finish', () => {
      if (responses !== undefined && responses.size > 1) socket.setTimeout(0);
    });
  });
  return (connection) => open.get(connection) ?? NONE;
}

const NONE: ReadonlySet<ServerResponse> = new Set();

/** Whether it waits on its connection for those of earlier requests. */
export const isWaiting = ({ socket, writableFinished }: ServerResponse): boolean =>
  socket === null && !writableFinished;

function closeWaiting(response: ServerResponse): void {
  response.destroy();
  response.emit('close');
}
