/** Clients that return every answer as text too, over HTTP or a websocket, with a valid, an expired or no token. */
import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { tokenFor } from '../../support/clients/tokens.ts';
import { eventually } from '../../support/time/eventually.ts';
import type { UserKind } from './oracle.ts';
import type { RoomFixture } from './room.ts';

export const TRANSPORTS = ['HTTP', 'websocket'] as const;
export type Transport = (typeof TRANSPORTS)[number];

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
  /** The close code, if the websocket was closed instead of answering. */
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

export interface WebSocketClient extends HttpClient {
  subscribe(query: string, variables: Variables): Subscription;
  close(): Promise<void>;
}

export interface Clients {
  readonly HTTP: HttpClient;
  readonly websocket: WebSocketClient;
}

/** The expired token is the owner's, who could do everything with a valid one. */
export async function clientsOf(
  url: string,
  { users }: Pick<RoomFixture, 'users'>,
  kind: UserKind,
): Promise<Clients> {
  const token = await tokenOf(users, kind);
  return { HTTP: httpClient(url, token), websocket: webSocketClient(url, token) };
}

async function tokenOf(users: RoomFixture['users'], kind: UserKind): Promise<string | null> {
  if (kind === 'anonymous') return null;
  return kind === 'expired' ? tokenFor(users.owner.handle, '1 hour ago') : users[kind].token;
}

/** What is wrong with an answer that has to be UNAUTHENTICATED, or null. */
export function unauthenticatedMismatch({ data, errors, closed }: Answer): string | null {
  if (closed !== undefined) return closed === 4403 ? null : `closed with ${closed}`;
  const codes = new Set(errors.map(({ extensions }) => extensions?.code));
  if (codes.size !== 1 || !codes.has('UNAUTHENTICATED')) return [...codes].join(', ') || 'no error';
  return isEmpty(data) ? null : 'data';
}

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
export function webSocketClient(url: string, token: string | null): WebSocketClient {
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

  function subscribe(query: string, variables: Variables): Subscription & { readonly over: Promise<void> } {
    const answers: Answer[] = [];
    let close = () => {};
    let isOver = false;
    const over = new Promise<void>((resolve) => {
      close = client().subscribe<unknown>(
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
    close: async () => socket?.dispose(),
  };
}

/** The errors of a refused operation, or the close code of the socket. */
function failureOf(failure: unknown): Answer {
  if (Array.isArray(failure)) return answerOf(JSON.stringify({ errors: failure }));
  const { code, reason } = failure as { readonly code: number; readonly reason: string };
  return { data: null, errors: [], text: `${code} ${reason}`, closed: code };
}
