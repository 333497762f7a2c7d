import { createPublisher, type Publisher } from '../bus/publisher.ts';
import { loadConfig } from '../config.ts';
import { sleep, systemClock } from '../core/clock.ts';
import { createLog } from '../core/log.ts';
import { createMetrics } from '../core/metrics.ts';
import { connect } from '../dynamo/connect.ts';
import { createDynamo } from '../dynamo/dynamo.ts';
import { createLambdaHandler } from '../stream/lambda.ts';
import type { Environment } from '../variables.ts';
import { remoteOptions } from './database.ts';
import { openBus } from './redis.ts';
import { createCoreGroup } from './stream.ts';

export interface StreamFunction {
  readonly handler: ReturnType<typeof createLambdaHandler>;
  /** For tests. Lambda never calls it: it freezes a process, and then kills it. */
  close(): Promise<void>;
}

/** How long a function waits for a pending resync before it returns and is frozen. */
const SETTLE_MS = 3_000;
/** What must be left of the function's time: the dispatcher's grace (5 s), the above, and a second to return. */
const MARGIN_MS = 5_000 + SETTLE_MS + 1_000;

/**
 * The stream consumer as one AWS Lambda function, configured by its environment: `REDIS_URL`, `TABLE_NAME`,
 * `LOG_LEVEL` and AWS's own variables (`DYNAMODB_ENDPOINT` for tests). Throws `ConfigError`.
 *
 * It does not create the table (the infrastructure does), and it does not publish a resync when it starts: if a
 * function died after it had stored something and before it published it, Lambda sends the records again.
 */
export function createStreamFunction(environment: Environment): StreamFunction {
  // A worker must have Redis, and a DynamoDB that other processes use as well.
  const config = loadConfig({ ...environment, ROLE: 'worker' });
  const log = createLog({ level: config.logLevel });
  const metrics = createMetrics();
  const { transport, destroy } = connect({ ...remoteOptions(config.dynamodb), via: config.dynamodbClient });
  const dynamo = createDynamo({ transport, table: config.tableName });
  const bus = openBus(config, log);
  const publisher = createPublisher({ bus, log });
  const { dispatcher, jobs } = createCoreGroup({ config, dynamo, publisher, log, metrics, now: Date.now });
  const handle = createLambdaHandler({ dispatcher, marginMs: MARGIN_MS });

  return {
    async handler(event, context) {
      const response = await handle(event, context);
      // Nothing runs between two batches here, so jobs that wait for their time start with the next batch.
      await jobs
        .startDue()
        .catch((error: unknown) => log.warn({ err: error }, 'Waiting jobs were not started'));
      await settled(publisher);
      return response;
    },
    async close() {
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
