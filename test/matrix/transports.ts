/** One person, over HTTP or over a websocket: what they ask, and every word that comes back. */
import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { eventually } from '../support/eventually.ts';

export const TRANSPORTS = ['HTTP', 'websocket'] as const;
export type Transport = (typeof TRANSPORTS)[number];

export interface Failure {
  readonly message: string;
  readonly path?: ReadonlyArray<string | number>;
  readonly extensions?: { readonly code?: string };
}

export interface Answer {
  readonly data: unknown;
  readonly errors: readonly Failure[];
  /** All of it, as it came. */
  readonly text: string;
  /** The websocket was closed instead, with this code. */
  readonly closed?: number;
}

/** A subscription that is open, or was. */
export interface Listening {
  /** What has come so far: events, and the refusal if that was the answer. */
  readonly answers: readonly Answer[];
  /** Resolves to the first answer. */
  first(): Promise<Answer>;
  /** Resolves to the first answer that is so. */
  until(condition: (answer: Answer) => boolean): Promise<Answer>;
  /** Resolves when the server has ended it. */
  ended(): Promise<void>;
  /** Ends it. */
  close(): void;
}

export type Variables = Readonly<Record<string, unknown>>;

export interface Asker {
  ask(query: string, variables: Variables): Promise<Answer>;
  close(): Promise<void>;
}

export interface Listener extends Asker {
  listen(query: string, variables: Variables): Listening;
}

interface Result {
  readonly data?: unknown;
  readonly errors?: readonly Failure[];
}

const answerOf = (text: string): Answer => {
  const { data = null, errors = [] } = JSON.parse(text) as Result;
  return { data, errors, text };
};

const path = '/graphql';

/** `token`: null for who sends none. */
export function overHttp(url: string, token: string | null): Asker {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/graphql-response+json',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
  return {
    async ask(query, variables) {
      const body = JSON.stringify({ query, variables });
      const response = await fetch(url + path, { method: 'POST', headers, body });
      return answerOf(await response.text());
    },
    close: async () => {},
  };
}

/** A socket is opened for the first question, and stays open. */
export function overWebSocket(url: string, token: string | null): Listener {
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

  function listen(query: string, variables: Variables): Listening & { readonly over: Promise<void> } {
    const answers: Answer[] = [];
    let close = () => {};
    let isOver = false;
    const over = new Promise<void>((resolve) => {
      close = client().subscribe<unknown>(
        { query, variables: { ...variables } },
        {
          next: (result) => answers.push(answerOf(JSON.stringify(result))),
          error(failure) {
            answers.push(refusalOf(failure));
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
        if (found === undefined)
          throw new Error(`It has not come; what has: ${answers.map(({ text }) => text)}`);
        return found;
      });
    const ended = (): Promise<void> =>
      eventually(() => {
        if (!isOver) throw new Error('The subscription is still open.');
      });
    return { answers, until, first: () => until(() => true), ended, over, close };
  }

  return {
    listen,
    async ask(query, variables) {
      const asked = listen(query, variables);
      await asked.over;
      const [answer] = asked.answers;
      if (answer === undefined) throw new Error(`No answer to ${query}`);
      return answer;
    },
    close: async () => socket?.dispose(),
  };
}

/** Errors instead of a result, or the end of the socket. */
function refusalOf(failure: unknown): Answer {
  if (Array.isArray(failure)) return answerOf(JSON.stringify({ errors: failure }));
  const { code, reason } = failure as { readonly code: number; readonly reason: string };
  return { data: null, errors: [], text: `${code} ${reason}`, closed: code };
}
