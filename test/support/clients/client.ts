import { type Client, createClient as createSocket } from 'graphql-ws';
import WebSocket from 'ws';
import { defined } from '../../../src/core/defined.ts';
import type { TypedDocumentString } from '../../generated/graphql.ts';
import { eventually, inTime, PATIENCE_MS } from '../time/eventually.ts';

export interface Answer<T> {
  readonly data?: T | null;
  readonly errors?: ReadonlyArray<{
    readonly message: string;
    readonly path?: ReadonlyArray<string | number>;
    readonly extensions?: {
      readonly code?: string;
      readonly reason?: string;
      readonly field?: string;
      readonly limit?: number;
    };
  }>;
}

/** An open subscription, with its events in order. */
export interface Live<T> {
  /** Takes the next event. Rejects if the subscription ends or no event arrives in time (`fairTime.ts`). */
  next(options?: { readonly patienceMs: number }): Promise<T>;
  /** Takes events up to and including the first one that meets the condition. */
  until(condition: (event: T) => boolean): Promise<T>;
  /** All events that were taken. */
  readonly seen: readonly T[];
  close(): void;
}

/** Fields of `Query` that are null without an error. */
type NullableQuery = 'node' | 'room' | 'user';

/** Data without errors: every mutation in it succeeded, so none of its fields is null. */
export type Done<T> = { [Field in keyof T]: Field extends NullableQuery ? T[Field] : NonNullable<T[Field]> };

/** A client like those of the product's users: HTTP for queries and mutations, a websocket for subscriptions. */
export interface TestClient {
  /** Returns the response with its errors. */
  send<T, V>(document: TypedDocumentString<T, V>, variables?: V): Promise<Answer<T>>;
  /** Returns the data, or rejects if there are errors. */
  do<T, V>(document: TypedDocumentString<T, V>, variables?: V): Promise<Done<T>>;
  /** Returns the code of the first error, or undefined if there is none. */
  refused<T, V>(document: TypedDocumentString<T, V>, variables?: V): Promise<string | undefined>;
  subscribe<T, V extends Record<string, unknown>>(
    document: TypedDocumentString<T, V>,
    variables?: V,
  ): Live<T>;
  close(): Promise<void>;
}

export interface ClientOptions {
  /** The `Accept-Language` header. Default: what Node sends. */
  readonly acceptLanguage?: string;
  /**
   * Repeats requests that are answered with UNAVAILABLE, as a client has to. For servers with the product's deadlines,
   * which a busy machine may miss. A repeated `sendMessage` may store two messages.
   */
  readonly patient?: boolean;
}

export function createClient(
  url: string,
  token: string,
  { acceptLanguage, patient = false }: ClientOptions = {},
): TestClient {
  const language = acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage };
  let socket: Client | undefined;

  const send: TestClient['send'] = (document, variables) =>
    patient
      ? eventually(async () => {
          const answer = await sendOnce(document, variables);
          const unavailable = answer.errors?.find(({ extensions }) => extensions?.code === 'UNAVAILABLE');
          if (unavailable !== undefined) throw new Error(unavailable.message);
          return answer;
        })
      : sendOnce(document, variables);

  async function sendOnce<T, V>(document: TypedDocumentString<T, V>, variables?: V): Promise<Answer<T>> {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json',
        authorization: `Bearer ${token}`,
        ...language,
      },
      body: JSON.stringify({ query: document.toString(), variables }),
    });
    return (await response.json()) as Answer<T>;
  }

  return {
    send,
    async do<T, V>(document: TypedDocumentString<T, V>, variables?: V) {
      const { data, errors } = await send(document, variables);
      if (errors !== undefined || data === undefined || data === null) {
        throw new Error(`The operation failed: ${JSON.stringify(errors)}`);
      }
      return data as Done<T>;
    },
    async refused(document, variables) {
      return (await send(document, variables)).errors?.[0]?.extensions?.code;
    },
    subscribe(document, variables) {
      socket ??= createSocket({
        url: `${url.replace('http', 'ws')}/graphql`,
        webSocketImpl: class extends WebSocket {
          constructor(address: string, protocols: string) {
            super(address, protocols, { headers: language });
          }
        },
        connectionParams: { authorization: `Bearer ${token}` },
        retryAttempts: 0,
      });
      return listen(socket, document.toString(), variables);
    },
    async close() {
      await socket?.dispose();
    },
  };
}

function listen<T>(socket: Client, query: string, variables: Record<string, unknown> | undefined): Live<T> {
  const arrived: T[] = [];
  const seen: T[] = [];
  let ended: Error | undefined;
  let wake = () => {};

  const close = socket.subscribe<T>(
    { query, ...defined({ variables }) },
    {
      next({ data, errors }) {
        if (errors !== undefined) ended = new Error(JSON.stringify(errors));
        else arrived.push(data as T);
        wake();
      },
      error(error) {
        ended = error instanceof Error ? error : new Error(JSON.stringify(error));
        wake();
      },
      complete() {
        ended ??= new Error('The subscription is complete.');
        wake();
      },
    },
  );

  async function next({ patienceMs } = { patienceMs: PATIENCE_MS }): Promise<T> {
    for (;;) {
      const event = arrived.shift();
      if (event !== undefined) {
        seen.push(event);
        return event;
      }
      if (ended !== undefined) throw ended;
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const late = () => `No event arrived in ${patienceMs} ms; seen: ${JSON.stringify(seen)}`;
      await inTime(woken, late, patienceMs);
    }
  }

  return {
    next,
    seen,
    close,
    async until(condition) {
      for (;;) {
        const event = await next();
        if (condition(event)) return event;
      }
    },
  };
}
