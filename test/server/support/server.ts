import { EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createMetrics } from '../../../src/core/metrics.ts';
import { createPage } from '../../../src/server/http/pages.ts';
import { createServer, type ServerOptions } from '../../../src/server/server.ts';
import { createRecordedLog } from './log.ts';
import { type TestContext, testSchema } from './schema.ts';
import { connect, type SocketOptions } from './socket.ts';
import { SECRET, tokenOf } from './tokens.ts';

export interface TestServerOptions extends Partial<Omit<ServerOptions, 'config'>> {
  readonly config?: Partial<ServerOptions['config']>;
}

/** A server on a free port, with tokens signed by `SECRET`. It stops when the test is over. */
export async function startServer({ config, ...options }: TestServerOptions = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'tsudoi-server-'));
  const events = new EventEmitter();
  // Each request that is running may have one.
  events.setMaxListeners(0);
  const recorded = createRecordedLog();
  const metrics = createMetrics();
  const server = createServer({
    config: {
      host: '127.0.0.1',
      port: 0,
      auth: { kind: 'secret', secret: SECRET, issuer: undefined, audience: undefined },
      dataDir,
      allowedOrigins: ['https://chat.example.com'],
      trustedProxies: 0,
      shutdownDelay: 0,
      metrics: { port: undefined, token: undefined },
      graphiql: true,
      introspection: true,
      ...config,
    },
    log: recorded.log,
    metrics,
    schema: testSchema,
    async context(identity, { requestId, acceptLanguage }): Promise<TestContext> {
      return { identity, requestId, acceptLanguage, events };
    },
    health: async () => ({ dynamodb: { ok: true } }),
    page: () => createPage('<!doctype html><title>Tsudoi</title><script>window.started = true</script>'),
    ...options,
    // Tests end with idle connections, on which nothing will be sent.
    limits: { firstRequestMs: 0, ...options.limits },
  });
  const { url, port } = await server.start();
  onTestFinished(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const authorization = `Bearer ${await tokenOf()}`;
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return {
    url,
    port,
    dataDir,
    events,
    metrics,
    recorded,
    authorization,
    stop: server.stop,
    /** Posts to /graphql: JSON, unless the headers say otherwise. */
    post,
    get: (path: string, headers: Record<string, string> = {}) =>
      fetch(`${url}${path}`, { headers, redirect: 'manual' }),
    /** The result of an operation over HTTP. */
    async query(query: string, variables?: Record<string, unknown>, headers: Record<string, string> = {}) {
      const response = await post({ query, variables }, { authorization, ...headers });
      return (await response.json()) as Result;
    },
    /** A websocket that has sent nothing yet. */
    socket: (options?: SocketOptions) => connect(`${url.replace('http', 'ws')}/graphql`, options),
    /** A websocket that was acknowledged, by default with Aki's token. */
    async session(payload: Record<string, unknown> = { authorization }) {
      const socket = await connect(`${url.replace('http', 'ws')}/graphql`);
      socket.send({ type: 'connection_init', payload });
      const ack = await socket.next();
      if (ack.type !== 'connection_ack')
        throw new Error(`Expected an acknowledgement: ${JSON.stringify(ack)}`);
      return socket;
    },
  };
}

/** The extensions of an answer to an operation without pages. */
export const FREE = { cost: { objects: 0, limit: 30_000 } };

export interface Result {
  readonly data?: Record<string, unknown> | null;
  readonly extensions?: Record<string, unknown>;
  readonly errors?: ReadonlyArray<{
    readonly message: string;
    readonly path?: readonly string[];
    readonly extensions?: { readonly code?: string; readonly [detail: string]: unknown };
  }>;
}

export const resultOf = async (response: Response) => (await response.json()) as Result;

export const codesOf = ({ errors = [] }: Result) => errors.map(({ extensions }) => extensions?.code);

/** The value of a gauge in the server's metrics. */
export const gauge = async (server: Awaited<ReturnType<typeof startServer>>, name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await server.metrics.registry.metrics())?.[1]);
