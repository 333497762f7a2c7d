import { stringifyDocument, type TypedDocumentNode } from '@urql/core';
import { CloseCode, createClient } from 'graphql-ws';
import { createStore, type Store } from '../state/store.ts';
import { type ApiError, apiErrorOf } from './errors.ts';
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
const FINAL = new Set(['NOT_FOUND', 'FORBIDDEN', 'BAD_USER_INPUT', 'UNAUTHENTICATED']);

/** One websocket for all subscriptions of a person. */
export function createConnection(token: string): Connection {
  const state = createStore<ConnectionState>('connecting');
  const gate = createRetryGate();
  let pong: ReturnType<typeof setTimeout> | undefined;

  const client = createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    connectionParams: { authorization: `Bearer ${token}` },
    lazy: true,
    lazyCloseTimeout: IDLE_MS,
    // `listen` tries again: only there is the newest cursor known.
    retryAttempts: 0,
    keepAlive: PING_MS,
    on: {
      connected: () => state.set('live'),
      ping(received) {
        // A network that is gone without a word: nobody closes the socket but we.
        if (!received) pong = setTimeout(() => client.terminate(), PONG_WITHIN_MS);
      },
      pong(received) {
        if (received) clearTimeout(pong);
      },
      closed(event) {
        clearTimeout(pong);
        if (isRefusal(event)) state.set('refused');
        else if (state.get() !== 'refused') state.set('away');
      },
    },
  });

  const goOffline = () => client.terminate();
  addEventListener('offline', goOffline);
  addEventListener('online', gate.open);

  function listen<TData, TVariables extends object>(listening: Listening<TData, TVariables>): () => void {
    const query = stringifyDocument(listening.document);
    let ended = false;
    let unsubscribe = () => {};

    function open(): void {
      if (ended) return;
      listening.opening?.();
      let over = false;
      const again = () => {
        if (over) return;
        over = true;
        if (!ended && state.get() !== 'refused') void gate.wait().then(open);
      };
      const fail = (error: ApiError) => {
        if (!FINAL.has(error.code)) return again();
        over = true;
        if (!ended) listening.refused?.(error);
      };
      unsubscribe = client.subscribe<TData>(
        { query, variables: Object.fromEntries(Object.entries(listening.variables())) },
        {
          next({ data, errors }) {
            if (ended || over) return;
            if (errors !== undefined) return fail(apiErrorOf(errors));
            gate.succeeded();
            if (data !== undefined && data !== null) listening.next(data);
          },
          error: (error) => (Array.isArray(error) ? fail(apiErrorOf(error)) : again()),
          complete: again,
        },
      );
    }

    open();
    return () => {
      ended = true;
      unsubscribe();
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
