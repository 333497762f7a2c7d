import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { handleProtocols } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { networkOf } from '../access/address.ts';
import type { Identity } from '../access/auth.ts';
import type { Admission } from '../access/originPolicy.ts';
import { GRAPHQL_PATH } from '../graphql/yoga.ts';
import { requestIdOf } from '../http/requestId.ts';
import { CloseCode } from './closeCodes.ts';
import { createConnection, createCorking } from './connection.ts';
import { createOperationIds } from './operationIds.ts';
import { createSocketOperations, type Session, type SocketOperationsOptions } from './socketOperations.ts';

export interface WebSocketsOptions extends SocketOperationsOptions {
  readonly admission: Admission;
  readonly trustedProxies: number;
}

export interface WebSockets {
  /** For the HTTP server's `upgrade` event. */
  upgrade(request: IncomingMessage, raw: Duplex, head: Buffer): void;
  /** Closes with 4403 those whose token is no longer good: they are heard no more from this moment on. */
  closeWhere(isRefused: (identity: Identity) => boolean): void;
  /**
   * Takes no more, and closes each websocket with 1012 once its queries and mutations are answered.
   * Resolves when all are closed; those that are not after `stopMs` are cut off.
   */
  stop(): Promise<void>;
}

/** How long a client may take to answer that it was closed. */
const GOODBYE_MS = 1_000;

/** The websockets of one server: who gets one, and what becomes of them. */
export function createWebSockets(options: WebSocketsOptions): WebSockets {
  const { admission, limits, log, metrics, trustedProxies } = options;
  const operations = createSocketOperations(options);
  const sessions = new Map<WebSocket, Session>();
  const corking = createCorking();
  let stopping = false;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: limits.frameBytes,
    perMessageDeflate: false,
    handleProtocols,
  });

  function refusal(request: IncomingMessage): number | undefined {
    if (request.url?.split('?', 1)[0] !== GRAPHQL_PATH) return 404;
    if (admission.refusal(request) !== undefined) return 403;
    return stopping || sessions.size >= limits.sockets ? 503 : undefined;
  }

  function accept(socket: WebSocket, raw: Duplex, request: IncomingMessage) {
    const { send, sendParts, close } = createConnection({ socket, raw, limits, corking });
    const session: Session = {
      requestId: requestIdOf(request),
      acceptLanguage: request.headers['accept-language'],
      network: networkOf(request, trustedProxies),
      close,
      sendParts,
      identity: null,
      count: 0,
      underWay: 0,
      running: new Set(),
      subscriptions: new Set(),
      draining: false,
      closed: false,
      expiry: undefined,
    };
    sessions.set(socket, session);
    metrics.openSockets.inc();

    const failed = (error: unknown) => {
      log.error({ err: error, requestId: session.requestId }, 'a websocket failed');
      close(CloseCode.InternalServerError, 'Internal server error');
    };
    const closed = operations.opened(
      {
        protocol: socket.protocol,
        send,
        close,
        onMessage(handle) {
          // Who was sent away is heard no more, also where they take their time to go.
          const isOpen = () => socket.readyState === socket.OPEN;
          const onCount = (count: number) => {
            session.underWay = count;
          };
          const take = createOperationIds({ handle, close, isOpen, onCount });
          socket.on('message', (data) => {
            if (isOpen()) take(String(data)).catch(failed);
          });
        },
      },
      { session },
    );
    // What breaks the protocol below ours (an oversize frame, broken UTF-8): `ws` has closed it already.
    socket.on('error', (error) =>
      log.debug({ err: error, requestId: session.requestId }, 'a websocket broke'),
    );
    socket.once('close', (code, reason) => {
      sessions.delete(socket);
      metrics.openSockets.dec();
      closed(code, String(reason)).catch(failed);
    });
  }

  async function retire(socket: WebSocket, session: Session) {
    session.draining = true;
    await Promise.allSettled(session.running);
    // The answers are sent by what else awaits them: after the microtasks of this turn.
    await new Promise((resolve) => setImmediate(resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    if (socket.readyState === socket.CLOSED) return;
    socket.close(CloseCode.ServiceRestart, 'Service restart');
    await Promise.race([closed, wait(GOODBYE_MS, undefined, { ref: false })]);
    socket.terminate();
  }

  return {
    upgrade(request, raw, head) {
      const status = refusal(request);
      if (status === undefined) {
        return server.handleUpgrade(request, raw, head, (socket) => accept(socket, raw, request));
      }
      raw.on('error', () => raw.destroy());
      raw.once('finish', () => raw.destroy());
      raw.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    },
    closeWhere(isRefused) {
      for (const { identity, close } of sessions.values()) {
        if (identity !== null && isRefused(identity)) close(CloseCode.Forbidden, 'The token was revoked');
      }
    },
    async stop() {
      stopping = true;
      const all = [...sessions].map(([socket, session]) => retire(socket, session));
      await Promise.race([Promise.all(all), wait(limits.stopMs, undefined, { ref: false })]);
      for (const socket of sessions.keys()) socket.terminate();
    },
  };
}
