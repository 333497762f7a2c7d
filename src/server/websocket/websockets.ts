import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { handleProtocols } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { forbidden, notFound, unavailable } from '../../core/errors.ts';
import type { Identity } from '../../core/identity.ts';
import { networkOf } from '../access/anonymous.ts';
import { invalidHost } from '../access/hostHeader.ts';
import type { OriginPolicy } from '../access/originPolicy.ts';
import { createCorking } from '../corking.ts';
import { GRAPHQL_PATH } from '../graphql/yoga.ts';
import { requestIdOf } from '../http/httpListener.ts';
import { cutOffUnread } from '../http/openResponses.ts';
import { badRequest, type Refusal, wholeRefusal } from '../http/refusals.ts';
import { createPings } from '../pings.ts';
import { CloseCode } from './closeCodes.ts';
import { createConnection } from './connection.ts';
import { createOperationIds, type MessageHandler } from './operationIds.ts';
import {
  createSocketOperations,
  type Session,
  type SocketOperationsOptions,
  tooMany,
} from './socketOperations.ts';

export interface WebSocketsOptions extends SocketOperationsOptions {
  readonly originPolicy: OriginPolicy;
  readonly trustedProxies: number;
  /** Whether events reach this server now. Default: always. */
  readonly receivesEvents?: () => boolean;
}

export interface WebSockets {
  /** The listener for the HTTP server's `upgrade` event. */
  upgrade(request: IncomingMessage, raw: Duplex, head: Buffer): void;
  /** Closes the websockets of refused identities with 4403. Nothing that they send after this is read. */
  closeWhere(isRefused: (identity: Identity) => boolean): void;
  /**
   * Accepts no more websockets, and closes each one with 1012 after its queries and mutations have ended, or after
   * `stopMs`. Resolves when all are closed, which are cut off if their clients do not answer.
   */
  stop(): Promise<void>;
}

/** How long a client may take to confirm the close. */
const CLOSE_MS = 1_000;
/** More parts than a client makes of the largest message: 256 KiB in parts of 1 KiB. Empty parts count as well. */
const FRAGMENTS_MAX = 256;

/** Opens, counts and closes the websockets of one server. */
export function createWebSockets(options: WebSocketsOptions): WebSockets {
  const { originPolicy, limits, log, metrics, trustedProxies, usage, receivesEvents = () => true } = options;
  const operations = createSocketOperations(options);
  const sessions = new Map<WebSocket, Session>();
  const corking = createCorking();
  const dropped = (reason: string) => () => metrics.droppedReaders.inc({ reason });
  const pings = createPings(limits.pingMs, { onSilent: dropped('silent') });
  const onStalled = dropped('stalled');
  let stopping = false;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: limits.frameBytes,
    maxFragments: FRAGMENTS_MAX,
    perMessageDeflate: false,
    // They are charged first.
    autoPong: false,
    handleProtocols,
  });

  function refusalOf(request: IncomingMessage): Refusal | undefined {
    const malformed = invalidHost(request);
    if (malformed !== undefined) return badRequest(400, malformed);
    if (request.url?.split('?', 1)[0] !== GRAPHQL_PATH) return { error: notFound() };
    const refused = originPolicy.refusal(request);
    if (refused !== undefined) return { error: forbidden(refused) };
    if (request.method !== 'GET') {
      return { ...badRequest(405, 'A websocket is opened by GET.'), headers: { allow: 'GET' } };
    }
    if (!isVersionServed(request)) {
      return {
        ...badRequest(400, 'The only version of the websocket protocol that is served is 13.'),
        headers: { 'sec-websocket-version': '13' },
      };
    }
    return stopping || sessions.size >= limits.sockets ? { error: unavailable() } : undefined;
  }

  function accept(socket: WebSocket, raw: Duplex, request: IncomingMessage) {
    const network = networkOf(request, trustedProxies);
    // Also before its token is known: otherwise one network could have all sockets that have not sent theirs.
    const place = usage.take('sockets', { user: null, network });
    if (place === undefined) return refuse(socket);
    const connection = createConnection({ socket, raw, limits, corking, pings, onStalled });
    // What is called later does not use the request: each open websocket would keep it, with its headers.
    const stream = request.socket;
    const session: Session = {
      requestId: requestIdOf(request),
      acceptLanguage: request.headers['accept-language'],
      network,
      connection,
      identity: null,
      count: 0,
      active: 0,
      running: undefined,
      isNew: true,
      charged: stream.bytesRead,
      unpaid: 0,
      draining: false,
      closed: false,
      held: new Set([place]),
      stopExpiry: undefined,
    };
    sessions.set(socket, session);
    metrics.openSockets.inc();

    const failed = (error: unknown) => {
      log.error({ err: error, requestId: session.requestId }, 'A websocket failed');
      connection.close(CloseCode.InternalServerError, 'Internal server error');
    };
    const closed = operations.opened(
      {
        protocol: socket.protocol,
        send: (data) => connection.send(data),
        close: (code = CloseCode.InternalServerError, reason = '') => connection.close(code, reason),
        // A client without a room open has no other way to learn that what it shows may be out of date.
        onPing: (payload = receivesEvents() ? undefined : { live: false }) =>
          connection.send(JSON.stringify({ type: 'pong', payload })),
        onMessage(handle) {
          // Its type says text, but it takes parsed messages as well.
          const operationIds = createOperationIds({
            handle: handle as MessageHandler,
            socket,
            session,
            onError: failed,
          });
          const mayTake = (bytes: Buffer) => {
            // After the server has closed a websocket, nothing more is read from it, even if the client stays
            // connected.
            if (socket.readyState === socket.OPEN)
              return operations.isAffordable(session, bytes.length, stream.bytesRead);
            // `ws` would read on until the client confirms the close.
            if (operations.isFlooding(session)) socket.terminate();
            return false;
          };
          // `ws` has it in one buffer, unless its `binaryType` is changed.
          socket.on('message', (data) => mayTake(data as Buffer) && operationIds.take(String(data)));
          socket.on('ping', (data) => mayTake(data) && connection.pong(data));
          socket.on('pong', mayTake);
        },
      },
      { session },
    );
    // The client violated the websocket protocol (an oversize frame, broken UTF-8). `ws` has closed it already.
    socket.on('error', (error) =>
      log.debug(
        { err: error, requestId: session.requestId },
        'A websocket was closed for an error of its client',
      ),
    );
    // Not `once`: see `pings.ts`.
    socket.on('close', (code, reason) => {
      sessions.delete(socket);
      metrics.openSockets.dec();
      // Here, because graphql-ws ends the subscriptions first, and one of them may fail.
      session.closed = true;
      session.stopExpiry?.();
      for (const release of session.held) release();
      closed(code, String(reason)).catch(failed);
    });
  }

  // What `ws` refuses itself: a wrong header of the handshake. By default it responds with HTML.
  server.on('wsClientError', ({ message }, raw, request) =>
    endWith(badRequest(400, `${message}.`), request, raw),
  );

  function endWith(refusal: Refusal, { socket }: IncomingMessage, raw: Duplex): void {
    raw.on('error', () => raw.destroy());
    raw.once('finish', () => raw.destroy());
    // Earlier responses may be before it, which the client does not read.
    raw.once('close', cutOffUnread(socket, limits.unreadMs));
    raw.end(wholeRefusal(refusal));
  }

  /** The client learns why, which it could not from a refused upgrade. */
  function refuse(socket: WebSocket): void {
    socket.on('error', () => {});
    socket.close(CloseCode.TooManyRequests, tooMany('sockets'));
    const timer = setTimeout(() => socket.terminate(), CLOSE_MS);
    socket.once('close', () => clearTimeout(timer));
  }

  async function drain(socket: WebSocket, session: Session, late: Promise<void>) {
    session.draining = true;
    await Promise.race([Promise.allSettled(session.running ?? []), late]);
    // graphql-ws awaits the same promises, and sends the results in microtasks of this turn.
    await new Promise((resolve) => setImmediate(resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    if (socket.readyState === socket.CLOSED) return;
    socket.close(CloseCode.ServiceRestart, 'Service restart');
    await Promise.race([closed, wait(CLOSE_MS, undefined, { ref: false })]);
    socket.terminate();
  }

  return {
    upgrade(request, raw, head) {
      const refusal = refusalOf(request);
      if (refusal === undefined) {
        return server.handleUpgrade(request, raw, head, (socket) => accept(socket, raw, request));
      }
      endWith(refusal, request, raw);
    },
    closeWhere(isRefused) {
      for (const { identity, connection } of sessions.values()) {
        if (identity === null || !isRefused(identity)) continue;
        connection.close(CloseCode.Forbidden, 'The token was revoked');
      }
    },
    async stop() {
      stopping = true;
      const late = wait(limits.stopMs, undefined, { ref: false });
      await Promise.all([...sessions].map(([socket, session]) => drain(socket, session, late)));
      for (const socket of sessions.keys()) socket.terminate();
    },
  };
}

/** `ws` also serves version 8, in which the header `Origin` has another name. */
const isVersionServed = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() !== 'websocket' || headers['sec-websocket-version'] === '13';
