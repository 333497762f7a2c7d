import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An operation's name in DynamoDB's protocol: the part of `x-amz-target` after the dot. */
export type Operation =
  | 'BatchGetItem'
  | 'BatchWriteItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'GetRecords'
  | 'GetShardIterator'
  | 'DescribeStream'
  | 'DescribeTable'
  | 'DescribeTimeToLive'
  | 'PutItem'
  | 'Query'
  | 'TransactWriteItems'
  | 'UpdateItem';

export interface FaultProxy {
  readonly endpoint: string;
  /**
   * `refuse` drops every connection, `silent` never answers, `pass` changes nothing. An error is the answer to these
   * operations, or to all for items; the stream can be read.
   */
  mode: 'pass' | 'refuse' | 'silent' | { readonly error: string; readonly of?: readonly Operation[] };
  /** How many requests of this kind have arrived. */
  count(operation: Operation): number;
  /** Answers the next requests of this kind with an error, instead of passing them on. */
  fail(operation: Operation, error: string, times?: number): void;
  /** The same with a complete error, for example with the reasons of a cancelled transaction. */
  answer(operation: Operation, error: Json, times?: number): void;
  /** Passes the next requests of this kind on, and drops the connection when they are done. */
  cut(operation: Operation, times?: number): void;
  /** Changes every answer of this kind. `change` may return undefined to leave an answer as it is. */
  rewrite(operation: Operation, change: (answer: Json, request: Json) => Json | undefined): void;
  /** Called when a request of this kind arrives, before it is passed on. */
  onRequest(operation: Operation, listener: (request: Json) => void | Promise<void>): void;
  stop(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: the protocol's JSON, taken apart by the test that asks for it
export type Json = any;

const OF_STREAM: ReadonlySet<string> = new Set(['DescribeStream', 'GetRecords', 'GetShardIterator']);

const failureOf = (error: string): Json => ({
  __type: `com.amazonaws.dynamodb.v20120810#${error}`,
  message: error,
});

/** A proxy in front of a real DynamoDB that misbehaves on demand. On loopback. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const upstream = new URL(target);
  const counts = new Map<string, number>();
  const failures = new Map<string, Json[]>();
  const cuts = new Map<string, number>();
  const rewrites = new Map<string, (answer: Json, request: Json) => Json | undefined>();
  const listeners = new Map<string, (request: Json) => void | Promise<void>>();

  function refusalOf(operation: string): Json | undefined {
    if (typeof proxy.mode === 'string') return undefined;
    const { error, of } = proxy.mode;
    const isRefused = of === undefined ? !OF_STREAM.has(operation) : of.some((one) => one === operation);
    return isRefused ? failureOf(error) : undefined;
  }

  const server = createServer(async (incoming, response) => {
    const operation = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
    counts.set(operation, (counts.get(operation) ?? 0) + 1);
    if (proxy.mode === 'refuse') {
      incoming.socket.destroy();
      return;
    }
    const body = await text(incoming).catch(() => '');
    if (proxy.mode === 'silent' || body === '') return;
    await listeners.get(operation)?.(JSON.parse(body));

    const failure = refusalOf(operation) ?? failures.get(operation)?.shift();
    if (failure !== undefined) {
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify(failure));
      return;
    }
    const onward = request(
      { host: upstream.hostname, port: upstream.port, method: 'POST', path: '/', headers: incoming.headers },
      async (answer) => {
        const original = await text(answer);
        const cut = cuts.get(operation) ?? 0;
        if (cut > 0) {
          cuts.set(operation, cut - 1);
          incoming.socket.destroy();
          return;
        }
        const changed =
          answer.statusCode === 200
            ? rewrites.get(operation)?.(JSON.parse(original), JSON.parse(body))
            : undefined;
        const content = changed === undefined ? original : JSON.stringify(changed);
        response.writeHead(answer.statusCode ?? 500, { 'content-type': 'application/x-amz-json-1.0' });
        response.end(content);
      },
    );
    onward.on('error', () => incoming.socket.destroy());
    onward.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const proxy: FaultProxy = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode: 'pass',
    count: (operation) => counts.get(operation) ?? 0,
    fail(operation, error, times = 1) {
      proxy.answer(operation, failureOf(error), times);
    },
    answer(operation, error, times = 1) {
      failures.set(operation, [...(failures.get(operation) ?? []), ...Array(times).fill(error)]);
    },
    cut: (operation, times = 1) => void cuts.set(operation, times),
    rewrite: (operation, change) => void rewrites.set(operation, change),
    onRequest: (operation, listener) => void listeners.set(operation, listener),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
