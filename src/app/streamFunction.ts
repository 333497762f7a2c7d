import type { DynamoDBRecord } from 'aws-lambda';
import { createHealth } from '../core/health.ts';
import { parseTableArn } from '../core/tableArn.ts';
import { createLambdaHandler } from '../stream/lambda.ts';
import type { Environment } from '../variables.ts';
import { createFunctionParts, type FunctionParts } from './functionParts.ts';

export interface StreamFunction extends Pick<FunctionParts, 'close'> {
  readonly handler: ReturnType<typeof createLambdaHandler>;
}

/**
 * What must be left of the function's time, before it settles: the dispatcher's grace (5 s), and a second to return.
 */
const MARGIN_MS = 5_000 + 1_000;

/**
 * The stream consumer as one AWS Lambda function: see `createFunctionParts`. It does not publish a resync when it
 * starts: if a function died after it had stored something and before it published it, Lambda sends the records again.
 */
export async function createStreamFunction(environment: Environment): Promise<StreamFunction> {
  const { config, core, watch, log, recordIn, assertOutage, settled, settleMs, close } =
    await createFunctionParts(environment);
  const health = createHealth({
    log,
    down: 'The table cannot be read, so no record was handled; AWS sends them again until it can be read',
    up: 'The table can be read again',
  });
  const isForeign = foreignTo(config.tableName);
  const handle = createLambdaHandler({ dispatcher: core.dispatcher, marginMs: MARGIN_MS + settleMs });
  return {
    async handler(event, context) {
      const Records = event.Records.map(recordIn);
      const foreign = Records.find(isForeign);
      // Otherwise all of them would be skipped or derived in this table, and the mapping would seem to work.
      if (foreign !== undefined)
        throw new Error(
          `This stream is not that of the table ${config.tableName}: ${foreign.eventSourceARN}`,
        );
      try {
        await watch.look();
        health.worked();
      } catch (error) {
        assertOutage(error);
        health.failed(error);
        // If it threw, AWS would count an error of the function, and halve the batch.
        return { batchItemFailures: [{ itemIdentifier: Records[0]?.dynamodb?.SequenceNumber ?? '' }] };
      }
      const response = await handle({ Records }, context);
      await settled();
      return response;
    },
    close,
  };
}

/**
 * Whether a record is of another table: by the name in its source, or because that table names its keys in another way,
 * as one that had the name before may have.
 */
function foreignTo(table: string): (record: DynamoDBRecord) => boolean {
  const own = parseTableArn(table) === undefined ? `:table/${table}/stream/` : `${table}/stream/`;
  return ({ eventSourceARN = '', dynamodb }) =>
    !eventSourceARN.includes(own) || dynamodb?.Keys?.pk === undefined || dynamodb.Keys.sk === undefined;
}
