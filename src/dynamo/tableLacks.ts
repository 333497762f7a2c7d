import type { KeySchemaElement, TableDescription, TimeToLiveStatus } from '@aws-sdk/client-dynamodb';
import { DEFAULT_LAYOUT, isUsable, type KeyLayout, LAYOUT_RULE } from './keyLayout.ts';
import { EXPIRES_AT, INDEX, tableDefinition } from './table.ts';

/** Something that a table lacks, and a sentence that says so and what to do. */
export interface Lack {
  readonly part: 'keys' | 'stream' | 'index' | 'expiry';
  readonly text: string;
}

export type TableDefinition = Pick<
  TableDescription,
  'TableName' | 'AttributeDefinitions' | 'KeySchema' | 'GlobalSecondaryIndexes' | 'StreamSpecification'
>;

const DEFINITION = tableDefinition('');
const KEYS = keysText(DEFINITION, DEFINITION.KeySchema);
const INDEX_KEYS = keysText(DEFINITION, DEFINITION.GlobalSecondaryIndexes.at(0)?.KeySchema);
const ADD = '`npm run -s table -- --add`';

/**
 * What a table lacks of what this release needs, the worst first. Empty: nothing. Other indexes and attributes do no
 * harm. The key cannot be changed, and a stream is not added, because other programs may depend on what it is. `setting`:
 * what names the table.
 */
export function lacksOf(table: TableDefinition, setting = 'TABLE_NAME'): Lack[] {
  const texts = {
    keys: keysLack(table, setting),
    stream: streamLack(table, setting),
    index: indexLack(table),
  };
  return (['keys', 'stream', 'index'] as const).flatMap((part) => {
    const text = texts[part];
    return text === undefined ? [] : [{ part, text }];
  });
}

function keysLack(table: TableDefinition, setting: string): string | undefined {
  const which = `The table ${table.TableName} has the key ${keysText(table, table.KeySchema)}`;
  if (keyNamesOf(table, table.KeySchema) === undefined) {
    const what = `${which} and not two strings, such as ${KEYS}, so it belongs to another program`;
    return `${what}. Set ${setting} to the table to use.`;
  }
  // `indexLack` says what the index lacks.
  if (hasDefaultKeys(table) || isUsable(layoutOf(table))) return undefined;
  const index = indexOf(table);
  const ofIndex = index === undefined ? '' : ` and the index ${INDEX} on ${keysText(table, index.KeySchema)}`;
  return `${which}${ofIndex}: these names can be used only if ${LAYOUT_RULE}. Set ${setting} to the table to use.`;
}

function streamLack(
  { TableName, StreamSpecification: stream }: TableDefinition,
  setting: string,
): string | undefined {
  if (stream?.StreamViewType === DEFINITION.StreamSpecification.StreamViewType) return undefined;
  const what = `The table ${TableName} has no stream of NEW_AND_OLD_IMAGES, so it may belong to another program`;
  return `${what}. Set ${setting} to the table to use.`;
}

/** Queries succeed in these states of an index. */
const READABLE = new Set<string | undefined>(['ACTIVE', 'UPDATING']);

function indexLack(table: TableDefinition): string | undefined {
  const { TableName } = table;
  const index = indexOf(table);
  if (index === undefined) {
    const what = `The table ${TableName} has no index ${INDEX}`;
    return canAddIndex(table)
      ? `${what}. ${ADD} adds it.`
      : `${what}. Create it with the names that its keys have in the items, and the projection KEYS_ONLY.`;
  }
  const which = `The index ${INDEX} of the table ${TableName}`;
  const found = keysText(table, index.KeySchema);
  if (found !== INDEX_KEYS && hasDefaultKeys(table))
    return `${which} has the key ${found} and not ${INDEX_KEYS}. Delete the index, then run ${ADD}.`;
  if (keyNamesOf(table, index.KeySchema) === undefined)
    return `${which} has the key ${found} and not two strings.`;
  return READABLE.has(index.IndexStatus) ? undefined : `${which} is being built. ${ADD} waits for it.`;
}

const indexOf = ({ GlobalSecondaryIndexes: indexes = [] }: TableDefinition) =>
  indexes.find(({ IndexName }) => IndexName === INDEX);

/**
 * How the table names its keys. With the default key, those of the index have their default names, too: if they were
 * others, lists would lack the items that have them already. Only `lacksOf` says whether the table can be used.
 */
export function layoutOf(table: TableDefinition): KeyLayout {
  if (hasDefaultKeys(table)) return DEFAULT_LAYOUT;
  const [pk, sk] = keyNamesOf(table, table.KeySchema) ?? [DEFAULT_LAYOUT.pk, DEFAULT_LAYOUT.sk];
  const ofIndex = keyNamesOf(table, indexOf(table)?.KeySchema);
  const [gsi1pk, gsi1sk] = ofIndex ?? [DEFAULT_LAYOUT.gsi1pk, DEFAULT_LAYOUT.gsi1sk];
  return { pk, sk, gsi1pk, gsi1sk };
}

const hasDefaultKeys = (table: TableDefinition): boolean => keysText(table, table.KeySchema) === KEYS;

/** Whether it is known what the keys of a missing index are called. */
export const canAddIndex = hasDefaultKeys;

/**
 * The names of the hash and the range of a key. Undefined if it does not consist of both, or one of them is not a
 * string.
 */
function keyNamesOf(
  { AttributeDefinitions: attributes = [] }: TableDefinition,
  schema: readonly KeySchemaElement[] | undefined = [],
): readonly [string, string] | undefined {
  const nameOf = (type: 'HASH' | 'RANGE') => {
    const name = schema.find(({ KeyType }) => KeyType === type)?.AttributeName;
    const isString = attributes.some((one) => one.AttributeName === name && one.AttributeType === 'S');
    return isString ? name : undefined;
  };
  const [hash, range] = [nameOf('HASH'), nameOf('RANGE')];
  return hash === undefined || range === undefined ? undefined : [hash, range];
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
  { AttributeDefinitions: attributes = [] }: TableDefinition,
  schema: readonly KeySchemaElement[] | undefined = [],
): string {
  const typeOf = (name: string | undefined) =>
    attributes.find(({ AttributeName }) => AttributeName === name)?.AttributeType;
  return schema.map(({ AttributeName: name }) => `${name} (${typeOf(name)})`).join(', ');
}
