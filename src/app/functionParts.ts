import { destination } from 'pino';
import { createPublisher, type Publisher } from '../bus/publisher.ts';
import { type Config, type LoadOptions, loadConfig } from '../config.ts';
import { inTime, systemClock } from '../core/clock.ts';
import { defined } from '../core/defined.ts';
import { OutageError, StartError } from '../core/errors.ts';
import { createLog } from '../core/log.ts';
import { createMetrics } from '../core/metrics.ts';
import { parseTableArn } from '../core/tableArn.ts';
import { createChannels } from '../delivery/channels/channels.ts';
import { connect } from '../dynamo/connect.ts';
import { createDynamo } from '../dynamo/dynamo.ts';
import { ForeignTable, readLayout } from '../dynamo/ensureTable.ts';
import { refusalIn } from '../dynamo/errors.ts';
import { accessIn, recordsIn } from '../dynamo/transport/keyLayout.ts';
import { createShapeWatch } from '../reshape/watch.ts';
import type { Environment } from '../variables.ts';
import { remoteOptions } from './database.ts';
import { createFlush, FLUSH_MS } from './functionTraces.ts';
import { openBus } from './redis.ts';
import { databaseError } from './startError.ts';
import { createCoreGroup } from './stream.ts';
import { openTracing } from './tracing/open.ts';

export type FunctionParts = Awaited<ReturnType<typeof createFunctionParts>>;

/** How long a function waits for a pending resync before it returns and is frozen. */
const RESYNC_MS = 3_000;

/**
 * What every AWS Lambda function consists of, by its environment: `REDIS_URL`, `TABLE_NAME`, `LOG_LEVEL` and AWS's own
 * variables (`DYNAMODB_ENDPOINT` for tests), and `OTEL_*` if it sends traces. It does not create the table: the
 * infrastructure does. Rejects with `ConfigError`, with `StartError` if there is no table, and if it cannot find out how
 * the table names its keys.
 */
export async function createFunctionParts(environment: Environment, options: LoadOptions = {}) {
  // A worker needs a DynamoDB that other processes use as well.
  const config = loadConfig({ ...environment, ROLE: 'worker' }, options);
  const log = createLog({ level: config.logLevel, to: beforeItIsFrozen() });
  const metrics = createMetrics();
  const tracing = await openTracing(config, log);
  const tracer = tracing?.tracer;
  const connection = connect({
    ...remoteOptions(config.dynamodb),
    via: config.dynamodbClient,
    table: config.tableName,
  });
  const { client, serverClock, destroy } = connection;
  const table = config.tableName;
  const layout = await readLayout(client, table).catch(async (error: unknown) => {
    destroy();
    await tracing?.stop();
    throw isNoTable(error)
      ? new StartError(noTable(config), { cause: error })
      : databaseError(error, config.dynamodb);
  });
  const { transport } = accessIn(layout, connection);
  const own = createDynamo({ transport, table, pattern: 'shape' });
  const watch = createShapeWatch({ dynamo: own, log, role: 'function', rests: true });
  const { inForce: shape, confirm } = watch;
  const dynamo = createDynamo({ transport, table, shape, confirm });
  const bus = openBus(config, log);
  const publisher = createPublisher({ bus, log });
  const core = createCoreGroup({
    config,
    channels: createChannels({ ...config, log, now: Date.now }),
    dynamo,
    publisher,
    log,
    metrics,
    now: Date.now,
    ...defined({ tracer }),
  });
  const flush = createFlush(tracing);
  return {
    config,
    log,
    metrics,
    tracer,
    dynamo,
    serverClock,
    bus,
    core,
    watch,
    /** Translates records of the table's stream. */
    recordIn: recordsIn(layout),
    /**
     * Throws, unless the error means that the database does not respond. That passes by itself. A call that is refused,
     * for example because a permission is missing, is an error of the function, which sets off an alarm: someone has to
     * correct it.
     */
    assertOutage(error: unknown): void {
      if (!(error instanceof OutageError)) throw error;
      if (refusalIn(error) !== undefined) throw databaseError(error, config.dynamodb);
    },
    /** How long `settled` takes at most. */
    settleMs: RESYNC_MS + (tracing === undefined ? 0 : FLUSH_MS),
    /** Before a call returns: publishes a pending resync, then sends the call's spans. */
    async settled(): Promise<void> {
      await settled(publisher);
      await flush();
    },
    /** For tests. Lambda never calls it: it freezes a process, and then kills it. */
    async close(): Promise<void> {
      await publisher.stop();
      await bus.close();
      destroy();
      await tracing?.stop();
    },
  };
}

/**
 * A connection that was lost while the function was frozen is restored within milliseconds; one resync covers what
 * could not be published until then. During an outage of Redis itself, waiting would not help: its subscribers
 * notice the outage and read again when it is over.
 */
const settled = (publisher: Publisher): Promise<void> =>
  inTime(systemClock, RESYNC_MS, publisher.settled(), undefined);

/**
 * Each line is written when it is logged: Lambda freezes a function when a call returns, and may then kill it, with the
 * lines that wait.
 */
const beforeItIsFrozen = () => destination({ fd: STANDARD_ERROR, sync: true });
const STANDARD_ERROR = 2;

/** The function may ask about the table, or not; a read says that there is none. */
const isNoTable = (error: unknown): boolean =>
  error instanceof ForeignTable &&
  error.cause instanceof Error &&
  error.cause.name === 'ResourceNotFoundException';

function noTable({ tableName, dynamodb }: Pick<Config, 'tableName' | 'dynamodb'>): string {
  const where =
    dynamodb.kind === 'aws' ? `in ${dynamodb.region}, in the account of this function` : 'at the endpoint';
  // An ARN has both.
  const table = parseTableArn(tableName) === undefined ? `${tableName} ${where}` : tableName;
  return `There is no table ${table}. Functions create none: correct TABLE_NAME, or create it first.`;
}
