import type { ServerResponse } from 'node:http';
import type { Corking } from '../corking.ts';
import type { BaseHeaders } from '../http/httpListener.ts';
import type { ServerLimits } from '../limits.ts';
import type { Pinged } from '../pings.ts';

export interface EventStreamOptions {
  readonly response: ServerResponse;
  readonly headers: BaseHeaders;
  readonly corking: Corking;
  readonly limits: Pick<ServerLimits, 'waitingBytes'>;
  /** Called each time that the client has taken a ping. */
  readonly onAlive: (stream: EventStream) => void;
}

/** How long a client may take to read what was sent before the server ended the stream. */
const END_MS = 1_000;

const NEXT = Buffer.from('event: next\ndata: ');
const END_OF_EVENT = Buffer.from('\n\n');
/** With `data`, because a browser's `EventSource` ignores an event without it. */
const COMPLETE = 'event: complete\ndata: \n\n';
/** A comment. It has no empty line, which some clients would take for an event without data. */
const PING = ':\n';

/** They also ask proxies not to buffer and not to compress what is sent, because events would arrive late. */
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

/**
 * The results of one operation as events of graphql-sse's protocol ("distinct connections"), with bounds on what they
 * may cost the server: https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md
 */
export class EventStream implements Pinged {
  readonly #options: EventStreamOptions;
  /** Resolved when the client has read what was sent, or has disconnected. */
  #drained: Promise<void> | undefined = undefined;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    const { response, headers } = options;
    response.writeHead(200, { ...headers, ...HEADERS });
    // The client sees that the stream is open before there is an event.
    response.write(PING);
  }

  /** Sends a result, as JSON. Returns, or resolves, when more may be sent. Does nothing on a closed stream. */
  next(result: Buffer): Promise<void> | void {
    const { response, corking, limits } = this.#options;
    // In the next turn: a source that always has more would keep the event loop from reporting the close.
    if (!this.#isOpen()) return new Promise((resolve) => setImmediate(resolve));
    if (this.#drained !== undefined) return this.#drained;
    // Not the response: since Node 22 it says that it is full of what it collects, and never that it has room again.
    if (response.socket?.writableCorked === 0) corking.cork(response.socket);
    const hasRoom = response.write(Buffer.concat([NEXT, result, END_OF_EVENT]));
    if (hasRoom || response.writableLength < limits.waitingBytes) return;
    this.#drained = new Promise<void>((resolve) => {
      const drained = () => {
        response.off('drain', drained).off('close', drained);
        this.#drained = undefined;
        resolve();
      };
      response.once('drain', drained).once('close', drained);
    });
    return this.#drained;
  }

  /** Says that no more results follow, so that the client does not connect again, and ends the stream. */
  complete(): void {
    if (!this.#isOpen()) return;
    this.#options.response.end(COMPLETE);
  }

  /** Ends the stream without `complete`: the client connects again, with the token that it has by then. */
  end(): void {
    const { response } = this.#options;
    if (!this.#isOpen()) return;
    response.end();
    const timer = setTimeout(() => this.terminate(), END_MS);
    timer.unref();
    response.once('close', () => clearTimeout(timer));
  }

  ping(): void {
    if (this.#isOpen()) this.#options.response.write(PING, () => this.#options.onAlive(this));
  }

  /** Also while the response waits on its connection for another one. */
  terminate(): void {
    this.#options.response.req.socket.destroy();
  }

  on(event: 'close', listener: () => void): void {
    this.#options.response.on(event, listener);
  }

  #isOpen(): boolean {
    const { response } = this.#options;
    return !response.writableEnded && !response.destroyed;
  }
}
