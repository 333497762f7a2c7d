import { stringifyDocument, type TypedDocumentNode } from '@urql/core';
import { CloseCode, createClient } from 'graphql-ws';
import { createStore, type Store } from '../state/store.ts';
import { type ApiError, apiErrorOf } from './errors.ts';
import { createHalts } from './halts.ts';
import { createRetryGate, type RetryGate } from './retryGate.ts';

/**
 * `live`: what is shown is what is. `away`: it may be old; the client tries to come back. `refused`: the
 * token is not good (any more), and nothing but a new one helps.
 */
export type ConnectionState = 'connecting' | 'live' | 'away' | 'refused';

export interface Listening<TData, TVariables> {
  readonly document: TypedDocumentNode<TData, TVariables>;
  /** Asked for anew at each opening: a cursor, for example, is further by then. */
  variables(): TVariables;
  /** Before each opening, the first included. */
  opening?(): void;
  next(data: TData): void;
  /** It will not be tried again: there is no such thing, or it is not for the viewer. */
  refused?(error: ApiError): void;
}

export interface Connection {
  readonly state: Pick<Store<ConnectionState>, 'get' | 'subscribe'>;
  /** Where requests that failed wait, too. */
  readonly gate: RetryGate;
  /** Subscribes, and again whenever the subscription ends, until the returned function is called. */
  listen<TData, TVariables extends object>(listening: Listening<TData, TVariables>): () => void;
  close(): void;
}

const PING_MS = 10_000;
const PONG_WITHIN_MS = 5_000;
/** One subscription may end and the next begin: the socket stays in between. */
const IDLE_MS = 3_000;
/**
 * A subscription that the server cannot begin is ended within this time. One that stands for so long has begun,
 * also where there is nothing to tell.
 */
const BEGUN_AFTER_MS = 4_000;
const FINAL = new Set(['NOT_FOUND', 'FORBIDDEN', 'BAD_USER_INPUT', 'UNAUTHENTICATED']);

/** One websocket for all subscriptions of a person. */
export function createConnection(token: string): Connection {
  const state = createStore<ConnectionState>('connecting');
  const gate = createRetryGate();
  let socket: ConnectionState = 'connecting';
  let isHalted = false;
  let pong: ReturnType<typeof setTimeout> | undefined;

  const show = () => state.set(socket === 'live' && isHalted ? 'away' : socket);
  function becomes(next: ConnectionState): void {
    socket = next;
    show();
  }

  // The socket is open, and rooms stand still: the server has lost what tells it of them.
  const halts = createHalts((is) => {
    isHalted = is;
    show();
  });

  const client = createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    connectionParams: { authorization: `Bearer ${token}` },
    lazy: true,
    lazyCloseTimeout: IDLE_MS,
    // `listen` tries again: only there is the newest cursor known.
    retryAttempts: 0,
    keepAlive: PING_MS,
    on: {
      connected: () => becomes('live'),
      ping(received) {
        // A network that is gone without a word: nobody closes the socket but we.
        if (!received) pong = setTimeout(() => client.terminate(), PONG_WITHIN_MS);
      },
      pong(received) {
        if (received) clearTimeout(pong);
      },
      closed(event) {
        clearTimeout(pong);
        if (isRefusal(event)) becomes('refused');
        else if (socket !== 'refused') becomes('away');
      },
    },
  });

  const goOffline = () => client.terminate();
  addEventListener('offline', goOffline);
  addEventListener('online', gate.open);

  function listen<TData, TVariables extends object>(listening: Listening<TData, TVariables>): () => void {
    const query = stringifyDocument(listening.document);
    let ended = false;
    let close = () => {};

    function open(): void {
      if (ended) return;
      listening.opening?.();
      let over = false;
      const begun = setTimeout(halts.over, BEGUN_AFTER_MS, listening);
      close = () => {
        over = true;
        clearTimeout(begun);
        unsubscribe();
      };
      const again = () => {
        if (over) return;
        close();
        if (socket !== 'refused') void gate.wait().then(open);
      };
      const halt = () => {
        if (!over) halts.ended(listening);
        again();
      };
      const fail = (error: ApiError) => {
        if (over || !FINAL.has(error.code)) return halt();
        close();
        halts.over(listening);
        listening.refused?.(error);
      };
      const unsubscribe = client.subscribe<TData>(
        { query, variables: Object.fromEntries(Object.entries(listening.variables())) },
        {
          next({ data, errors }) {
            if (over) return;
            // What could not be read whole is told again: the cursor stays where it was.
            if (errors !== undefined) return fail(apiErrorOf(errors));
            gate.succeeded();
            halts.over(listening);
            if (data !== undefined && data !== null) listening.next(data);
          },
          error: (error) => (Array.isArray(error) ? fail(apiErrorOf(error)) : again()),
          complete: halt,
        },
      );
    }

    open();
    return () => {
      ended = true;
      close();
      halts.over(listening);
    };
  }

  return {
    state,
    gate,
    listen,
    close() {
      removeEventListener('offline', goOffline);
      removeEventListener('online', gate.open);
      void client.dispose();
    },
  };
}

const isRefusal = (event: unknown): boolean =>
  event instanceof CloseEvent &&
  (event.code === CloseCode.Forbidden || event.code === CloseCode.Unauthorized);
