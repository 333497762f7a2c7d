import { stringifyDocument, type TypedDocumentNode } from '@urql/core';
import { CloseCode, createClient } from 'graphql-ws';
import type { Tokens } from '../session/tokens.ts';
import { createStore, type Store } from '../state/store.ts';
import { type Backoff, createBackoff } from './backoff.ts';
import { type ApiError, apiErrorOf } from './errors.ts';
import { pauseAfter } from './retry.ts';
import { createStalledSubscriptions } from './stalledSubscriptions.ts';

/**
 * `live`: the screen shows the current state. `away`: the screen may be out of date, and the client reconnects.
 * `refused`: the server does not accept the token (any more), and only another token helps.
 */
export type ConnectionState = 'connecting' | 'live' | 'away' | 'refused';

export interface SubscriptionHandler<TData, TVariables> {
  readonly document: TypedDocumentNode<TData, TVariables>;
  /** Called at each opening: a cursor, for example, has advanced by then. */
  variables(): TVariables;
  /** Called before each opening, including the first one. */
  onOpening?(): void;
  next(data: TData): void;
  /** Called if the subscription is not opened again: its subject does not exist, or the viewer has no access. */
  onRefused?(error: ApiError): void;
}

export interface Connection {
  readonly state: Pick<Store<ConnectionState>, 'get' | 'subscribe'>;
  /** Shared by subscriptions and requests (`withRetry`). */
  readonly backoff: Backoff;
  /** Subscribes, and subscribes again whenever the subscription ends, until the returned function is called. */
  subscribe<TData, TVariables extends object>(handler: SubscriptionHandler<TData, TVariables>): () => void;
  close(): void;
}

const PING_MS = 10_000;
const PONG_TIMEOUT_MS = 5_000;
/** The socket stays open between the end of one subscription and the start of the next. */
const IDLE_MS = 3_000;
/**
 * The server ends a subscription that it cannot begin within this time. One that lasts longer has begun, even if it
 * has no events yet.
 */
const BEGUN_AFTER_MS = 4_000;
const RENEWED_WITHIN_MS = 1_000;
const FINAL = new Set(['NOT_FOUND', 'FORBIDDEN', 'UNAUTHENTICATED', 'ACCOUNT_DELETED']);

/**
 * Whether the same subscription would be refused again. A server of an earlier release refuses a document that has a
 * new field (BAD_USER_INPUT without a field there), but the next connection may reach a server of this one.
 */
const isFinal = ({ code, field }: ApiError): boolean =>
  FINAL.has(code) || (code === 'BAD_USER_INPUT' && field !== undefined);

/** One websocket for all subscriptions of a user. */
export function createConnection(tokens: Tokens): Connection {
  const state = createStore<ConnectionState>('connecting');
  const backoff = createBackoff();
  let socket: ConnectionState = 'connecting';
  let isStalled = false;
  let serverReceivesEvents = true;
  let pong: ReturnType<typeof setTimeout> | undefined;
  /** The token of the newest socket. */
  let sent = '';
  /** The socket is closed to open another one with the renewed token. It does not count as lost. */
  let isReplacing = false;
  /** Settles when it is known whether there is a token in the place of one that the server has refused. */
  let renewing: Promise<void> = Promise.resolve();

  const show = () => {
    const isBehind = isStalled || !serverReceivesEvents;
    state.set(socket === 'live' && isBehind ? 'away' : socket);
  };
  function setSocket(next: ConnectionState): void {
    socket = next;
    show();
  }

  // The socket can be open while a room's events are missing: the server may have lost its source of events.
  const stalled = createStalledSubscriptions((is) => {
    isStalled = is;
    show();
  });

  const client = createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    connectionParams() {
      sent = tokens.current();
      return { authorization: `Bearer ${sent}` };
    },
    lazy: true,
    lazyCloseTimeout: IDLE_MS,
    // `subscribe` opens a subscription again, because only it knows the newest cursor.
    retryAttempts: 0,
    keepAlive: PING_MS,
    on: {
      connected() {
        serverReceivesEvents = true;
        isReplacing = false;
        setSocket('live');
        // The token may have been renewed meanwhile. Afterwards, because the client has not finished opening the
        // socket.
        void Promise.resolve().then(replace);
      },
      error() {
        isReplacing = false;
      },
      ping(received) {
        // If the network disappears silently, only the client can close the socket.
        if (!received) pong = setTimeout(() => client.terminate(), PONG_TIMEOUT_MS);
      },
      pong(received, payload) {
        if (!received) return;
        clearTimeout(pong);
        serverReceivesEvents = payload?.live !== false;
        show();
      },
      closed(event) {
        clearTimeout(pong);
        if (isRefusal(event)) {
          isReplacing = false;
          renewing = renew();
          return;
        }
        // A close event that does not come from the network is that of `terminate`.
        if (isReplacing && !(event instanceof CloseEvent)) return;
        isReplacing = false;
        if (socket !== 'refused') setSocket('away');
      },
    },
  });

  /** The socket does not count as lost if there is another token soon. Without one only another sign-in helps. */
  async function renew(): Promise<void> {
    const lost = () => {
      if (socket !== 'refused') setSocket('away');
    };
    const slow = setTimeout(lost, RENEWED_WITHIN_MS);
    try {
      if ((await tokens.renewed(sent)) === undefined) setSocket('refused');
    } catch {
      lost();
    } finally {
      clearTimeout(slow);
    }
  }

  /** Opens another socket before the server closes this one: a socket keeps the token that it was opened with. */
  function replace(): void {
    if (socket !== 'live' || sent === tokens.current()) return;
    isReplacing = true;
    client.terminate();
  }
  const stopReplacing = tokens.onRenewed(replace);
  const goOffline = () => client.terminate();
  addEventListener('offline', goOffline);
  addEventListener('online', backoff.retryNow);

  function subscribe<TData, TVariables extends object>(
    handler: SubscriptionHandler<TData, TVariables>,
  ): () => void {
    const query = stringifyDocument(handler.document);
    let isClosed = false;
    let close = () => {};

    function open(): void {
      if (isClosed) return;
      handler.onOpening?.();
      let isOver = false;
      const begun = setTimeout(stalled.remove, BEGUN_AFTER_MS, handler);
      close = () => {
        isOver = true;
        clearTimeout(begun);
        unsubscribe();
      };
      // Not `withRetry`, which is for requests: a subscription ends by events, at any time after it has begun.
      const reopen = (error?: ApiError) => {
        if (isOver) return;
        close();
        if (isReplacing) return void Promise.resolve().then(open);
        void Promise.all([pauseAfter(error, backoff), renewing]).then(() => {
          if (socket !== 'refused') open();
        });
      };
      const stall = (error?: ApiError) => {
        if (!isOver) stalled.add(handler);
        reopen(error);
      };
      const fail = (error: ApiError) => {
        if (isOver || !isFinal(error)) return stall(error);
        close();
        stalled.remove(handler);
        handler.onRefused?.(error);
      };
      const unsubscribe = client.subscribe<TData>(
        { query, variables: Object.fromEntries(Object.entries(handler.variables())) },
        {
          next({ data, errors }) {
            if (isOver) return;
            // The server sends an event again if it could only be read in part, since the cursor has not advanced.
            if (errors !== undefined) return fail(apiErrorOf(errors));
            backoff.succeeded();
            stalled.remove(handler);
            if (data !== undefined && data !== null) handler.next(data);
          },
          error: (error) => (Array.isArray(error) ? fail(apiErrorOf(error)) : reopen()),
          complete: () => stall(),
        },
      );
    }

    open();
    return () => {
      isClosed = true;
      close();
      stalled.remove(handler);
    };
  }

  return {
    state,
    backoff,
    subscribe,
    close() {
      stopReplacing();
      removeEventListener('offline', goOffline);
      removeEventListener('online', backoff.retryNow);
      void client.dispose();
    },
  };
}

const isRefusal = (event: unknown): boolean =>
  event instanceof CloseEvent &&
  (event.code === CloseCode.Forbidden || event.code === CloseCode.Unauthorized);
