import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface RoundTrips {
  readonly endpoint: string;
  /** How often somebody waited: requests that are under way at the same time are one round trip. */
  count: number;
  stop(): Promise<void>;
}

/** Each request is held for so long that those which were sent side by side meet here. */
const HELD_MS = 25;
const TURNS = 5;

/** Stands in front of a DynamoDB and counts round trips. On loopback. */
export async function countRoundTrips(target: string): Promise<RoundTrips> {
  const { hostname: host, port } = new URL(target);
  let underWay = 0;

  const server = createServer(async (incoming, response) => {
    if (underWay++ === 0) trips.count++;
    response.once('close', () => underWay--);
    await wait(HELD_MS);
    // On a busy machine the time may be up before the others were looked at: some turns more.
    for (let turn = 0; turn < TURNS; turn++) await new Promise(setImmediate);
    const { method, headers, url: path } = incoming;
    const onward = request({ host, port, method, headers, path }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => incoming.socket.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const trips: RoundTrips = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: 0,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return trips;
}
