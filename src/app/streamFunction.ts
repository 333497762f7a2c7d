import { setTimeout as wait } from 'node:timers/promises';
import { createPublisher, type Publisher } from '../bus/publisher.ts';
import { type Environment, loadConfig } from '../config.ts';
import { createLog } from '../core/log.ts';
import { createMetrics } from '../core/metrics.ts';
import { createClient } from '../dynamo/client.ts';
import { createDynamo } from '../dynamo/dynamo.ts';
import { createLambdaHandler } from '../stream/lambda.ts';
import { remoteOptions } from './database.ts';
import { openBus } from './openBus.ts';
import { createAppDispatcher } from './stream.ts';

export interface StreamFunction {
  readonly handler: ReturnType<typeof createLambdaHandler>;
  /** Lambda itself never does: its processes are frozen, then gone. */
  close(): Promise<void>;
}

/** How long a function stays for a resync that it owes, rather than to be frozen with it. */
const SETTLE_MS = 3_000;
/** What must be left of the function's time: the dispatcher's grace (5 s), the above, and a second to answer. */
const MARGIN_MS = 5_000 + SETTLE_MS + 1_000;

/**
 * The stream consumer as one AWS Lambda function, by its environment: `REDIS_URL`, `TABLE_NAME`,
 * `LOG_LEVEL` and AWS's own variables (`DYNAMODB_ENDPOINT` where it is tried out). Throws `ConfigError`.
 *
 * It neither makes the table, which the infrastructure does, nor asks for a resync when it starts: what a
 * function that died had stored without announcing, Lambda sends again, and it is announced then.
 */
export function createStreamFunction(environment: Environment): StreamFunction {
  // A worker must have Redis, and a DynamoDB that others have, too.
  const config = loadConfig({ ...environment, ROLE: 'worker' });
  const log = createLog({ level: config.logLevel });
  const metrics = createMetrics();
  const client = createClient(remoteOptions(config.dynamodb));
  const dynamo = createDynamo({ client, table: config.tableName });
  const bus = openBus(config, log);
  const publisher = createPublisher({ bus, log });
  const dispatcher = createAppDispatcher({ config, dynamo, publisher, log, metrics, now: Date.now });
  const handle = createLambdaHandler({ dispatcher, marginMs: MARGIN_MS });

  return {
    async handler(event, context) {
      const answer = await handle(event, context);
      await settled(publisher);
      return answer;
    },
    async close() {
      await publisher.stop();
      await bus.close();
      client.destroy();
    },
  };
}

/**
 * A connection that was lost while the function was frozen is made again within milliseconds; what could
 * not be published meanwhile is covered by one resync. While Redis itself is away there is no point in
 * waiting: whoever listens there has noticed, and reads again when it is back.
 */
async function settled(publisher: Publisher): Promise<void> {
  const late = new AbortController();
  const timeout = wait(SETTLE_MS, undefined, { signal: late.signal }).catch(() => {});
  await Promise.race([publisher.settled(), timeout]);
  late.abort();
}
