import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RoundTrips {
  readonly endpoint: string;
  /** Counts the round trips of `run`. Concurrent requests are one round trip. */
  during(run: () => Promise<unknown>): Promise<number>;
  stop(): Promise<void>;
}

/** A round is complete when no request arrived for this long, and then for some turns of the event loop. */
const GATHERED_MS = 3;
/**
 * Clients and proxy are in one process, so in each turn the requests that were sent are read. 20 turns are enough to
 * open a connection, send a request and read it. The time above is for the kernel.
 */
const TURNS = 20;

interface PendingRequest {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Starts a proxy in front of a DynamoDB, on loopback, that counts round trips. It forwards requests in rounds:
 * concurrent requests are collected, sent together and answered together, so that a slow response does not move a
 * request into another round.
 */
export async function countRoundTrips(target: string): Promise<RoundTrips> {
  const { hostname: host, port } = new URL(target);
  let counting = false;
  let count = 0;
  let gathered: PendingRequest[] = [];
  let round: Promise<void> = Promise.resolve();
  let gathering: NodeJS.Timeout | undefined;

  const server = createServer(async (incoming, response) => {
    if (!counting) return (await answered({ incoming, response }))();
    gathered.push({ incoming, response });
    clearTimeout(gathering);
    gathering = setTimeout(close, GATHERED_MS, TURNS);
  });

  function close(turns: number): void {
    if (turns > 0) {
      gathering = undefined;
      const before = gathered.length;
      setImmediate(() => {
        // A request that arrived in the meantime has restarted the timer.
        if (gathered.length === before) close(turns - 1);
      });
      return;
    }
    const requests = gathered;
    gathered = [];
    round = round.then(async () => {
      count++;
      const answers = await Promise.all(requests.map(answered));
      for (const answer of answers) answer();
    });
  }

  /** Resolves when the response is complete, to a function that forwards it. */
  async function answered({ incoming, response }: PendingRequest): Promise<() => void> {
    const { method, headers, url: path } = incoming;
    try {
      const onward = request({ host, port, method, headers, path });
      incoming.pipe(onward);
      const [answer] = (await once(onward, 'response')) as [IncomingMessage];
      const chunks = (await answer.toArray()) as Buffer[];
      return () => response.writeHead(answer.statusCode ?? 500, answer.headers).end(Buffer.concat(chunks));
    } catch {
      return () => void incoming.socket.destroy();
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async during(run) {
      count = 0;
      counting = true;
      try {
        await run();
      } finally {
        counting = false;
      }
      return count;
    },
    async stop() {
      clearTimeout(gathering);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
