import type { KeySchemaElement, TableDescription, TimeToLiveStatus } from '@aws-sdk/client-dynamodb';
import { EXPIRES_AT, INDEX, tableDefinition } from './table.ts';

/** Something that a table lacks, and a sentence that says so and what to do. */
export interface Lack {
  readonly part: 'keys' | 'stream' | 'index' | 'expiry';
  readonly text: string;
}

export type Shape = Pick<
  TableDescription,
  'TableName' | 'AttributeDefinitions' | 'KeySchema' | 'GlobalSecondaryIndexes' | 'StreamSpecification'
>;

const DEFINITION = tableDefinition('');
const KEYS = keysText(DEFINITION, DEFINITION.KeySchema);
const INDEX_KEYS = keysText(DEFINITION, DEFINITION.GlobalSecondaryIndexes.at(0)?.KeySchema);
const ADD = '`npm run -s table -- --add`';

/**
 * What a table lacks of what this release needs, the worst first. Empty: nothing. Other indexes and attributes do no
 * harm. The key cannot be changed, and a stream is not added, because other programs may depend on what it is.
 */
export function lacksOf(table: Shape): Lack[] {
  const texts = { keys: keysLack(table), stream: streamLack(table), index: indexLack(table) };
  return (['keys', 'stream', 'index'] as const).flatMap((part) => {
    const text = texts[part];
    return text === undefined ? [] : [{ part, text }];
  });
}

function keysLack(table: Shape): string | undefined {
  const found = keysText(table, table.KeySchema);
  if (found === KEYS) return undefined;
  const what = `The table ${table.TableName} has the key ${found} and not ${KEYS}, so it belongs to another program`;
  return `${what}. Set TABLE_NAME to the table to use.`;
}

function streamLack({ TableName, StreamSpecification: stream }: Shape): string | undefined {
  if (stream?.StreamViewType === DEFINITION.StreamSpecification.StreamViewType) return undefined;
  const what = `The table ${TableName} has no stream of NEW_AND_OLD_IMAGES, so it may belong to another program`;
  return `${what}. Set TABLE_NAME to the table to use.`;
}

/** Queries succeed in these states of an index. */
const READABLE = new Set<string | undefined>(['ACTIVE', 'UPDATING']);

function indexLack(table: Shape): string | undefined {
  const { TableName, GlobalSecondaryIndexes: indexes = [] } = table;
  const index = indexes.find(({ IndexName }) => IndexName === INDEX);
  if (index === undefined) return `The table ${TableName} has no index ${INDEX}. ${ADD} adds it.`;
  const which = `The index ${INDEX} of the table ${TableName}`;
  const found = keysText(table, index.KeySchema);
  if (found !== INDEX_KEYS) {
    return `${which} has the key ${found} and not ${INDEX_KEYS}. Delete the index, then run ${ADD}.`;
  }
  return READABLE.has(index.IndexStatus) ? undefined : `${which} is being built. ${ADD} waits for it.`;
}

export interface Expiry {
  readonly status: TimeToLiveStatus | undefined;
  readonly attribute: string | undefined;
}

/** Undefined: DynamoDB deletes expired items. Otherwise the product works, and the table grows. */
export function expiryLack(name: string, { status, attribute }: Expiry): Lack | undefined {
  const on = status === 'ENABLED' || status === 'ENABLING';
  if (on && attribute === EXPIRES_AT) return undefined;
  const what = `The table ${name} keeps expired items and grows`;
  const text = on
    ? `${what}: it deletes items by ${attribute} and not by ${EXPIRES_AT}. Switch that off, then run ${ADD}.`
    : `${what}: its time to live is off. ${ADD} switches it on.`;
  return { part: 'expiry', text };
}

/** For example `pk (S), sk (S)`. */
function keysText(
  { AttributeDefinitions: attributes = [] }: Shape,
  schema: readonly KeySchemaElement[] | undefined = [],
): string {
  const typeOf = (name: string | undefined) =>
    attributes.find(({ AttributeName }) => AttributeName === name)?.AttributeType;
  return schema.map(({ AttributeName: name }) => `${name} (${typeOf(name)})`).join(', ');
}
