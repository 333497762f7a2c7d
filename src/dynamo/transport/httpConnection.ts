import type { Socket } from 'node:net';

/** A response of HTTP/1.1. Names of headers are in lower case. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

export interface HttpConnectionEvents {
  /** The response is complete, and the connection can take another request. */
  onFree(connection: HttpConnection): void;
  /** Called once. */
  onClosed(connection: HttpConnection): void;
}

/** Called once, with one of the two. */
type Done = (error: Error | undefined, response: HttpResponse | undefined) => void;

/**
 * One connection that takes one request at a time, in one write, and reads its response. Only what DynamoDB's API needs
 * of HTTP/1.1: no redirects, no compression, no trailers, no `100 Continue`. (Node's own client takes two to three
 * times the CPU.) A response that it cannot read ends the connection with an error.
 */
export class HttpConnection {
  readonly #socket: Socket;
  readonly #events: HttpConnectionEvents;
  #done: Done | undefined = undefined;
  #head: Head | undefined = undefined;
  #chunks: Buffer[] = [];
  #length = 0;
  #error: Error | undefined = undefined;
  #closed = false;
  /** When the server closes the connection if no request comes, on the clock of `performance.now()`. */
  #idleUntil = Number.POSITIVE_INFINITY;

  constructor(socket: Socket, events: HttpConnectionEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (error) => {
      this.#error ??= error;
    });
    socket.once('end', () => this.#receiveEnd());
    socket.once('close', () => this.#receiveClose());
  }

  /** Whether it can take a request now. */
  get usable(): boolean {
    return !this.#closed && !this.#socket.destroyed && performance.now() < this.#idleUntil;
  }

  send(request: string, done: Done): void {
    this.#done = done;
    this.#socket.ref();
    this.#socket.write(request);
  }

  /** Ends the connection. A request that is in flight fails. */
  destroy(error?: Error): void {
    this.#error ??= error;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    if (this.#done === undefined) {
      this.destroy();
      return;
    }
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    try {
      this.#head ??= this.#readHead();
      if (this.#head !== undefined) this.#readBody(this.#head);
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  #readHead(): Head | undefined {
    const bytes = this.#joined();
    const end = bytes.indexOf(HEAD_END);
    if (end === -1) {
      if (bytes.length > HEAD_MAX) throw unreadable();
      return undefined;
    }
    const head = parseHead(bytes.toString('latin1', 0, end));
    const body = bytes.subarray(end + HEAD_END.length);
    this.#chunks = [body];
    this.#length = body.length;
    return head;
  }

  #readBody(head: Head): void {
    const { framing } = head;
    if (framing === 'until closed') return;
    if (framing === 'chunked') {
      const last = this.#chunks.at(-1);
      // Nothing is decoded before what may be its end.
      if (last === undefined || last[last.length - 1] !== NEWLINE) return;
      const body = dechunked(this.#joined());
      if (body !== undefined) this.#finish(head, body);
      return;
    }
    if (this.#length < framing) return;
    if (this.#length > framing) throw unreadable();
    this.#finish(head, this.#joined());
  }

  #joined(): Buffer {
    const [first = Buffer.alloc(0)] = this.#chunks;
    if (this.#chunks.length <= 1) return first;
    const all = Buffer.concat(this.#chunks, this.#length);
    this.#chunks = [all];
    return all;
  }

  #finish({ status, headers, keepAliveMs }: Head, body: Buffer): void {
    const done = this.#done;
    this.#done = undefined;
    this.#head = undefined;
    this.#chunks = [];
    this.#length = 0;
    if (keepAliveMs === 0) this.destroy();
    else {
      this.#idleUntil = performance.now() + keepAliveMs;
      // A connection that waits for a request does not keep the process running.
      this.#socket.unref();
      this.#events.onFree(this);
    }
    done?.(undefined, { status, headers, body });
  }

  #receiveEnd(): void {
    if (this.#head?.framing === 'until closed') this.#finish(this.#head, this.#joined());
  }

  #receiveClose(): void {
    this.#closed = true;
    this.#events.onClosed(this);
    const done = this.#done;
    this.#done = undefined;
    done?.(this.#error ?? hungUp(), undefined);
  }
}

const HEAD_END = Buffer.from('\r\n\r\n');
const HEAD_MAX = 65_536;
const NEWLINE = 0x0a;

interface Head extends Omit<HttpResponse, 'body'> {
  /** How the body ends; a number: its length. */
  readonly framing: number | 'chunked' | 'until closed';
  /** How long the server keeps the connection open. 0: it closes it. */
  readonly keepAliveMs: number;
}

function parseHead(text: string): Head {
  const [statusLine = '', ...lines] = text.split('\r\n');
  const status = /^HTTP\/1\.1 ([2-5]\d\d)(?: |$)/.exec(statusLine)?.[1];
  if (status === undefined) throw unreadable();
  const headers: Record<string, string | undefined> = Object.create(null);
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 1) throw unreadable();
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const framing = framingOf(headers);
  const closes = framing === 'until closed' || headers.connection?.toLowerCase() === 'close';
  return { status: Number(status), headers, framing, keepAliveMs: closes ? 0 : keepAliveMsOf(headers) };
}

function framingOf({
  'transfer-encoding': encoding,
  'content-length': length,
}: HttpResponse['headers']): Head['framing'] {
  if (encoding !== undefined) {
    if (encoding.toLowerCase() === 'chunked') return 'chunked';
    throw unreadable();
  }
  if (length === undefined) return 'until closed';
  if (!/^\d{1,9}$/.test(length)) throw unreadable();
  return Number(length);
}

/** A second less than the server says: a request must not arrive when it closes the connection. */
function keepAliveMsOf({ 'keep-alive': hint }: HttpResponse['headers']): number {
  const seconds = hint === undefined ? undefined : /timeout=(\d+)/.exec(hint)?.[1];
  return seconds === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Number(seconds) - 1) * 1_000;
}

/** The body of a chunked response; undefined if it is not complete yet. */
function dechunked(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at, 'latin1');
    if (lineEnd === -1) return undefined;
    const size = /^([\da-f]{1,8})[ \t]*(?:;.*)?$/i.exec(bytes.toString('latin1', at, lineEnd))?.[1];
    if (size === undefined) throw unreadable();
    const start = lineEnd + 2;
    const end = start + Number.parseInt(size, 16);
    if (bytes.length < end + 2) return undefined;
    if (bytes[end] !== 0x0d || bytes[end + 1] !== NEWLINE) throw unreadable();
    if (end === start) {
      if (bytes.length > end + 2) throw unreadable();
      return Buffer.concat(parts);
    }
    parts.push(bytes.subarray(start, end));
    at = end + 2;
  }
}

/** The codes are those of Node's own errors, by which the SDK's retry strategy knows that another attempt may help. */
const hungUp = () => Object.assign(new Error('The server closed the connection.'), { code: 'ECONNRESET' });
const unreadable = () =>
  Object.assign(new Error('This is not a response of HTTP/1.1.'), { code: 'ECONNRESET' });
