import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';

export interface StreamRequest {
  readonly url: string;
  readonly query: string;
  readonly headers?: Record<string, string>;
  /** Default: POST. */
  readonly method?: 'GET' | 'POST';
}

/** One event of a stream, as it was sent. */
export interface StreamEvent {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows which properties it expects.
  readonly data?: any;
}

/**
 * Requests an event stream, and reads it byte by byte as it arrives. It is cut off when the test ends. Resolves when
 * the response has begun.
 */
export async function openEvents({ url, query, headers = {}, method = 'POST' }: StreamRequest) {
  const address = method === 'GET' ? `${url}/graphql?query=${encodeURIComponent(query)}` : `${url}/graphql`;
  const outgoing = httpRequest(address, {
    method,
    agent: false,
    headers: { accept: 'text/event-stream', 'content-type': 'application/json', ...headers },
  });
  onTestFinished(() => void outgoing.destroy());
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject);
    outgoing.end(method === 'GET' ? undefined : JSON.stringify({ query }));
  });
  let text = '';
  let read = 0;
  let wake = () => {};
  let isOver = false;
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
    wake();
  });
  const closed = new Promise<void>((resolve) => {
    response.once('close', () => {
      isOver = true;
      wake();
      resolve();
    });
  });
  // It is cut off by the server in some tests.
  response.on('error', () => {});
  outgoing.on('error', () => {});

  return {
    status: response.statusCode ?? 0,
    headers: response.headers as IncomingHttpHeaders,
    raw: response,
    /** Resolves when the stream has ended, also if it was cut off. */
    closed,
    /** Everything that has arrived. */
    text: () => text,
    /** The next event, without comments. Undefined if the stream has ended. */
    async next(): Promise<StreamEvent | undefined> {
      for (;;) {
        const end = text.indexOf('\n\n', read);
        if (end !== -1) {
          const lines = text.slice(read, end).split('\n');
          read = end + 2;
          return eventOf(lines);
        }
        if (isOver) return undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    close: () => outgoing.destroy(),
  };
}

function eventOf(lines: readonly string[]): StreamEvent {
  const fieldOf = (name: string) =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
  const data = fieldOf('data');
  return { event: fieldOf('event'), ...(data === '' ? {} : { data: JSON.parse(data) as unknown }) };
}
