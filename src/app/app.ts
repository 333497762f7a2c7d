import { createPublisher } from '../bus/publisher.ts';
import { createWakeHints } from '../bus/wakeHints.ts';
import type { Config } from '../config.ts';
import type { Log } from '../core/log.ts';
import { createMetrics } from '../core/metrics.ts';

import { TIMEOUTS, type Timeouts } from '../dynamo/client.ts';
import type { Cost } from '../dynamo/cost.ts';
import { createDynamo, type Dynamo } from '../dynamo/dynamo.ts';
import { createItemLoader } from '../dynamo/itemLoader.ts';
import type { Context, Services } from '../graphql/context.ts';
import { createSharedExecution } from '../live/sharedExecution.ts';
import { createAddressLimit } from '../rateLimits/addresses.ts';
import { loadCatalogue, noCatalogue } from '../reactions/stamps/loadCatalogue.ts';
import { createRevocations } from '../revocations/revocations.ts';
import { createRevokedTokens } from '../revocations/revokedTokens.ts';
import { createProbeServer } from '../server/http/probeServer.ts';
import { createServer } from '../server/server.ts';
import type { Dispatcher } from '../stream/dispatcher.ts';
import { openDatabase } from './database.ts';
import { createHealthChecks } from './health.ts';
import { createRunning } from './lifecycle.ts';
import { openBus } from './openBus.ts';
import { openLimits } from './openLimits.ts';
import { createPages, type Pages } from './pages.ts';
import { createSchema } from './schema.ts';
import { createServices } from './services.ts';
import { listenError } from './startError.ts';
import { createStreamConsumer, type StreamConsumer } from './stream.ts';

export interface Overrides {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Told of what every request to DynamoDB cost. */
  readonly onCost?: (cost: Cost) => void;
  /** How often a server asks which tokens were revoked, in milliseconds. */
  readonly revocationsMs?: number;
  /** Stands between the stream and its handlers: for tests that hold batches back, repeat or cut them. */
  readonly dispatching?: (dispatcher: Dispatcher) => Dispatcher;
  /** How long the database is waited for: for one that is slower than a DynamoDB. */
  readonly patience?: Timeouts;
  /** Where the web client was built to, if not in `dist/web`. */
  readonly webClientDir?: string;
}

export interface App {
  /**
   * Resolves when it serves. If it cannot start, it stops what was started, and rejects: with `StartError` if the
   * operator can correct the reason, with `Stopped` if `stop` was called in the meantime.
   */
  start(): Promise<Started>;
  /**
   * Clients are sent away to come back, work in flight is finished, the database is the last to go. While
   * it starts: once the step in hand is done.
   */
  stop(): Promise<void>;
  /**
   * Resolves when something is gone for good that it cannot work without; never rejects, and never resolves
   * where nothing goes wrong. The app is then still to be stopped.
   */
  readonly failed: Promise<Error>;
}

/** The app was told to stop before it was up. */
class Stopped extends Error {
  override readonly name = 'Stopped';
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
  const { now = Date.now, onCost, dispatching, revocationsMs, patience = TIMEOUTS } = overrides;
  const running = createRunning(log);
  let starting: Promise<Started> | undefined;
  let stopping: Promise<void> | undefined;
  let fail = (_error: Error) => {};
  const failed = new Promise<Error>((resolve) => {
    fail = resolve;
  });

  function start(): Promise<Started> {
    starting ??= startAll().catch(async (error: unknown) => {
      // Why it could not start is what counts; what could not be ended is in the log.
      await running.end().catch(() => {});
      throw error;
    });
    return starting;
  }

  function stop(): Promise<void> {
    stopping ??= (async () => {
      // What it is starting just now could not be ended yet.
      await starting?.catch(() => {});
      await running.end();
    })();
    return stopping;
  }

  /** Between two steps of the start: goes no further where it was told to stop. */
  function proceed(): void {
    if (stopping !== undefined) throw new Stopped('The server was told to stop while it was starting.');
  }

  async function startAll(): Promise<Started> {
    const metrics = createMetrics({ process: true });
    // Before anything is opened: a folder of stamps that breaks a rule is the operator's to mend.
    const { catalogue, pictures } =
      config.role === 'worker' ? noCatalogue : await loadCatalogue(config.stampsDir);
    const database = await openDatabase(config, log, { patience });
    running.add('database', database.close);
    void database.embedded?.exited.then((error) => error !== undefined && fail(error));

    const bus = openBus(config, log);
    running.add('bus', () => bus.close());
    const publisher = createPublisher({ bus, log, onFailure: () => metrics.publishFailures.inc() });
    running.add('publisher', () => publisher.stop());
    const limits = openLimits(config, { log, onRefused: (act) => metrics.rateLimited.inc({ act }) });
    running.add('limits', () => limits.close());

    const { client, table } = database;
    const metering = {
      onCost(cost: Cost) {
        metrics.dynamoReadUnits.inc({ operation: cost.operation }, cost.readUnits);
        metrics.dynamoWriteUnits.inc({ operation: cost.operation }, cost.writeUnits);
        onCost?.(cost);
      },
    };
    let streamConsumer: StreamConsumer | undefined;
    const wakeHere = () => streamConsumer?.consumer.wake();
    const hintOthers = createWakeHints(bus);
    const alone = config.bus.kind === 'memory';
    const onWrite = () => {
      wakeHere();
      if (!alone) hintOthers();
    };
    const dynamo = createDynamo({ client, table, patience, onWrite, ...metering });
    const services = createServices({
      dynamo,
      bus,
      publisher,
      log,
      metrics,
      catalogue,
      limits,
      now,
      retention: config.notificationRetention,
    });

    // At once, even if the start is stopped or fails later: the next start does not find a new table.
    if (database.created && config.auth.kind === 'development') {
      const { seedDemo } = await import('../dev/demo/seed.ts');
      await seedDemo(services);
    }
    proceed();

    if (config.role !== 'api') {
      // What is derived is written by the one who reads it: nobody else needs a hint.
      const derived = createDynamo({ client, table, patience, onWrite: wakeHere, ...metering });
      streamConsumer = createStreamConsumer({
        ...{ config, database, dynamo: derived, bus, publisher, log, metrics, now },
        ...(dispatching === undefined ? {} : { dispatching }),
      });
      running.add('consumer', streamConsumer.stop);
      await streamConsumer.start();
      proceed();
    }
    if (config.role !== 'worker') {
      const { badges, notificationStreams, resync } = services;
      running.add('badges', badges.stop);
      running.add('notification streams', notificationStreams.stop);
      running.add('resync', resync.stop);
      await resync.start();
      proceed();
    }
    const health = createHealthChecks({ dynamo, bus, consumer: streamConsumer?.consumer });
    const { tokens, clientFiles, ...pages } = await createPages(config, services, overrides.webClientDir);
    proceed();
    const revoked = createRevokedTokens({
      ...{ revocations: createRevocations({ dynamo, now }), log, now },
      ...(revocationsMs === undefined ? {} : { pollMs: revocationsMs }),
    });
    running.add('revocations', revoked.stop);
    // Before anybody is let in by a token.
    if (config.role !== 'worker') await revoked.start();
    proceed();
    const { anonymous: rate } = config.rateLimits;
    const onRefused = () => metrics.rateLimited.inc({ act: 'anonymous' });
    const server =
      config.role === 'worker'
        ? createProbeServer({ config, log, metrics, health })
        : createServer({
            ...{ config, log, metrics, health, revoked, ...pages },
            ...(rate === undefined ? {} : { anonymous: createAddressLimit({ rate, onRefused }) }),
            schema: createSchema(),
            subscribe: createSharedExecution(),
            files: [...pictures, ...clientFiles],
            context: async (identity, { acceptLanguage }) => {
              const viewer = identity === null ? null : await services.users.ensure(identity);
              const context: Context = {
                ...{ viewer, services, acceptLanguage },
                items: createItemLoader(dynamo),
              };
              return context;
            },
          });
    running.add('server', server.stop);
    try {
      return { services, dynamo, tokens, ...(await server.start()) };
    } catch (error) {
      throw listenError(error, config);
    }
  }

  return { start, stop, failed };
}
