import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApp, type Overrides } from '../../src/app/app.ts';
import type { Config } from '../../src/config.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import type { Services } from '../../src/graphql/context.ts';
import { type ClientOptions, createClient, type TestClient } from './client.ts';
import { openTestDynamo, patience, type TestDynamo } from './dynamo.ts';
import { createHandled } from './handled.ts';
import { SECRET, tokenFor } from './tokens.ts';

export { SECRET, tokenFor };

export interface TestAppOptions extends Overrides {
  /** Several servers on one table share it; else the app gets one of its own, which ends with it. */
  readonly database?: TestDynamo;
  readonly redisUrl?: string;
  readonly role?: Config['role'];
  readonly config?: Partial<Config>;
}

export interface TestApp {
  readonly url: string;
  readonly services: Services;
  readonly dynamo: Dynamo;
  readonly database: TestDynamo;
  /** Somebody who is signed in: the handle is also the token's subject. Made on their first request. */
  as(handle: string, options?: ClientOptions): Promise<TestClient>;
  /** Resolves when its consumer, the table's only one, has nothing left to derive. */
  quiet(): Promise<void>;
  stop(): Promise<void>;
}

/** The whole product on a free port, wired as `main` wires it, on a real DynamoDB with a table of its own. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { redisUrl, role = 'all', config: changed, database: shared, dispatching, ...overrides } = options;
  const database = shared ?? (await openTestDynamo({ file: true }));
  const dataDir = await mkdtemp(join(tmpdir(), 'tsudoi-app-'));
  const config: Config = {
    port: 0,
    host: '127.0.0.1',
    role,
    auth: { kind: 'secret', secret: SECRET, issuer: undefined, audience: undefined },
    dynamodb: { kind: 'endpoint', endpoint: database.endpoint },
    tableName: database.table,
    bus: redisUrl === undefined ? { kind: 'memory' } : { kind: 'redis', url: redisUrl },
    dataDir,
    stampsDir: undefined,
    logLevel: 'silent',
    allowedOrigins: [],
    trustedProxies: 0,
    graphiql: true,
    introspection: true,
    // Tests race many sends of few people; those about the limits turn them on.
    notificationRetention: 30 * 24 * 3600,
    rateLimits: {},
    ...changed,
  };
  const handled = createHandled();
  // What tests count of the database is what they asked for.
  const app = createApp(config, pino({ level: config.logLevel }), {
    revocationsMs: 600_000,
    patience,
    ...overrides,
    dispatching: (dispatcher) => handled.dispatching(dispatching?.(dispatcher) ?? dispatcher),
  });
  const { url, services, dynamo } = await app.start().catch(async (error: unknown) => {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  });
  const clients = new Set<TestClient>();

  return {
    url,
    services,
    dynamo,
    database,
    async as(handle, options) {
      const client = createClient(url, await tokenFor(handle), options);
      clients.add(client);
      return client;
    },
    quiet: () => handled.quiet(dynamo),
    async stop() {
      await Promise.all([...clients].map((client) => client.close()));
      await app.stop();
      await rm(dataDir, { recursive: true, force: true });
      if (shared === undefined) await database.stop();
    },
  };
}
