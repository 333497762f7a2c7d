import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { type DynamoDbLocal, startDynamoDbLocal } from '../database/dynamodbLocal.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The URL where workers get their DynamoDB Local. `POST /<worker>` returns the endpoint, `DELETE` gives it back.
     */
    dynamodbLocals: string;
  }
}

/** DynamoDB Local keeps every write: after a minute of tests a transaction takes four times as long as at first. */
const FRESH_FOR_MS = 40_000;

/** The DynamoDB Local of one worker. */
interface Local {
  take(): Promise<string>;
  giveBack(): void;
  stop(): Promise<void>;
}

/**
 * Provides DynamoDB Local to test files. The files of a worker share one, because a start takes seconds. It is replaced
 * when it has become slow and is not in use. Each worker has its own, because it does one thing at a time.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const locals = new Map<string, Local>();
  const localOf = (worker: string): Local => {
    const local = locals.get(worker) ?? createLocal();
    locals.set(worker, local);
    return local;
  };

  const server = createServer(({ method, url = '' }, response) => {
    const local = localOf(url);
    if (method === 'DELETE') {
      local.giveBack();
      response.end();
      return;
    }
    local.take().then(
      (endpoint) => response.end(endpoint),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  project.provide('dynamodbLocals', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  return async () => {
    server.closeAllConnections();
    server.close();
    await Promise.all([...locals.values()].map((local) => local.stop()));
  };
}

function createLocal(): Local {
  let current: DynamoDbLocal | undefined;
  let since = 0;
  let users = 0;
  let taking = Promise.resolve('');

  async function take(): Promise<string> {
    if (users++ === 0 && Date.now() - since > FRESH_FOR_MS) {
      await current?.stop();
      current = await startDynamoDbLocal();
      since = Date.now();
    }
    if (current === undefined) throw new Error('DynamoDB Local did not start.');
    return current.endpoint;
  }

  return {
    take() {
      // One after the other, so that no file gets one that is being replaced.
      taking = taking.then(take, take);
      return taking;
    },
    giveBack() {
      users--;
    },
    stop: async () => current?.stop(),
  };
}
