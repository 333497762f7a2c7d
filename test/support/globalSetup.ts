import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { startDynamoDbLocal } from './dynamodbLocal.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test gets a DynamoDB Local: `POST` answers with its endpoint, `DELETE` gives it back. */
    dynamodbLocals: string;
  }
}

/** It never forgets a write: after a minute of tests a transaction takes four times as long as at first. */
const FRESH_FOR_MS = 40_000;

/**
 * Hands a DynamoDB Local to each test file that asks for one. They share it, for starting one takes seconds;
 * one that has become slow is replaced, when nobody is using it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let current = await startDynamoDbLocal();
  let since = Date.now();
  let users = 0;
  let taking = Promise.resolve('');

  async function take(): Promise<string> {
    if (users++ === 0 && Date.now() - since > FRESH_FOR_MS) {
      await current.stop();
      current = await startDynamoDbLocal();
      since = Date.now();
    }
    return current.endpoint;
  }

  function answerTo(method: string | undefined): Promise<string> {
    if (method === 'DELETE') users--;
    // One after the other, so that nobody is handed one that is being replaced.
    else taking = taking.then(take);
    return taking;
  }

  const server = createServer((request, response) => {
    answerTo(request.method).then(
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
    await current.stop();
  };
}
