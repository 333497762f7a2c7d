import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { Config } from '../config.ts';
import type { Log } from '../core/log.ts';
import { type Embedded, startEmbedded } from '../dev/embeddedDynamodb/embedded.ts';
import {
  type ClientOptions,
  createClient,
  createStreamsClient,
  TIMEOUTS,
  type Timeouts,
} from '../dynamo/client.ts';
import { ensureTable, tableExists } from '../dynamo/table.ts';
import { databaseError, StartError } from './startError.ts';

export interface Database {
  readonly client: DynamoDBClient;
  readonly streams: DynamoDBStreamsClient;
  readonly table: string;
  readonly streamArn: string;
  /** True when this start made the table. */
  readonly created: boolean;
  /** Where the database is a child process of ours. */
  readonly embedded: Embedded | undefined;
  /** Last of all: the embedded database ends here. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Whether to make the table where there is none. */
  readonly create?: boolean;
  readonly patience?: Timeouts;
}

/**
 * Finds the DynamoDB that the configuration names, or starts the embedded one, and the table in it, which it
 * makes unless told not to. Throws `StartError` or `EmbeddedUnavailable`, within seconds, where there is none
 * to be had.
 */
export async function openDatabase(
  config: Config,
  log: Log,
  { create = true, patience = TIMEOUTS }: OpenOptions = {},
): Promise<Database> {
  const { dynamodb, dataDir, tableName } = config;
  const embedded = dynamodb.kind === 'embedded' ? await startEmbedded({ dataDir, log }) : undefined;
  const options = { ...(embedded ?? remoteOptions(dynamodb)), patience };
  const client = createClient(options);
  const streams = createStreamsClient(options);

  async function close(): Promise<void> {
    client.destroy();
    streams.destroy();
    await embedded?.stop();
  }

  try {
    if (!create && !(await tableExists(client, tableName))) {
      throw new StartError(`There is no table ${tableName}. TABLE_NAME says which to use.`);
    }
    const { created, streamArn } = await ensureTable(client, tableName);
    return { client, streams, table: tableName, streamArn, created, embedded, close };
  } catch (error) {
    await close();
    throw databaseError(error, dynamodb);
  }
}

/** How to reach a DynamoDB that others started. */
export function remoteOptions(dynamodb: Config['dynamodb']): ClientOptions {
  if (dynamodb.kind === 'endpoint') return { endpoint: dynamodb.endpoint };
  return dynamodb.kind === 'aws' ? { region: dynamodb.region } : {};
}
