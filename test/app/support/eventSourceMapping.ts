import type { DynamoDBStreamEvent } from 'aws-lambda';
import type { StreamFunction } from '../../../src/app/streamFunction.ts';
import type { StreamRecord } from '../../../src/dynamo/transport/streams.ts';
import type { TestDynamo } from '../../support/database/dynamo.ts';
import { readRecords } from '../../support/stream/stream.ts';

export interface MappingOptions {
  readonly database: TestDynamo;
  readonly handler: StreamFunction['handler'];
  /** Records in an event. */
  readonly batchSize?: number;
  /** The remaining time that the function's context reports, in milliseconds. */
  readonly remainingMs?: () => number;
}

/** Imitates AWS between a table's stream and a function: batches in order, and failed records again. */
export interface EventSourceMapping {
  /** Calls the function with all records, also those of its own writes, until there is nothing new. */
  drain(): Promise<void>;
  /** How often the function has reported a failed batch. */
  readonly failures: number;
}

const BATCH_SIZE = 25;
const REMAINING_MS = 60_000;
/** AWS retries for a day; a test does not. */
const FAILURES_MAX = 20;

export function createMapping(options: MappingOptions): EventSourceMapping {
  const { database, handler, batchSize = BATCH_SIZE, remainingMs = () => REMAINING_MS } = options;
  /** By sequence number; the emulators have one shard, which never closes. */
  const done = new Set<string | undefined>();
  let failures = 0;

  async function deliver(batch: readonly StreamRecord[]): Promise<void> {
    const { batchItemFailures } = await handler(eventOf(batch, database.streamArn), {
      getRemainingTimeInMillis: remainingMs,
    });
    const [failed] = batchItemFailures;
    if (failed !== undefined && ++failures > FAILURES_MAX) throw new Error('The function fails every time.');
    for (const { dynamodb } of batch) {
      if (failed?.itemIdentifier === dynamodb?.SequenceNumber) break;
      done.add(dynamodb?.SequenceNumber);
    }
  }

  return {
    async drain() {
      for (;;) {
        const records = await readRecords(database);
        const left = records.filter(({ dynamodb }) => !done.has(dynamodb?.SequenceNumber));
        if (left.length === 0) return;
        await deliver(left.slice(0, batchSize));
      }
    },
    get failures() {
      return failures;
    },
  };
}

/** The event in Lambda's form: JSON, with times in seconds. */
const eventOf = (records: readonly StreamRecord[], streamArn: string): DynamoDBStreamEvent =>
  JSON.parse(JSON.stringify({ Records: records.map((record) => recordOf(record, streamArn)) }));

const recordOf = ({ eventName, dynamodb }: StreamRecord, streamArn: string) => ({
  eventVersion: '1.1',
  eventSource: 'aws:dynamodb',
  awsRegion: 'eu-central-1',
  eventSourceARN: streamArn,
  eventName,
  dynamodb: {
    ...dynamodb,
    StreamViewType: 'NEW_AND_OLD_IMAGES',
    ApproximateCreationDateTime: Math.floor(dynamodb?.ApproximateCreationDateTime ?? 0),
  },
});
