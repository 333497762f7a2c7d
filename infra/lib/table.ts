import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  type ITableV2,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { ExistingTableProps } from './props.ts';

/** The table's one index. `src/dynamo/table.ts` has the same definition; a test compares them. */
export const INDEX = 'gsi1';

/** On demand, and never deleted with the stack. Point-in-time recovery reaches back 35 days. */
export const createTable = (scope: Construct, tableName: string): TableV2 =>
  new TableV2(scope, 'Table', {
    tableName,
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    sortKey: { name: 'sk', type: AttributeType.STRING },
    globalSecondaryIndexes: [
      {
        indexName: INDEX,
        partitionKey: { name: 'gsi1pk', type: AttributeType.STRING },
        sortKey: { name: 'gsi1sk', type: AttributeType.STRING },
        projectionType: ProjectionType.KEYS_ONLY,
      },
    ],
    billing: Billing.onDemand(),
    dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
    timeToLiveAttribute: 'expiresAt',
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    encryption: TableEncryptionV2.dynamoOwnedKey(),
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });

/** A table that is not in the template. Its settings are its owner's: docs/backups.md. */
export const useTable = (scope: Construct, { name, streamArn }: ExistingTableProps): ITableV2 =>
  TableV2.fromTableAttributes(scope, 'ExistingTable', {
    ...(name.startsWith('arn:') ? { tableArn: name } : { tableName: name }),
    tableStreamArn: streamArn,
  });

/** What every process calls. A transaction needs the permissions of the writes in it. */
const ITEMS = ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'];
/** What some processes call in addition: at the start, what the table is like, and jobs and commands read all of it. */
export type TableAccess = 'DescribeTable' | 'DescribeTimeToLive' | 'Scan';

/** `Scan` needs no permission for the index, because only queries read it. */
export function grantTable(table: ITableV2, grantee: IGrantable, also: readonly TableAccess[] = []): void {
  const actions = (names: readonly string[]) => names.map((name) => `dynamodb:${name}`);
  grantee.grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({ actions: actions([...ITEMS, ...also]), resources: [table.tableArn] }),
  );
  grantee.grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({
      actions: actions(['Query']),
      resources: [table.tableArn, `${table.tableArn}/index/${INDEX}`],
    }),
  );
}

export function streamArnOf({ tableStreamArn }: ITableV2): string {
  if (tableStreamArn === undefined) throw new Error('The table has no stream.');
  return tableStreamArn;
}

/** What a consumer calls to read the stream. */
export function grantStream(table: ITableV2, grantee: IGrantable): void {
  const read = ['DescribeStream', 'GetRecords', 'GetShardIterator'].map((name) => `dynamodb:${name}`);
  grantee.grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({ actions: read, resources: [streamArnOf(table)] }),
  );
}
