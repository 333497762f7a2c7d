/** A proxy in front of a server, as teams have one. It can answer in its place, or leave requests without an answer. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

interface FrontAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Front {
  readonly url: string;
  /** From now on. Undefined: the server's own answer. */
  answer(decide: (request: IncomingMessage) => FrontAnswer | 'none' | undefined): void;
  /** Requests reach the server only after this time, in milliseconds. Default: at once. */
  delay(msOf: (request: IncomingMessage) => number): void;
  /** Ends all connections, as a server does that stops. */
  drop(): void;
  stop(): Promise<void>;
}

export async function startFront(target: string): Promise<Front> {
  const { hostname, port } = new URL(target);
  let decide: Parameters<Front['answer']>[0] = () => undefined;
  let msOf: Parameters<Front['delay']>[0] = () => 0;
  const sockets = new Set<Socket>();
  const opened = (socket: Socket) => {
    sockets.add(socket);
    // A browser ends connections as it likes.
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };

  function pass(incoming: IncomingMessage, response: ServerResponse): void {
    const { method, headers, url: path } = incoming;
    const outgoing = request({ hostname, port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }

  const server = createServer((incoming, response) => {
    const answer = decide(incoming);
    if (answer === undefined) {
      const ms = msOf(incoming);
      if (ms > 0) setTimeout(() => pass(incoming, response), ms);
      else pass(incoming, response);
      return;
    }
    if (answer !== 'none') response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  server.on('connection', opened);
  server.on('upgrade', (incoming, socket: Socket, head) => {
    const upstream = connect(Number(port), hostname, () => {
      const { rawHeaders, method, url } = incoming;
      const lines = rawHeaders.map((part, at) => (at % 2 === 0 ? `${part}: ` : `${part}\r\n`));
      upstream.write(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n`);
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    opened(upstream);
    socket.on('close', () => upstream.destroy());
    upstream.on('close', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer(next) {
      decide = next;
    },
    delay(next) {
      msOf = next;
    },
    drop,
    async stop() {
      drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
