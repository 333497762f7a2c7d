/** A server in a process of its own on a database of its own, and someone who sends many messages. */
import { Agent } from 'node:http';
import { keys } from '../src/dynamo/keys.ts';
import { decodeId } from '../src/graphql/ids.ts';
import { counterOf } from '../src/rooms/room.ts';
import { SendMessage } from '../test/support/clients/operations.ts';
import { SECRET, tokenFor } from '../test/support/clients/tokens.ts';
import type { openTestDynamo } from '../test/support/database/dynamo.ts';
import { runProgram } from '../test/support/servers/program.ts';
import { cpuMsOf, inParallel, postGraphQL } from './support.ts';

export interface SenderOptions {
  readonly database: Awaited<ReturnType<typeof openTestDynamo>>;
  /** The author of the messages. */
  readonly sub: string;
  /** How many are in flight at any time. */
  readonly width: number;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Sent {
  /** Messages per second. */
  readonly rate: number;
  /** The server's, for each message. */
  readonly cpuMs: number;
}

export async function startSender({ database, sub, width, env = {} }: SenderOptions) {
  const program = await runProgram({
    env: {
      ...{ AUTH_SECRET: SECRET, HOST: '127.0.0.1', RATE_LIMITS: 'off', LOG_LEVEL: 'warn' },
      ...{ DYNAMODB_ENDPOINT: database.endpoint, TABLE_NAME: database.table, ...env },
    },
  });
  const { url } = await program.ready();
  const token = await tokenFor(sub);
  const agent = new Agent({ keepAlive: true });
  const query = SendMessage.toString();
  let sent = 0;

  async function positions(roomId: string): Promise<number> {
    const item = await database.dynamo.get(keys.counter(decodeId(roomId).id));
    return item === undefined ? 0 : counterOf(item).lastPosition;
  }

  return {
    url,
    /** Sends this many to a room, and waits until each of them has its position. */
    async send(roomId: string, count: number, bodyOf = (i: number) => `Message ${i}`): Promise<Sent> {
      const before = await positions(roomId);
      const cpu = await cpuMsOf(program.pid);
      const start = performance.now();
      await inParallel(count, width, (i) => {
        const input = { roomId, body: bodyOf(i), idempotencyKey: `${sent}-${i}` };
        const body = JSON.stringify({ query, operationName: 'SendMessage', variables: { input } });
        return postGraphQL({ agent, url, token, body });
      });
      sent += count;
      while ((await positions(roomId)) < before + count)
        await new Promise((resolve) => setImmediate(resolve));
      const rate = (count / (performance.now() - start)) * 1_000;
      if ((await positions(roomId)) !== before + count)
        throw new Error('Messages were lost or counted twice.');
      return { rate, cpuMs: ((await cpuMsOf(program.pid)) - cpu) / count };
    },
    async stop() {
      agent.destroy();
      await program.stop();
    },
  };
}
