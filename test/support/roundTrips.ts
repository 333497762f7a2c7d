import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RoundTrips {
  readonly endpoint: string;
  /** How often somebody waits while `run` does its work: requests that are under way together are one. */
  during(run: () => Promise<unknown>): Promise<number>;
  stop(): Promise<void>;
}

/** A round is complete when nobody has asked for so long. */
const GATHERED_MS = 20;
/** On a busy machine the time may be up before the others were looked at: some turns more. */
const TURNS = 5;

interface Asked {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Stands in front of a DynamoDB and counts round trips. On loopback. Requests go out in rounds: what was
 * asked side by side is gathered, sent together, and answered together, so that a slow answer moves nothing
 * from one round into another.
 */
export async function countRoundTrips(target: string): Promise<RoundTrips> {
  const { hostname: host, port } = new URL(target);
  let counting = false;
  let count = 0;
  let gathered: Asked[] = [];
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
        // Whoever came meanwhile has begun the waiting anew.
        if (gathered.length === before) close(turns - 1);
      });
      return;
    }
    const asked = gathered;
    gathered = [];
    round = round.then(async () => {
      count++;
      const answers = await Promise.all(asked.map(answered));
      for (const answer of answers) answer();
    });
  }

  /** Resolves, once the answer is here in full, to what hands it on. */
  async function answered({ incoming, response }: Asked): Promise<() => void> {
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
