import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { StreamFunction } from '../../src/app/streamFunction.ts';
import type { SdkRecord } from '../../src/stream/records.ts';
import type { TestDynamo } from '../support/dynamo.ts';
import { readRecords } from '../support/stream.ts';

export interface MappingOptions {
  readonly database: TestDynamo;
  readonly handler: StreamFunction['handler'];
  /** Records in an event. */
  readonly batchSize?: number;
  /** What the function's context says is left, in milliseconds. */
  readonly remainingMs?: () => number;
}

/** What AWS does between a table's stream and a function: batches, and what failed once more, in order. */
export interface EventSourceMapping {
  /** Gives the function everything there is, and what it writes itself, until there is nothing new. */
  drain(): Promise<void>;
  /** How often the function has reported that a batch was not done. */
  readonly failures: number;
}

const BATCH_SIZE = 25;
const REMAINING_MS = 60_000;
/** AWS goes on for a day; a test need not. */
const FAILURES_MAX = 20;

export function createMapping(options: MappingOptions): EventSourceMapping {
  const { database, handler, batchSize = BATCH_SIZE, remainingMs = () => REMAINING_MS } = options;
  /** By sequence number; the emulators have one shard, which never closes. */
  const done = new Set<string | undefined>();
  let failures = 0;

  async function give(batch: readonly SdkRecord[]): Promise<void> {
    const { batchItemFailures } = await handler(eventOf(batch, database.streamArn), {
      getRemainingTimeInMillis: remainingMs,
    });
    const [failed] = batchItemFailures;
    if (failed !== undefined && ++failures > FAILURES_MAX) throw new Error('The function only ever fails.');
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
        await give(left.slice(0, batchSize));
      }
    },
    get failures() {
      return failures;
    },
  };
}

/** As it arrives: JSON, with times in seconds and binary values in base64. */
const eventOf = (records: readonly SdkRecord[], streamArn: string): DynamoDBStreamEvent =>
  JSON.parse(JSON.stringify({ Records: records.map((record) => recordOf(record, streamArn)) }));

function recordOf({ eventID, eventName, dynamodb }: SdkRecord, streamArn: string): DynamoDBRecord {
  const {
    ApproximateCreationDateTime: at,
    Keys,
    OldImage,
    NewImage,
    SequenceNumber,
    SizeBytes,
  } = dynamodb ?? {};
  return {
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'eu-central-1',
    eventSourceARN: streamArn,
    ...(eventID === undefined ? {} : { eventID }),
    ...(eventName === undefined ? {} : { eventName }),
    dynamodb: {
      StreamViewType: 'NEW_AND_OLD_IMAGES',
      ...(at === undefined ? {} : { ApproximateCreationDateTime: Math.floor(at.getTime() / 1_000) }),
      ...(Keys === undefined ? {} : { Keys: imageOf(Keys) }),
      ...(OldImage === undefined ? {} : { OldImage: imageOf(OldImage) }),
      ...(NewImage === undefined ? {} : { NewImage: imageOf(NewImage) }),
      ...(SequenceNumber === undefined ? {} : { SequenceNumber }),
      ...(SizeBytes === undefined ? {} : { SizeBytes }),
    },
  };
}

type LambdaImage = NonNullable<NonNullable<DynamoDBRecord['dynamodb']>['NewImage']>;

const imageOf = (image: Record<string, AttributeValue>): LambdaImage =>
  Object.fromEntries(Object.entries(image).map(([name, value]) => [name, lambdaValue(value)]));

function lambdaValue(value: AttributeValue): LambdaImage[string] {
  if (value.B !== undefined) return { B: Buffer.from(value.B).toString('base64') };
  if (value.BS !== undefined) return { BS: value.BS.map((one) => Buffer.from(one).toString('base64')) };
  if (value.L !== undefined) return { L: value.L.map(lambdaValue) };
  if (value.M !== undefined) return { M: imageOf(value.M) };
  return value as LambdaImage[string];
}
