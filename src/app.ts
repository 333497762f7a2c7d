import { type Consuming, createConsuming } from './app/consuming.ts';
import { openDatabase } from './app/database.ts';
import { createHealthChecks } from './app/healthChecks.ts';
import { createPages, type Pages } from './app/pages.ts';
import { createServices } from './app/services.ts';
import type { Bus } from './bus/bus.ts';
import { createMemoryBus } from './bus/memory.ts';
import { createPublisher } from './bus/publisher.ts';
import { createRedisBus } from './bus/redis.ts';
import { createWakeHints } from './bus/wakeHints.ts';
import type { Config } from './config.ts';
import { seedDemo } from './demo/seed.ts';
import { type Cost, createDynamo, type Dynamo } from './dynamo/dynamo.ts';
import { createItemLoader } from './dynamo/itemLoader.ts';
import type { Context, Services } from './graphql/context.ts';
import { createSchema } from './graphql/schema.ts';
import type { Log } from './log.ts';
import { createMetrics } from './metrics.ts';
import type { Identity } from './server/auth.ts';
import { createServer } from './server/server.ts';
import { createCatalogue } from './stamps/catalogue.ts';
import type { Dispatcher } from './stream/dispatcher.ts';

export interface Overrides {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Told of what every request to DynamoDB cost. */
  readonly onCost?: (cost: Cost) => void;
  /** Stands between the stream and its handlers: for tests that hold batches back, repeat or cut them. */
  readonly dispatching?: (dispatcher: Dispatcher) => Dispatcher;
}

export interface App {
  /** Resolves when it serves. Rejects, with nothing left behind, where it cannot. */
  start(): Promise<Started>;
  /** Clients are sent away to come back, work in flight is finished, the database is the last to go. */
  stop(): Promise<void>;
}

export interface Started {
  readonly url: string;
  readonly port: number;
  /** For trying things out, in development. */
  readonly tokens: Pages['tokens'];
  readonly services: Services;
  readonly dynamo: Dynamo;
}

/** Everything that a process of Tsudoi is made of, by its configuration: the only place that wires it. */
export function createApp(config: Config, log: Log, overrides: Overrides = {}): App {
  const { now = Date.now, onCost, dispatching } = overrides;
  /** What has been started, in that order. */
  const running: Array<() => Promise<void> | void> = [];
  let stopping: Promise<void> | undefined;

  async function start(): Promise<Started> {
    try {
      return await startAll();
    } catch (error) {
      await stop();
      throw error;
    }
  }

  async function startAll(): Promise<Started> {
    const metrics = createMetrics({ process: true });
    const database = await openDatabase(config, log);
    running.push(() => database.close());

    const bus = openBus();
    running.push(() => bus.close());
    const publisher = createPublisher({ bus, log, onFailure: () => metrics.publishFailures.inc() });
    running.push(() => publisher.stop());

    const { client, table } = database;
    const metering = {
      onCost(cost: Cost) {
        metrics.dynamoReadUnits.inc({ operation: cost.operation }, cost.readUnits);
        metrics.dynamoWriteUnits.inc({ operation: cost.operation }, cost.writeUnits);
        onCost?.(cost);
      },
    };
    let consuming: Consuming | undefined;
    const wakeHere = () => consuming?.consumer.wake();
    const hintOthers = createWakeHints(bus);
    const alone = config.bus.kind === 'memory';
    const onWrite = () => {
      wakeHere();
      if (!alone) hintOthers();
    };
    const dynamo = createDynamo({ client, table, onWrite, ...metering });
    const catalogue = createCatalogue([]);
    const services = createServices({ dynamo, bus, publisher, log, metrics, catalogue, now });

    if (config.role !== 'api') {
      // What is derived is written by the one who reads it: nobody else needs a hint.
      const derived = createDynamo({ client, table, onWrite: wakeHere, ...metering });
      consuming = createConsuming({
        ...{ config, database, dynamo: derived, bus, publisher, log, metrics, now },
        ...(dispatching === undefined ? {} : { dispatching }),
      });
      running.push(consuming.stop);
      await consuming.start();
    }
    if (config.role !== 'worker') {
      running.push(services.hub.stop);
      await services.hub.start();
    }
    if (database.created && config.auth.kind === 'development') await seedDemo(services);

    const { tokens, ...pages } = await createPages(config);
    const server = createServer({
      config,
      log,
      metrics,
      schema: createSchema(),
      context: async (identity) => contextFor(identity, services, dynamo),
      health: createHealthChecks({ dynamo, bus, consumer: consuming?.consumer }),
      ...pages,
    });
    running.push(server.stop);
    return { services, dynamo, tokens, ...(await server.start()) };
  }

  const openBus = (): Bus =>
    config.bus.kind === 'redis'
      ? createRedisBus({ url: config.bus.url, prefix: `tsudoi:${config.tableName}:`, log })
      : createMemoryBus({ log });

  function stop(): Promise<void> {
    stopping ??= (async () => {
      for (const end of running.reverse()) await end();
    })();
    return stopping;
  }

  return { start, stop };
}

async function contextFor(identity: Identity | null, services: Services, dynamo: Dynamo): Promise<Context> {
  const viewer = identity === null ? null : await services.users.ensure(identity);
  return { viewer, items: createItemLoader(dynamo), services };
}
