import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TableUse } from './tableUse.ts';
import { shapeWritten, writesOf } from './writes.ts';

/** Kills a process at one of its requests to the database. */
export interface KillAt {
  /** The number of the request, counted from 1, beginning with the next one. */
  readonly request: number;
  /** Whether that request still has its effect. */
  readonly when: 'before' | 'after';
  kill(): void;
}

/** The way of one process to the database. */
export interface Gateway {
  readonly endpoint: string;
  /** Requests since the last call of `arm` or `disarm`. */
  readonly requests: number;
  arm(kill: KillAt): void;
  disarm(): void;
  /** The ids under which processes have said here that they use a table. */
  readonly heartbeats: ReadonlySet<string>;
  /** Resolves when no request is on its way. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

export interface GatewayOptions {
  /** The database's endpoint. */
  readonly target: string;
  readonly use: TableUse;
  /** Servers write only to the table in use. Commands also write to the copy. */
  readonly isServer: boolean;
}

/**
 * Starts a proxy in front of a database, on loopback, for one process at a time. It counts its requests, kills it at
 * one of them, and checks which table it writes to.
 */
export async function startGateway({ target, use, isServer }: GatewayOptions): Promise<Gateway> {
  const { hostname: host, port } = new URL(target);
  const agent = new Agent({ keepAlive: true });
  const heartbeats = new Set<string>();
  let requests = 0;
  let armed: KillAt | undefined;
  let open = 0;
  let wake = () => {};

  /** Whether the process is killed at this request, and when. */
  function killOf(): KillAt | undefined {
    requests++;
    if (armed === undefined || requests < armed.request) return undefined;
    const kill = armed;
    armed = undefined;
    return kill;
  }

  async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat((await incoming.toArray()) as Buffer[]);
    const kill = killOf();
    if (kill?.when === 'before') {
      kill.kill();
      incoming.socket.destroy();
      return;
    }
    const writes = writesOf(String(incoming.headers['x-amz-target']), body);
    for (const { heartbeat } of writes) if (heartbeat !== undefined) heartbeats.add(heartbeat);
    if (isServer) use.wrote(writes);
    const shape = shapeWritten(writes);
    if (shape !== undefined) use.deciding(shape);
    const { method, headers, url: path } = incoming;
    const onward = request({ host, port, method, headers, path, agent });
    onward.end(body);
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    const chunks = Buffer.concat((await answer.toArray()) as Buffer[]);
    if (shape !== undefined && answer.statusCode === 200) use.decided(shape);
    if (kill !== undefined) {
      kill.kill();
      incoming.socket.destroy();
      return;
    }
    response.writeHead(answer.statusCode ?? 500, answer.headers).end(chunks);
  }

  const server = createServer((incoming, response) => {
    open++;
    forward(incoming, response)
      .catch(() => incoming.socket.destroy())
      .finally(() => {
        open--;
        if (open === 0) wake();
      });
  });
  server.keepAliveTimeout = 600_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heartbeats,
    get requests() {
      return requests;
    },
    arm(kill) {
      requests = 0;
      armed = kill;
    },
    disarm() {
      requests = 0;
      armed = undefined;
    },
    async idle() {
      while (open > 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async stop() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
