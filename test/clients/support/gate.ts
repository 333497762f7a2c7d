import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Gate {
  /** The address of the server behind it. */
  readonly url: string;
  /** Cuts all connections, as a network that changes. New ones are accepted at once. */
  cut(): void;
  /** Cuts all connections, and each new one until `open`. */
  shut(): void;
  open(): void;
  /** Keeps the server's answers, except for what is sent on websockets. */
  hold(): Held;
  /** Whether the server has sent this text on a websocket. */
  hasPassed(text: string): boolean;
  close(): void;
}

export interface Held {
  /** Resolves when the first answer was kept. */
  readonly held: Promise<void>;
  release(): void;
  /** Cuts all connections instead. */
  lose(): void;
}

/** Passes bytes on to a server. */
export async function startGate(target: string): Promise<Gate> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isShut = false;
  let keep: ((pass: () => void) => void) | undefined;
  let passed = '';
  const server = createServer((client) => {
    if (isShut) return void client.destroy();
    const upstream = connect(Number(port), hostname);
    let isWebSocket = false;
    client.once('data', (head) => {
      isWebSocket = /^upgrade: websocket/im.test(String(head));
    });
    client.pipe(upstream);
    upstream.on('data', (part) => {
      const pass = () => void client.write(part);
      if (isWebSocket) passed += String(part);
      if (isWebSocket || keep === undefined) pass();
      else keep(pass);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.once('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    shut() {
      isShut = true;
      cut();
    },
    open() {
      isShut = false;
    },
    hold() {
      const kept: Array<() => void> = [];
      let onKept = () => {};
      const held = new Promise<void>((resolve) => {
        onKept = resolve;
      });
      keep = (pass) => {
        kept.push(pass);
        onKept();
      };
      return {
        held,
        release() {
          keep = undefined;
          for (const pass of kept) pass();
        },
        lose() {
          keep = undefined;
          cut();
        },
      };
    },
    hasPassed: (text) => passed.includes(text),
    close() {
      server.close();
      cut();
    },
  };
}
