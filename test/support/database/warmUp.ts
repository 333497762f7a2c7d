import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  QueryCommand,
  TransactWriteItemsCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { tableDefinition } from '../../../src/dynamo/table.ts';

const TABLE = 'warm-up';
const ROUNDS = 20;
const AT_ONCE = 8;

/**
 * Keeps a DynamoDB Local busy until its Java has compiled what it needs. Its first requests take longer than the
 * product waits.
 */
export async function warmUp(endpoint: string): Promise<void> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint, region: 'local', credentials });
  await client.send(new CreateTableCommand(tableDefinition(TABLE)));
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 0.1 }, { TableName: TABLE });
  const worker = async (_: unknown, at: number) => {
    for (let round = 0; round < ROUNDS; round++) {
      const Put = (n: number) => ({
        Put: {
          TableName: TABLE,
          Item: { pk: { S: `${at}` }, sk: { S: `${round}.${n}` }, n: { N: `${n}` } },
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      });
      await client.send(new TransactWriteItemsCommand({ TransactItems: [1, 2, 3].map(Put) }));
      await client.send(
        new QueryCommand({
          TableName: TABLE,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
          ExpressionAttributeValues: { ':pk': { S: `${at}` }, ':from': { S: '0' }, ':to': { S: '9' } },
          Limit: 10,
        }),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await client.send(new DeleteTableCommand({ TableName: TABLE }));
  client.destroy();
}
