import { isIP, connect as plainConnect, type Socket } from 'node:net';
import { connect as secureConnect } from 'node:tls';
import { type Clock, systemClock } from '../../core/clock.ts';
import { FairQueue } from '../../core/fairQueue.ts';
import { HttpConnection, type HttpResponse } from './httpConnection.ts';

/** Connections that are kept alive, to any number of servers. */
export interface Pool {
  /** The connections to a server. To be made once for each server. */
  server(url: URL): Server;
  /**
   * Sends one POST request and reads its response, of any status. Rejects with a `TimeoutError` if there is no whole
   * response `responseMs` after it got a connection, or at `until`; with an `AbortError` if the signal is aborted; and
   * with Node's own error if the connection fails. The connection of a request that failed is not used again.
   *
   * The wait for a connection is not part of `responseMs`: if many requests wait, another attempt would begin behind
   * all of them, and none would ever be done. Nor does a response count as late that has arrived while this process was
   * busy.
   */
  post(request: PostRequest): Promise<HttpResponse>;
  /** Closes all connections. */
  destroy(): void;
}

export interface PostRequest {
  readonly server: Server;
  /** `host` among them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly responseMs: number;
  /** The user whose operation sends it. Undefined: background work. */
  readonly caller?: string | undefined;
  /** On the pool's clock. */
  readonly until: number;
  readonly signal: AbortSignal | undefined;
}

export interface PoolOptions {
  readonly connectMs: number;
  /**
   * For each server. Further requests wait for a connection: the users take turns, and background work is as one user
   * more.
   */
  readonly maxSockets: number;
  /** How many of them one user may occupy. What the user sends beyond that waits, also if connections are free. */
  readonly maxPerCaller?: number;
  readonly clock?: Clock;
}

export function createPool({ clock = systemClock, ...options }: PoolOptions): Pool {
  const servers: Server[] = [];
  return {
    server(url) {
      const server = new Server(url, { clock, ...options });
      servers.push(server);
      return server;
    },
    post: (request) => post(request, clock),
    destroy() {
      for (const server of servers) server.destroy();
    },
  };
}

function post(request: PostRequest, clock: Clock): Promise<HttpResponse> {
  const { server, responseMs, until, signal, caller } = request;
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(named('AbortError', 'The request was aborted.'));
    const text = requestText(request);
    let connection: HttpConnection | undefined;
    let connectedAt = Number.POSITIVE_INFINITY;
    let settled = false;

    const settle = () => {
      settled = true;
      cancel();
      signal?.removeEventListener('abort', abort);
    };
    const fail = (error: Error) => {
      if (settled) return;
      settle();
      reject(error);
      if (connection === undefined) server.giveUp(waiter);
      else connection.destroy(error);
    };
    const abort = () => fail(named('AbortError', 'The request was aborted.'));
    const expire = () => {
      const hadItsTime = clock.now() - connectedAt >= responseMs;
      if (!settled && connection !== undefined && hadItsTime) server.suspect(connection, connectedAt);
      fail(timeout('a response', responseMs));
    };
    const check = () => {
      const left = Math.min(connectedAt + responseMs, until) - clock.now();
      // In the next turn: what has arrived by now is read before.
      if (left > 0) cancel = clock.after(left, check);
      else setImmediate(expire);
    };
    const begin = (own: HttpConnection) => {
      connection = own;
      connectedAt = clock.now();
      own.send(text, (error, response) => {
        server.done(caller);
        if (settled) return;
        settle();
        if (response === undefined) reject(error);
        else resolve(response);
      });
    };

    const waiter = { caller, begin, fail };
    let cancel = clock.after(Math.min(responseMs, until - clock.now()), check);
    signal?.addEventListener('abort', abort);
    server.acquire(waiter);
  });
}

/** A request that needs a connection. One of the two is called. */
interface Waiter {
  readonly caller: string | undefined;
  begin(connection: HttpConnection): void;
  fail(error: Error): void;
}

type ServerOptions = PoolOptions & { readonly clock: Clock };

/** The connections to one server. */
export class Server {
  readonly path: string;
  readonly #connect: () => Socket;
  readonly #options: ServerOptions;
  /** The one that was used last is the first to be used again, so the others can be closed by the server. */
  readonly #idle: HttpConnection[] = [];
  /** When each connection was last free, on the pool's clock. Absent: its first request has no response yet. */
  readonly #freeAt = new WeakMap<HttpConnection, number>();
  readonly #open = new Set<HttpConnection>();
  readonly #waiting = new FairQueue<Waiter>();
  /** How many connections each user occupies. */
  readonly #occupied = new Map<string, number>();
  #destroyed = false;

  constructor(url: URL, options: ServerOptions) {
    this.path = `${url.pathname}${url.search}`;
    this.#options = options;
    this.#connect = connectorTo(url);
  }

  /** Begins with a connection that is free, at once or later. */
  acquire(waiter: Waiter): void {
    if (this.#destroyed) {
      waiter.fail(new Error('The connections were closed.'));
      return;
    }
    const connection = this.#mayBegin(waiter.caller) ? (this.#takeIdle() ?? this.#openMore()) : undefined;
    if (connection === undefined) this.#waiting.add(waiter.caller, waiter);
    else this.#begin(waiter, connection);
  }

  giveUp(waiter: Waiter): void {
    this.#waiting.delete(waiter.caller, waiter);
  }

  /** A request that had a connection has its response, or has failed. Another one of the same user may begin. */
  done(caller: string | undefined): void {
    if (caller === undefined) return;
    const left = (this.#occupied.get(caller) ?? 1) - 1;
    if (left === 0) this.#occupied.delete(caller);
    else this.#occupied.set(caller, left);
    this.#beginWaiting();
  }

  /**
   * Called if there was no response on this connection in time. If it has worked before, it is probably dead: the
   * machine was frozen, or a firewall has forgotten it. So are then those that were idle all that time. They are closed,
   * because each of them would cost another request its whole time.
   */
  suspect(connection: HttpConnection, sentAt: number): void {
    if (!this.#freeAt.has(connection)) return;
    const old = this.#idle.filter((idle) => (this.#freeAt.get(idle) ?? sentAt) < sentAt);
    for (const idle of old) idle.destroy();
  }

  #mayBegin(caller: string | undefined): boolean {
    const { maxPerCaller = Number.POSITIVE_INFINITY } = this.#options;
    return caller === undefined || (this.#occupied.get(caller) ?? 0) < maxPerCaller;
  }

  #begin(waiter: Waiter, connection: HttpConnection): void {
    const { caller } = waiter;
    if (caller !== undefined) this.#occupied.set(caller, (this.#occupied.get(caller) ?? 0) + 1);
    waiter.begin(connection);
  }

  /** Lets requests that wait begin while there are connections for them. */
  #beginWaiting(): void {
    for (;;) {
      const hasConnection = this.#idle.length > 0 || this.#open.size < this.#options.maxSockets;
      const next = hasConnection && !this.#destroyed ? this.#next() : undefined;
      if (next === undefined) return;
      const connection = this.#takeIdle() ?? this.#openMore();
      if (connection === undefined) {
        this.#waiting.add(next.caller, next);
        return;
      }
      this.#begin(next, connection);
    }
  }

  destroy(): void {
    this.#destroyed = true;
    for (const waiter of [...this.#waiting]) this.acquire(waiter);
    for (const connection of this.#open) connection.destroy();
  }

  #takeIdle(): HttpConnection | undefined {
    for (let free = this.#idle.pop(); free !== undefined; free = this.#idle.pop()) {
      if (free.usable) return free;
      free.destroy();
    }
    return undefined;
  }

  /** Undefined if there are enough. */
  #openMore(): HttpConnection | undefined {
    return this.#open.size < this.#options.maxSockets ? this.#openOne() : undefined;
  }

  #openOne(): HttpConnection {
    const socket = this.#connect();
    const { connectMs } = this.#options;
    const timer = setTimeout(() => connection.destroy(timeout('a connection', connectMs)), connectMs);
    const done = () => clearTimeout(timer);
    socket.once('connect', done).once('close', done);
    const connection = new HttpConnection(socket, {
      onFree: (free) => {
        this.#freeAt.set(free, this.#options.clock.now());
        const next = this.#next();
        if (next === undefined) this.#idle.push(free);
        else this.#begin(next, free);
      },
      onClosed: (closed) => {
        this.#open.delete(closed);
        const at = this.#idle.indexOf(closed);
        if (at !== -1) this.#idle.splice(at, 1);
        const next = this.#next();
        if (next !== undefined) this.#begin(next, this.#openOne());
      },
    });
    this.#open.add(connection);
    return connection;
  }

  #next(): Waiter | undefined {
    return this.#waiting.take((caller) => this.#mayBegin(caller));
  }
}

/** Opens connections to a server. TLS sessions are used again, which saves half of a handshake. */
function connectorTo({ protocol, hostname, port }: URL): () => Socket {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (protocol !== 'https:') return () => plainConnect({ host, port: Number(port || 80) });
  let session: Buffer | undefined;
  const name = isIP(host) === 0 ? { servername: host } : {};
  return () => {
    const options = { host, port: Number(port || 443), ...name, ALPNProtocols: ['http/1.1'] };
    const socket = secureConnect(session === undefined ? options : { ...options, session });
    return socket.on('session', (fresh) => {
      session = fresh;
    });
  };
}

/** The whole request, so that it leaves in one write. */
function requestText({ server, headers, body }: PostRequest): string {
  let head = `POST ${server.path} HTTP/1.1\r\n`;
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? '';
    // A line break (in credentials, for example) would end the header.
    if (!PRINTABLE.test(value))
      throw new TypeError(`The header ${name} has a character that it cannot have.`);
    head += `${name}: ${value}\r\n`;
  }
  return `${head}content-length: ${Buffer.byteLength(body)}\r\nconnection: keep-alive\r\n\r\n${body}`;
}

const PRINTABLE = /^[ -~]*$/;

const named = (name: string, message: string): Error => Object.assign(new Error(message), { name });

/** The SDK's retry strategy tries again after an error of this name. */
const timeout = (awaited: string, ms: number): Error =>
  named('TimeoutError', `There was not ${awaited} within ${Math.round(ms)} ms.`);
