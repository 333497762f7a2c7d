/** Clients that return every answer as text too, over each transport, with a valid, an expired or no token. */
import { createClient as createEventStreams, NetworkError } from 'graphql-sse';
import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { tokenFor } from '../../support/clients/tokens.ts';
import { eventually } from '../../support/time/eventually.ts';
import type { UserKind } from './oracle.ts';
import type { RoomFixture } from './room.ts';

export const TRANSPORTS = ['HTTP', 'websocket'] as const;
export type Transport = (typeof TRANSPORTS)[number];
/** The transports of subscriptions. */
export const LIVE_TRANSPORTS = ['websocket', 'SSE'] as const;
export type LiveTransport = (typeof LIVE_TRANSPORTS)[number];

interface GraphQLFailure {
  readonly message: string;
  readonly path?: ReadonlyArray<string | number>;
  readonly extensions?: { readonly code?: string };
}

export interface Answer {
  readonly data: unknown;
  readonly errors: readonly GraphQLFailure[];
  /** The whole answer as it arrived. */
  readonly text: string;
  /** The close code, or the status of an event stream that was refused, if there is no answer. */
  readonly closed?: number;
}

/** A subscription. */
export interface Subscription {
  /** What arrived until now: events, or the refusal. */
  readonly answers: readonly Answer[];
  /** Resolves to the first answer. */
  first(): Promise<Answer>;
  /** Resolves to the first answer that meets the condition. */
  until(condition: (answer: Answer) => boolean): Promise<Answer>;
  /** Resolves when the subscription has ended. */
  ended(): Promise<void>;
  /** Ends it. */
  close(): void;
}

export type Variables = Readonly<Record<string, unknown>>;

export interface HttpClient {
  request(query: string, variables: Variables): Promise<Answer>;
}

export interface LiveClient extends HttpClient {
  subscribe(query: string, variables: Variables): Subscription;
  close(): Promise<void>;
}

export interface Clients {
  readonly HTTP: HttpClient;
  readonly websocket: LiveClient;
  readonly SSE: LiveClient;
}

/** The expired token is the owner's, who could do everything with a valid one. */
export async function clientsOf(
  url: string,
  { users }: Pick<RoomFixture, 'users'>,
  kind: UserKind,
): Promise<Clients> {
  const token = await tokenOf(users, kind);
  return {
    HTTP: httpClient(url, token),
    websocket: webSocketClient(url, token),
    SSE: eventStreamClient(url, token),
  };
}

async function tokenOf(users: RoomFixture['users'], kind: UserKind): Promise<string | null> {
  if (kind === 'anonymous') return null;
  if (kind === 'expired') return tokenFor(users.owner.handle, '1 hour ago');
  // `signOutEverywhere` refuses those that were issued until then: this one serves the other cases as well.
  return tokenFor(users[kind].handle, '2 hours', '1 hour from now');
}

/** What is wrong with an answer that has to be UNAUTHENTICATED, or null. */
export function unauthenticatedMismatch({ data, errors, closed }: Answer): string | null {
  if (closed !== undefined) return IS_REFUSED.has(closed) ? null : `closed with ${closed}`;
  const codes = new Set(errors.map(({ extensions }) => extensions?.code));
  if (codes.size !== 1 || !codes.has('UNAUTHENTICATED')) return [...codes].join(', ') || 'no error';
  return isEmpty(data) ? null : 'data';
}

/** What a live client of a token that is not valid gets instead of an answer. */
const IS_REFUSED: ReadonlySet<number> = new Set([4403, 401]);

/** Whether no field has a value. */
export const isEmpty = (data: unknown): boolean =>
  data === null || Object.values(data as object).every((value) => value === null);

interface Result {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLFailure[];
}

const answerOf = (text: string): Answer => {
  const { data = null, errors = [] } = JSON.parse(text) as Result;
  return { data, errors, text };
};

const path = '/graphql';

/** `token`: null to send none. */
export function httpClient(url: string, token: string | null): HttpClient {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/graphql-response+json',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
  return {
    async request(query, variables) {
      const body = JSON.stringify({ query, variables });
      const response = await fetch(url + path, { method: 'POST', headers, body });
      return answerOf(await response.text());
    },
  };
}

/** Opens its socket with the first request and keeps it open. `token`: null to send none. */
export function webSocketClient(url: string, token: string | null): LiveClient {
  let socket: Client | undefined;
  const client = () => {
    socket ??= createClient({
      url: url.replace('http', 'ws') + path,
      webSocketImpl: WebSocket,
      connectionParams: token === null ? {} : { authorization: `Bearer ${token}` },
      retryAttempts: 0,
      lazyCloseTimeout: 60_000,
      onNonLazyError: () => {},
    });
    return socket;
  };

  return liveClient({
    start: (request, sink) => client().subscribe<unknown>(request, sink),
    close: () => void socket?.dispose(),
  });
}

/** One connection for each operation. `token`: null to send none. */
export function eventStreamClient(url: string, token: string | null): LiveClient {
  const client = createEventStreams({
    url: url + path,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    retryAttempts: 0,
  });
  return liveClient({
    start: (request, sink) => client.subscribe<unknown, unknown>(request, sink),
    close: () => client.dispose(),
  });
}

/** What the libraries of both transports have in common. */
interface LiveTransportClient {
  start(
    request: { readonly query: string; readonly variables: Record<string, unknown> },
    sink: { next(result: unknown): void; error(failure: unknown): void; complete(): void },
  ): () => void;
  close(): void;
}

function liveClient({ start, close: dispose }: LiveTransportClient): LiveClient {
  function subscribe(query: string, variables: Variables): Subscription & { readonly over: Promise<void> } {
    const answers: Answer[] = [];
    let close = () => {};
    let isOver = false;
    const over = new Promise<void>((resolve) => {
      close = start(
        { query, variables: { ...variables } },
        {
          next: (result) => answers.push(answerOf(JSON.stringify(result))),
          error(failure) {
            answers.push(failureOf(failure));
            resolve();
          },
          complete: resolve,
        },
      );
    }).then(() => {
      isOver = true;
    });
    const until = (condition: (answer: Answer) => boolean): Promise<Answer> =>
      eventually(() => {
        const found = answers.find(condition);
        if (found !== undefined) return found;
        throw new Error(`The answer did not arrive. Answers: ${answers.map(({ text }) => text)}`);
      });
    const ended = (): Promise<void> =>
      eventually(() => {
        if (!isOver) throw new Error('The subscription is still open.');
      });
    return { answers, until, first: () => until(() => true), ended, over, close };
  }

  return {
    subscribe,
    async request(query, variables) {
      const { over, answers } = subscribe(query, variables);
      await over;
      const [answer] = answers;
      if (answer === undefined) throw new Error(`No answer to ${query}`);
      return answer;
    },
    close: async () => dispose(),
  };
}

/** The errors of a refused operation, the close code of the socket, or how an event stream was refused or ended. */
function failureOf(failure: unknown): Answer {
  if (Array.isArray(failure)) return answerOf(JSON.stringify({ errors: failure }));
  if (failure instanceof NetworkError) {
    const { response, message } = failure as NetworkError<Response>;
    return { data: null, errors: [], text: message, closed: response?.status ?? STREAM_ENDED };
  }
  const { code, reason } = failure as { readonly code: number; readonly reason: string };
  return { data: null, errors: [], text: `${code} ${reason}`, closed: code };
}

/** In the place of a close code: the server ended an event stream without completing it, as it does with its token. */
export const STREAM_ENDED = 0;
