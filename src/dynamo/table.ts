import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  PutItemCommand,
  ResourceNotFoundException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { IMPORTED } from './item.ts';
import { keys } from './keys.ts';

/** The version of the items' shapes. Every item has it as `v`. */
export const SCHEMA_VERSION = 1;

/** What items of earlier releases lack. Each is added once, in the background, by the feature that needs it. */
export const CONVERSIONS = ['handles', 'likes'] as const;

/** The item that says that a conversion is done. A new table has nothing to convert. */
export const converted = (conversion: (typeof CONVERSIONS)[number]) => ({
  ...keys.conversion(conversion),
  v: SCHEMA_VERSION,
  ...IMPORTED,
});

export const INDEX = 'gsi1';

/** The parameters of `CreateTable`. The infrastructure code is built from them as well. */
export const tableDefinition = (name: string) => ({
  TableName: name,
  BillingMode: 'PAY_PER_REQUEST' as const,
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' as const },
    { AttributeName: 'sk', AttributeType: 'S' as const },
    { AttributeName: 'gsi1pk', AttributeType: 'S' as const },
    { AttributeName: 'gsi1sk', AttributeType: 'S' as const },
  ],
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' as const },
    { AttributeName: 'sk', KeyType: 'RANGE' as const },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: INDEX,
      KeySchema: [
        { AttributeName: 'gsi1pk', KeyType: 'HASH' as const },
        { AttributeName: 'gsi1sk', KeyType: 'RANGE' as const },
      ],
      // Keys only: the index lags, so everything that it names is read from the table before it is shown.
      Projection: { ProjectionType: 'KEYS_ONLY' as const },
    },
  ],
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' as const },
});

export interface TableState {
  /** This call created the table. */
  readonly created: boolean;
  readonly streamArn: string;
}

/** The table exists, but the product cannot work with it. The message is one line for the operator. */
export class ForeignTable extends Error {
  override readonly name = 'ForeignTable';
}

/**
 * Finds the table, or creates it, and waits until it can be used. Throws `ForeignTable` if a table of this name has
 * no stream of new and old images.
 */
export async function ensureTable(client: DynamoDBClient, name: string): Promise<TableState> {
  let created = false;
  let described = await describe(client, name);
  if (described === undefined) {
    try {
      await client.send(new CreateTableCommand(tableDefinition(name)));
      created = true;
    } catch (error) {
      // Another server has created it.
      if (!(error instanceof Error) || error.name !== 'ResourceInUseException') throw error;
    }
  }
  if (described?.TableStatus !== 'ACTIVE') {
    await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 0.05, maxDelay: 1 }, { TableName: name });
    described = await describe(client, name);
  }
  const stream = described?.StreamSpecification;
  if (described?.LatestStreamArn === undefined || stream?.StreamViewType !== 'NEW_AND_OLD_IMAGES') {
    throw new ForeignTable(
      `The table ${name} has no stream of NEW_AND_OLD_IMAGES, so it may belong to another program. Set TABLE_NAME to the table to use.`,
    );
  }
  if (created) {
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName: name,
        TimeToLiveSpecification: { Enabled: true, AttributeName: 'expiresAt' },
      }),
    );
    for (const { pk, sk, v, imported } of CONVERSIONS.map(converted)) {
      const Item = { pk: { S: pk }, sk: { S: sk }, v: { N: String(v) }, imported: { BOOL: imported } };
      await client.send(new PutItemCommand({ TableName: name, Item }));
    }
  }
  return { created, streamArn: described.LatestStreamArn };
}

export const tableExists = async (client: DynamoDBClient, name: string): Promise<boolean> =>
  (await describe(client, name)) !== undefined;

async function describe(client: DynamoDBClient, name: string) {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
