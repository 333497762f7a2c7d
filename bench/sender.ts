/** A server in a process of its own on a database of its own, and someone who sends many messages. */
import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '../src/core/ids.ts';
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
  /** The path of an installed `main.js`. Default: the program as it is built now, without its web client. */
  readonly program?: string;
}

export interface Sent {
  /** Messages per second. */
  readonly rate: number;
  /** The server's, for each message. */
  readonly cpuMs: number;
}

/** Long enough for the consumer to read the message, and for everything that follows from it. */
const APART_MS = 150;

export async function startSender({ database, sub, width, env = {}, program: main }: SenderOptions) {
  const program = await runProgram({
    ...(main !== undefined && { command: [process.execPath, main] }),
    env: {
      AUTH_SECRET: SECRET,
      HOST: '127.0.0.1',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      DYNAMODB_ENDPOINT: database.endpoint,
      TABLE_NAME: database.table,
      ...env,
    },
  });
  const { url } = await program.ready();
  // `MINUTES=120` of flood.
  const token = await tokenFor(sub, '3 hours');
  const agent = new Agent({ keepAlive: true });
  const query = SendMessage.toString();
  let sent = 0;
  // Another sender to the same room repeats none of these messages.
  const sender = newId();

  async function positions(roomId: string): Promise<number> {
    const item = await database.dynamo.get(keys.counter(decodeId(roomId).id));
    return item === undefined ? 0 : counterOf(item).lastPosition;
  }

  function post(roomId: string, body: string, idempotencyKey: string): Promise<string> {
    const variables = { input: { roomId, body, idempotencyKey } };
    const request = JSON.stringify({ query, operationName: 'SendMessage', variables });
    return postGraphQL({ agent, url, token, body: request });
  }

  /** The server's CPU while `work` is done, and how long that takes, in milliseconds. */
  async function load(work: () => Promise<unknown>): Promise<{ cpu: number; ms: number }> {
    const [cpu, start] = [await cpuMsOf(program.pid), performance.now()];
    await work();
    return { cpu: (await cpuMsOf(program.pid)) - cpu, ms: performance.now() - start };
  }

  return {
    url,
    /** Sends this many to a room, and waits until each of them has its position. */
    async send(roomId: string, count: number, bodyOf = (i: number) => `Message ${i}`): Promise<Sent> {
      const before = await positions(roomId);
      const cpu = await cpuMsOf(program.pid);
      const start = performance.now();
      await inParallel(count, width, (i) => post(roomId, bodyOf(i), `${sender}-${sent}-${i}`));
      sent += count;
      while ((await positions(roomId)) < before + count)
        await new Promise((resolve) => setImmediate(resolve));
      const rate = (count / (performance.now() - start)) * 1_000;
      if ((await positions(roomId)) !== before + count)
        throw new Error('Messages were lost or counted twice.');
      return { rate, cpuMs: ((await cpuMsOf(program.pid)) - cpu) / count };
    },
    /** Sends one message to a room. Resolves to the milliseconds until its response. */
    async respond(roomId: string, body: string): Promise<number> {
      const start = performance.now();
      await post(roomId, body, `${sender}-${sent++}`);
      return performance.now() - start;
    },
    /**
     * Sends `count` messages, each long after the one before: milliseconds of the server's CPU for each, the consumer's
     * included, without what the server takes in the same time while nothing happens.
     */
    async sendAlone(roomId: string, count: number): Promise<number> {
      const before = await positions(roomId);
      const idle = await load(() => wait(count * APART_MS));
      const busy = await load(async () => {
        for (let i = 0; i < count; i++) {
          await post(roomId, `Message ${i}`, `${sender}-${sent}-${i}`);
          await wait(APART_MS);
        }
      });
      sent += count;
      if ((await positions(roomId)) !== before + count) throw new Error('A message had no position in time.');
      return (busy.cpu - (idle.cpu / idle.ms) * busy.ms) / count;
    },
    async stop() {
      agent.destroy();
      await program.stop();
    },
  };
}
