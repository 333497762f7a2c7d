import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApp, type Overrides } from '../../../src/app/app.ts';
import type { Config } from '../../../src/config.ts';
import { DELIVERY_WINDOWS } from '../../../src/core/deliveryKinds.ts';
import type { Log } from '../../../src/core/log.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import type { Services } from '../../../src/graphql/context.ts';
import { type ClientOptions, createClient, type TestClient } from '../clients/client.ts';
import { SECRET, tokenFor } from '../clients/tokens.ts';
import { dynamodbClient, openTestDynamo, type TestDynamo, testTimeouts } from '../database/dynamo.ts';
import { createHandled } from './handled.ts';
import { patientLimits } from './redis.ts';

export { SECRET, tokenFor };

export interface TestAppOptions extends Overrides {
  /** For several servers on one table. By default the app has a database of its own and stops it. */
  readonly database?: TestDynamo;
  /** The limits of its connections are `patientLimits`, unless `redisLimits` has others. */
  readonly redisUrl?: string;
  readonly role?: Config['role'];
  readonly config?: Partial<Config>;
  /** Default: nothing is logged. */
  readonly log?: Log;
}

export interface TestApp {
  readonly url: string;
  readonly services: Services;
  readonly dynamo: Dynamo;
  readonly database: TestDynamo;
  /** A signed-in user. The handle is also the token's subject. The first request creates the user. */
  as(handle: string, options?: ClientOptions): Promise<TestClient>;
  /** Resolves when the app's consumer has nothing left to derive. It must be the table's only one. */
  quiet(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the whole product on a free port, wired as `main` wires it, on a real DynamoDB with a table of its own. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const {
    redisUrl,
    role = 'all',
    config: changed,
    database: shared,
    wrapDispatcher,
    log,
    ...overrides
  } = options;
  const database = shared ?? (await openTestDynamo({ file: true }));
  const dataDir = await mkdtemp(join(tmpdir(), 'tsudoi-app-'));
  const config: Config = {
    port: 0,
    host: '127.0.0.1',
    role,
    auth: { kind: 'secret', secret: SECRET, issuer: undefined, audience: undefined },
    signIn: undefined,
    dynamodb: { kind: 'endpoint', endpoint: database.endpoint },
    dynamodbClient,
    tableName: database.table,
    bus: redisUrl === undefined ? { kind: 'memory' } : { kind: 'redis', url: redisUrl },
    dataDir,
    stampsDir: undefined,
    logLevel: 'silent',
    publicUrl: undefined,
    allowedOrigins: [],
    metrics: { port: undefined, token: undefined },
    traces: undefined,
    trustedProxies: 0,
    shutdownDelay: 0,
    graphiql: true,
    introspection: true,
    notificationRetention: 30 * 24 * 3600,
    deliveryWindows: DELIVERY_WINDOWS,
    vapid: 'development',
    // No test reaches a push service outside of this machine.
    pushOrigins: ['http://127.0.0.1:9'],
    webhooks: [],
    mail: undefined,
    webhookPrivateHosts: [],
    // A few users send a lot in these tests. Tests of the limits turn them on.
    rateLimits: {},
    userLimits: {},
    ...changed,
  };
  const handled = createHandled();
  // Tests end with idle connections, on which nothing will be sent.
  // The server's own periodic reads must not appear in what tests count. Timers of the next seconds run by their hints.
  const app = createApp(config, log ?? pino({ level: config.logLevel }), {
    revocationsMs: 600_000,
    shapeMs: 600_000,
    shapeBelievedMs: Number.POSITIVE_INFINITY,
    timersMs: 600_000,
    timeouts: testTimeouts,
    redisLimits: patientLimits,
    limits: { firstRequestMs: 0 },
    ...overrides,
    wrapDispatcher: (dispatcher) => handled.wrapDispatcher(wrapDispatcher?.(dispatcher) ?? dispatcher),
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
