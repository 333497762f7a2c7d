import { createPublisher, type Publisher } from '../bus/publisher.ts';
import { type LoadOptions, loadConfig } from '../config.ts';
import { sleep, systemClock } from '../core/clock.ts';
import { createLog } from '../core/log.ts';
import { createMetrics } from '../core/metrics.ts';
import { createChannels } from '../delivery/channels/channels.ts';
import { connect } from '../dynamo/connect.ts';
import { createDynamo } from '../dynamo/dynamo.ts';
import { createShapeWatch } from '../reshape/watch.ts';
import type { Environment } from '../variables.ts';
import { remoteOptions } from './database.ts';
import { openBus } from './redis.ts';
import { createCoreGroup } from './stream.ts';

export type FunctionParts = ReturnType<typeof createFunctionParts>;

/** How long a function waits for a pending resync before it returns and is frozen. */
export const SETTLE_MS = 3_000;

/**
 * What every AWS Lambda function consists of, by its environment: `REDIS_URL`, `TABLE_NAME`, `LOG_LEVEL` and AWS's own
 * variables (`DYNAMODB_ENDPOINT` for tests). It does not create the table: the infrastructure does. Throws
 * `ConfigError`.
 */
export function createFunctionParts(environment: Environment, options: LoadOptions = {}) {
  // A worker needs a DynamoDB that other processes use as well.
  const config = loadConfig({ ...environment, ROLE: 'worker' }, options);
  const log = createLog({ level: config.logLevel });
  const metrics = createMetrics();
  const { transport, serverClock, destroy } = connect({
    ...remoteOptions(config.dynamodb),
    via: config.dynamodbClient,
  });
  const table = config.tableName;
  const watch = createShapeWatch({ dynamo: createDynamo({ transport, table, pattern: 'shape' }), log });
  const dynamo = createDynamo({ transport, table, shape: watch.inForce });
  const bus = openBus(config, log);
  const publisher = createPublisher({ bus, log });
  const core = createCoreGroup({
    ...{ config, channels: createChannels({ ...config, log, now: Date.now }) },
    ...{ dynamo, publisher, log, metrics, now: Date.now },
  });
  return {
    ...{ config, log, metrics, dynamo, serverClock, bus, core, watch },
    settled: () => settled(publisher),
    /** For tests. Lambda never calls it: it freezes a process, and then kills it. */
    async close(): Promise<void> {
      await publisher.stop();
      await bus.close();
      destroy();
    },
  };
}

/**
 * A connection that was lost while the function was frozen is restored within milliseconds; one resync covers what
 * could not be published until then. During an outage of Redis itself, waiting would not help: its subscribers
 * notice the outage and read again when it is over.
 */
async function settled(publisher: Publisher): Promise<void> {
  const late = new AbortController();
  const timeout = sleep(systemClock, SETTLE_MS, late.signal);
  await Promise.race([publisher.settled(), timeout]);
  late.abort();
}
