import { type AttributeValue, type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { keyIn, readLayout } from '../src/dynamo/ensureTable.ts';
import { keys } from '../src/dynamo/keys.ts';
import { FIRST_SHAPE, NEWEST_SHAPE } from '../src/dynamo/shapes.ts';

const SECTION = 'docs/aws.md#the-newest-shape';

/**
 * What an operator can do about the shape of the table, in a line: `item` is its `SHAPE`, which a table that
 * CloudFormation has made lacks. Undefined: the newest one is in force.
 */
export function shapeNote(item: Readonly<Record<string, AttributeValue>> | undefined): string | undefined {
  const inForce = Number(item?.inForce?.N ?? FIRST_SHAPE);
  return inForce < NEWEST_SHAPE
    ? `The table has shape ${inForce}, and this release can use ${NEWEST_SHAPE}, which is cheaper: ${SECTION}`
    : undefined;
}

/** Reads it. The deployment has succeeded already, so a failure is a note, too. */
export async function readShapeNote(client: DynamoDBClient, table: string): Promise<string | undefined> {
  try {
    const Key = keyIn(await readLayout(client, table), keys.shape());
    const { Item } = await client.send(new GetItemCommand({ TableName: table, Key }));
    return shapeNote(Item);
  } catch (error) {
    return `The shape of the table could not be read (${error instanceof Error ? error.name : 'unknown'}): ${SECTION}`;
  }
}
