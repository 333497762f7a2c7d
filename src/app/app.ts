import { createPublisher, createWakeHints } from '../bus/publisher.ts';
import type { RedisLimits } from '../bus/redis/connection.ts';
import type { Config } from '../config.ts';
import { defined } from '../core/defined.ts';
import { OutageError } from '../core/errors.ts';
import { every } from '../core/every.ts';
import type { Log } from '../core/log.ts';
import { createMetrics } from '../core/metrics.ts';
import { createChannels } from '../delivery/channels/channels.ts';
import type { Embedded } from '../dev/embeddedDynamodb/embedded.ts';
import { TIMEOUTS, type Timeouts } from '../dynamo/client.ts';
import { createDynamo, type Dynamo } from '../dynamo/dynamo.ts';
import type { Cost, Metering } from '../dynamo/metering.ts';
import type { Services } from '../graphql/context.ts';
import { loadCatalogue, noCatalogue } from '../reactions/stamps/loadCatalogue.ts';
import { createRevocations } from '../revocations/revocations.ts';
import { createRevokedTokens } from '../revocations/revokedTokens.ts';
import { createProbeServer } from '../server/http/probeServer.ts';
import type { ServerLimits } from '../server/limits.ts';
import { watchMemory } from '../server/memory.ts';
import type { Dispatcher } from '../stream/dispatcher.ts';
import { createApiServer } from './apiServer.ts';
import { openDatabase } from './database.ts';
import { createServices } from './features.ts';
import { createHealthChecks } from './health.ts';
import { createShutdownStack } from './lifecycle.ts';
import { createLoadLog } from './load.ts';
import { createMetering } from './metering.ts';
import { createPages, type Pages } from './pages.ts';
import { openBus, openRateLimiter } from './redis.ts';
import { databaseError, listenError } from './startError.ts';
import { createStreamConsumer, type StreamConsumer } from './stream.ts';
import { createTables, type Tables } from './tables.ts';
import { openTracing } from './tracing/open.ts';

export interface Overrides {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Called with the cost of every request to DynamoDB, except for those for leases. */
  readonly onCost?: (cost: Cost) => void;
  /** The time between two reads of the revoked tokens, in milliseconds. */
  readonly revocationsMs?: number;
  /** The time between two looks at the table's shape, in milliseconds. */
  readonly shapeMs?: number;
  /** How old the last look may be for requests that do not look themselves, in milliseconds. Default: 30 s. */
  readonly shapeBelievedMs?: number | undefined;
  /** Wraps the stream's dispatcher, for tests that delay, repeat or cut batches. */
  readonly wrapDispatcher?: (dispatcher: Dispatcher) => Dispatcher;
  /** The time limits of database calls, for a database that is slower than DynamoDB. */
  readonly timeouts?: Timeouts;
  /** How often the load is logged, in milliseconds. */
  readonly loadMs?: number;
  /** How often the lease of the timers is renewed; every second time the table is looked at. */
  readonly timersMs?: number;
  /** The time between two counts of the jobs, in milliseconds. */
  readonly upkeepMs?: number;
  /** See `DerivationOptions`. */
  readonly putOffMs?: number;
  /** After how long Redis counts as hanging. */
  readonly redisLimits?: Partial<RedisLimits>;
  /** Replaces some of the server's limits. */
  readonly limits?: Partial<ServerLimits>;
  /** The folder of the built web client. Default `dist/web`. */
  readonly webClientDir?: string;
}

export interface App {
  /**
   * Resolves when the app accepts requests. Rejects if it cannot start, after everything that was started has been
   * stopped: with `StartError` if the operator can correct the cause, with `Stopped` if `stop` was called meanwhile.
   */
  start(): Promise<Started>;
  /**
   * Closes the clients' connections so that they connect elsewhere, finishes open requests, and stops the database
   * last. During a start, it first waits for the current step.
   */
  stop(): Promise<void>;
  /**
   * Resolves if something that the app cannot work without has failed for good. The caller then has to stop the app.
   * Never rejects, and never resolves otherwise.
   */
  readonly failed: Promise<Error>;
}

/** The app was stopped before its start was complete. */
class Stopped extends Error {
  override readonly name = 'Stopped';
}

const STOPPED = 'The server was stopped while it was starting.';

export interface Started {
  readonly url: string;
  readonly port: number;
  /** The listener of METRICS_PORT; undefined if there is none. */
  readonly metricsUrl: string | undefined;
  /** See `Pages`. */
  readonly hasClient: Pages['hasClient'];
  /** Tokens of demo users; empty outside development. */
  readonly tokens: Pages['tokens'];
  readonly services: Services;
  readonly dynamo: Dynamo;
}

/** How often a server logs its load: what CloudWatch can scale by, which does not read `/metrics`. */
const LOAD_EVERY_MS = 60_000;

/** Wires all parts of a Tsudoi process by its configuration. */
export function createApp(config: Config, log: Log, overrides: Overrides = {}): App {
  const { now = Date.now, onCost, wrapDispatcher, revocationsMs, timersMs, timeouts = TIMEOUTS } = overrides;
  const { redisLimits = {}, loadMs = LOAD_EVERY_MS, shapeMs, shapeBelievedMs } = overrides;
  const { upkeepMs, putOffMs } = overrides;
  const shutdown = createShutdownStack(log);
  let starting: Promise<Started> | undefined;
  let fileFault: Embedded['fault'] | undefined;
  let stopping: Promise<void> | undefined;
  const ending = new AbortController();
  const isStopping = () => stopping !== undefined;
  let fail = (_error: Error) => {};
  const failed = new Promise<Error>((resolve) => {
    fail = resolve;
  });

  function start(): Promise<Started> {
    starting ??= startAll().catch(async (error: unknown) => {
      // The caller gets the reason why the start failed. Parts that could not be stopped are in the log.
      await shutdown.end().catch(() => {});
      throw (
        fileFault?.(error) ?? (error instanceof OutageError ? databaseError(error, config.dynamodb) : error)
      );
    });
    return starting;
  }

  function stop(): Promise<void> {
    ending.abort(new Stopped(STOPPED));
    stopping ??= (async () => {
      // The part that is being started now cannot be stopped yet.
      await starting?.catch(() => {});
      await shutdown.end();
    })();
    return stopping;
  }

  /** Called between two steps of the start. */
  function throwIfStopping(): void {
    if (isStopping()) throw new Stopped(STOPPED);
  }

  async function startAll(): Promise<Started> {
    const metrics = createMetrics({ process: true });
    const tracing = await openTracing(config, log);
    // Last, so that it sends the spans of everything that ends before.
    if (tracing !== undefined) shutdown.add('traces', tracing.stop);
    const tracer = tracing?.tracer;
    // First, before anything is opened: the operator may have to correct the folder of stamps.
    const { catalogue, pictures } =
      config.role === 'worker' ? noCatalogue : await loadCatalogue(config.stampsDir);
    const database = await openDatabase(config, log, { timeouts, signal: ending.signal });
    let tables: Tables | undefined;
    shutdown.add('database', () => (tables ?? database).close());
    fileFault = database.embedded?.fault;
    void database.embedded?.exited.then((error) => error !== undefined && fail(error));

    const bus = openBus(config, log, redisLimits);
    shutdown.add('bus', () => bus.close());
    metrics.watched.busUp = () => bus.up;
    const publisher = createPublisher({ bus, log, onFailure: () => metrics.publishFailures.inc() });
    shutdown.add('publisher', () => publisher.stop());
    const rateLimiter = openRateLimiter(config, {
      log,
      limits: redisLimits,
      onRefused: (action) => metrics.rateLimited.inc({ act: action }),
    });
    shutdown.add('rate limiter', () => rateLimiter.close());

    const ownMetering = createMetering({
      metrics,
      log,
      slowCalls: database.embedded === undefined ? 'info' : 'debug',
    });
    const metering: Metering = {
      ...ownMetering,
      onCost(cost) {
        ownMetering.onCost(cost);
        onCost?.(cost);
      },
    };
    tables = createTables({
      config,
      log,
      database,
      timeouts,
      now,
      onFailed: fail,
      // Its looks are not part of what `onCost` is called with.
      metering: ownMetering,
      everyMs: shapeMs,
      believedMs: shapeBelievedMs,
    });
    const { requests, inForce: shape, confirm, stop: stopTables } = tables;
    shutdown.add('shape', stopTables);
    // Before anything is written. A stop is noticed only after the demo data of a new table.
    await tables.start();
    metrics.watched.shape = shape;
    let streamConsumer: StreamConsumer | undefined;
    const wakeHere = () => streamConsumer?.consumer.wake();
    const hintOthers = createWakeHints(bus);
    const alone = config.bus.kind === 'memory';
    const onWrite = () => {
      wakeHere();
      if (!alone) hintOthers();
    };
    const dynamo = createDynamo({ ...requests, timeouts, onWrite, shape, confirm, ...metering });
    let { port } = config;
    const publicUrl = () => config.publicUrl ?? `http://127.0.0.1:${port}`;
    const channels = createChannels({ ...config, log, now });
    const revocations = createRevocations({ dynamo, now });
    const revoked = createRevokedTokens(defined({ revocations, log, now, pollMs: revocationsMs }));
    const services = createServices({
      publicUrl,
      revokedTokens: revoked,
      channels,
      dynamo,
      bus,
      publisher,
      log,
      metrics,
      tracer,
      catalogue,
      rateLimiter,
      rateLimits: config.rateLimits,
      now,
      retention: config.notificationRetention,
      deliveryWindows: config.deliveryWindows,
    });

    // Even if the start is stopped or fails later: the next start does not find a new table.
    if (database.created && config.auth.kind === 'development') {
      const { seedDemo } = await import('../dev/demo/seed.ts');
      await seedDemo(services);
    }
    throwIfStopping();

    if (config.role !== 'api') {
      // This process reads the changes that it derives, so other consumers need no hint.
      const derived = createDynamo({
        ...tables.derived,
        timeouts,
        onWrite: (isAwaited, changes) => (isAwaited ? wakeHere() : streamConsumer?.consumer.expect(changes)),
        shape,
        confirm,
        ...metering,
      });
      streamConsumer = createStreamConsumer(
        defined({
          config,
          channels,
          publicUrl,
          database: tables.database,
          dynamo: derived,
          bus,
          publisher,
          log,
          metrics,
          // Leases are not part of what `onCost` is called with.
          metering: ownMetering,
          tracer,
          now,
          wrapDispatcher,
          timersMs,
          upkeepMs,
          putOffMs,
        }),
      );
      shutdown.add('consumer', streamConsumer.stop);
      await streamConsumer.start();
      throwIfStopping();
    }
    if (config.role !== 'worker') {
      const { resync, profileCache } = services;
      shutdown.add('live subscriptions', resync.stop);
      await Promise.all([resync.start(), profileCache.start()]);
      throwIfStopping();
    }
    const health = createHealthChecks({ dynamo, bus, reading: streamConsumer });
    const { tokens, clientFiles, hasClient, ...pages } = await createPages(config, {
      dynamo,
      services,
      clientDir: overrides.webClientDir,
    });
    throwIfStopping();
    shutdown.add('revocations', revoked.stop);
    // Before the server accepts the first token.
    if (config.role !== 'worker') await revoked.start();
    throwIfStopping();
    const memory = watchMemory();
    shutdown.add('memory', async () => memory.stop());
    const server =
      config.role === 'worker'
        ? createProbeServer({ config, log, metrics, health, isStopping })
        : createApiServer({
            config,
            services,
            dynamo,
            log,
            metrics,
            tracer,
            health,
            revoked,
            memory,
            ...pages,
            files: [...pictures, ...clientFiles],
            receivesEvents: () => bus.up,
            // The last requests may take most of the time that a stop has. Its failure is reported when its turn comes.
            onClose: () => void streamConsumer?.stop().catch(() => {}),
            ...defined({ limits: overrides.limits }),
          });
    const metricsServer =
      config.metrics.port === undefined
        ? undefined
        : createProbeServer({
            log,
            metrics,
            health,
            isStopping,
            operatorsOnly: true,
            config: { ...config, port: config.metrics.port },
          });
    // It is stopped after the server, whose last requests it still counts.
    if (metricsServer !== undefined) shutdown.add('metrics', metricsServer.stop);
    shutdown.add('server', server.stop);
    const started = await server.start().catch((error: unknown) => {
      throw listenError(error, { setting: 'PORT', host: config.host, port: config.port });
    });
    if (config.role !== 'worker') shutdown.add('load', every(loadMs, createLoadLog(log, metrics)));
    tables.follow({
      prepare: ({ tableName }) => bus.listenTo(tableName),
      forget: ({ tableName }) => bus.forget(tableName),
      pause: async () => streamConsumer?.pause(),
      async resume(present, { tableName }) {
        bus.useTable(tableName);
        rateLimiter.useTable(tableName);
        await streamConsumer?.resume(present);
      },
    });
    // With PORT=0 it is known only now.
    port = started.port;
    const metricsAt = await metricsServer?.start().catch((error: unknown) => {
      throw listenError(error, { setting: 'METRICS_PORT', host: config.host, port: config.metrics.port });
    });
    return {
      services,
      dynamo,
      hasClient,
      tokens,
      ...started,
      metricsUrl: metricsAt && `${metricsAt.url}/metrics`,
    };
  }

  return { start, stop, failed };
}
