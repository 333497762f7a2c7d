import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ResourceNotFoundException,
  type TableDescription,
  type TableStatus,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { type Clock, sleep } from '../core/clock.ts';
import { parseTableArn, plainName } from '../core/tableArn.ts';
import { DEFAULT_LAYOUT, isSameLayout, type KeyLayout, namesOf } from './keyLayout.ts';
import { type Key, keys } from './keys.ts';
import { FIRST_SHAPE, NEWEST_SHAPE } from './shapes.ts';
import { CONVERSIONS, converted, EXPIRES_AT, INDEX, tableDefinition } from './table.ts';
import { canAddIndex, expiryLack, type Lack, lacksOf, layoutOf } from './tableLacks.ts';

export interface TableState {
  /** This call created the table. */
  readonly created: boolean;
  readonly arn: string;
  readonly streamArn: string;
  /** How it names its keys. */
  readonly layout: KeyLayout;
  /** One line for the operator: expired items stay. The product works. */
  readonly warning: string | undefined;
}

/** The table exists, but the product cannot work with it. The message is one line for the operator. */
export class ForeignTable extends Error {
  override readonly name = 'ForeignTable';
}

export interface EnsureOptions {
  /** The shape of a new table. Default: the newest. */
  readonly shape?: number | undefined;
  /** How a new table names its keys. One that exists must have the same names, if this is not absent. */
  readonly layout?: KeyLayout | undefined;
  /** What names the table, for the operator. Default: `TABLE_NAME`. */
  readonly setting?: string | undefined;
  /** How long a table may take until it can be used, in milliseconds. Default: 60 s. */
  readonly waitMs?: number | undefined;
}

const WAIT_MS = 60_000;

/**
 * Finds the table, or creates it, and waits until it can be used. Throws `ForeignTable` if the table lacks the keys,
 * the index, or the stream of new and old images that this release needs. `name`: an ARN is never created, because AWS
 * creates tables only for their own account.
 */
export async function ensureTable(
  client: DynamoDBClient,
  name: string,
  { shape = NEWEST_SHAPE, layout: wanted, setting, waitMs = WAIT_MS }: EnsureOptions = {},
): Promise<TableState> {
  let created = false;
  let described = await describe(client, name);
  const isNew = !isServing(described);
  if (described === undefined) {
    if (parseTableArn(name) !== undefined) throw new ForeignTable(noTableOf(name));
    try {
      await client.send(new CreateTableCommand(tableDefinition(name, wanted)));
      created = true;
    } catch (error) {
      // Another server has created it.
      if (!(error instanceof Error) || error.name !== 'ResourceInUseException') throw error;
    }
  }
  if (isNew) {
    await waitUntilTableExists(
      { client, maxWaitTime: waitMs / 1_000, minDelay: 0.05, maxDelay: 1 },
      { TableName: name },
    ).catch(async (error: unknown) => {
      assertUsable(name, (await describe(client, name)) ?? {});
      throw error;
    });
    described = await describe(client, name);
  }
  const lack = lacksOf(described ?? {}, setting)[0]?.text;
  if (lack !== undefined) throw new ForeignTable(lack);
  const layout = layoutOf(described ?? {});
  if (wanted !== undefined && !isSameLayout(layout, wanted)) {
    const names = `The table ${name} exists, and its keys are ${namesOf(layout)}`;
    throw new ForeignTable(`${names}, not ${namesOf(wanted)}. Leave --to-keys out, or name a new table.`);
  }
  if (created) await prepare(client, { name, layout }, shape);
  // The server that has created it may not have switched the expiry on yet.
  const warning = isNew ? undefined : await expiryWarning(client, name);
  const { TableArn: arn = '', LatestStreamArn: streamArn = '' } = described ?? {};
  return { created, arn, streamArn, layout, warning };
}

/** A table that is changed serves requests meanwhile: its capacity, another index, the key that encrypts it. */
const isServing = ({ TableStatus: status }: TableDescription = {}): boolean =>
  status === 'ACTIVE' || status === 'UPDATING';

/**
 * Throws `ForeignTable` if the table is in a state that does not pass within seconds. A restore of a large table takes
 * hours: until it ends, the table is CREATING, and DynamoDB answers requests as if the table did not exist.
 */
function assertUsable(name: string, { TableStatus: status }: TableDescription): void {
  if (status === 'CREATING')
    throw new ForeignTable(
      `The table ${name} is still being created or restored. Run this again when it is ACTIVE.`,
    );
  if (status === 'DELETING') throw new ForeignTable(`The table ${name} is being deleted.`);
  if (status !== undefined && KEY_IS_MISSING.includes(status))
    throw new ForeignTable(
      `DynamoDB cannot use the key that encrypts the table ${name} (${status}). Enable the key, or allow its use again.`,
    );
}

const KEY_IS_MISSING: readonly TableStatus[] = [
  'INACCESSIBLE_ENCRYPTION_CREDENTIALS',
  'ARCHIVING',
  'ARCHIVED',
];

/**
 * What a new table has before the first request. Normally it begins with the newest shape: it has nothing to convert,
 * and no server of an earlier release uses it.
 */
async function prepare(
  client: DynamoDBClient,
  { name, layout }: { readonly name: string; readonly layout: KeyLayout },
  inForce: number,
): Promise<void> {
  await switchExpiryOn(client, name);
  const shape = { v: FIRST_SHAPE, inForce, rev: 1 };
  const numbers = Object.entries(shape).map(([attribute, value]) => [attribute, { N: String(value) }]);
  const Item = { ...keyIn(layout, keys.shape()), ...Object.fromEntries(numbers) };
  await client.send(new PutItemCommand({ TableName: name, Item }));
  for (const { v, imported, ...key } of CONVERSIONS.map(converted)) {
    const Item = { ...keyIn(layout, key), v: { N: String(v) }, imported: { BOOL: imported } };
    await client.send(new PutItemCommand({ TableName: name, Item }));
  }
}

/**
 * Why there is nothing to use under this ARN. AWS does not say to other accounts whether a table exists that has no
 * policy for them.
 */
export const noTableOf = (arn: string): string =>
  `There is no table ${arn} that this process may see. It has to be created in its own account, and to get a policy there (docs/aws.md).`;

/**
 * How an emulator knows the table of an ARN. Most of them take ARNs for some operations or for none, and none of them
 * has accounts, so their own tables are used by their names. Undefined: it has no such table.
 */
export async function nameAtEmulator(client: DynamoDBClient, arn: string): Promise<string | undefined> {
  const name = plainName(arn);
  if ((await describe(client, name))?.TableArn === arn) return name;
  const foreign = await describe(client, arn).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'ValidationException') return undefined;
    throw error;
  });
  return foreign?.TableArn === arn ? arn : undefined;
}

/**
 * How a table that a process did not open names its keys. If the process may not ask, as functions of earlier releases
 * might not, a read shows whether the default is right. Throws `ForeignTable` if it is not, or if the program cannot
 * use the names.
 */
export async function readLayout(client: DynamoDBClient, name: string): Promise<KeyLayout> {
  const described = await describe(client, name).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'AccessDeniedException') return undefined;
    throw error;
  });
  if (described === undefined) return defaultIfReadable(client, name);
  const lack = lacksOf(described).find(({ part }) => part === 'keys');
  if (lack !== undefined) throw new ForeignTable(lack.text);
  return layoutOf(described);
}

/** DynamoDB refuses a read whose key has other names than those of the table, whether there is an item or not. */
async function defaultIfReadable(client: DynamoDBClient, name: string): Promise<KeyLayout> {
  try {
    const Key = keyIn(DEFAULT_LAYOUT, keys.shape());
    await client.send(new GetItemCommand({ TableName: name, Key }));
    return DEFAULT_LAYOUT;
  } catch (error) {
    if (!(error instanceof Error) || !REFUSALS.includes(error.name)) throw error;
    const what = `This process may not see how the table ${name} names its keys (dynamodb:DescribeTable)`;
    throw new ForeignTable(`${what}, and a read by pk and sk was refused: ${error.name}.`, { cause: error });
  }
}

/** As a table of this layout stores it. */
export const keyIn = (layout: KeyLayout, { pk, sk }: Key) => ({
  [layout.pk]: { S: pk },
  [layout.sk]: { S: sk },
});

export const tableExists = async (client: DynamoDBClient, name: string): Promise<boolean> =>
  (await describe(client, name)) !== undefined;

/** How many items the table has, as the database counts them every six hours. */
export const countedItems = async (client: DynamoDBClient, name: string): Promise<number> =>
  (await describe(client, name))?.ItemCount ?? 0;

/**
 * What an existing table lacks. Undefined: there is no table. Throws `ForeignTable` if it cannot be used yet, or no
 * longer. Asks for a permission in addition, as `addLacks` does, except for a table in another account: whether that
 * deletes expired items is among what it lacks then, as something that is not known.
 */
export async function compareTable(client: DynamoDBClient, name: string): Promise<Lack[] | undefined> {
  const described = await describe(client, name);
  if (described === undefined) return undefined;
  assertUsable(name, described);
  const expiry = await expiryLackOf(client, name);
  return [...lacksOf(described), ...(expiry === undefined ? [] : [expiry])];
}

/** How often the database is asked whether an index is built. A large table takes hours. */
const INDEX_POLL_MS = 5_000;

/**
 * Adds the index and the deletion of expired items to a table that serves requests, if it lacks them, and waits until
 * the index has all items. Resolves to what it could not add: keys and stream.
 */
export async function addLacks(
  client: DynamoDBClient,
  name: string,
  { clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal },
): Promise<Lack[]> {
  const lacks = (await compareTable(client, name)) ?? [];
  const isLacking = (part: Lack['part']) => lacks.some((lack) => lack.part === part);
  // Nothing is changed in a table of another program.
  if (isLacking('keys') || isLacking('stream')) return lacks;
  if (isLacking('index')) {
    if ((await indexOf(client, name)) === undefined) {
      if (!canAddIndex((await describe(client, name)) ?? {})) return lacks;
      await createIndex(client, name);
    }
    while ((await indexOf(client, name))?.IndexStatus === 'CREATING' && signal?.aborted !== true) {
      await sleep(clock, INDEX_POLL_MS, signal);
    }
  }
  // DynamoDB refuses it while another attribute is in use: then the sentence about that is what remains.
  const isOff = async () => (await expiryAsked(client, name))?.status === 'DISABLED';
  if (isLacking('expiry') && (await isOff())) await switchExpiryOn(client, name);
  return (await compareTable(client, name)) ?? [];
}

const indexOf = async (client: DynamoDBClient, name: string) =>
  (await describe(client, name))?.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === INDEX);

async function createIndex(client: DynamoDBClient, name: string): Promise<void> {
  const { AttributeDefinitions, GlobalSecondaryIndexes } = tableDefinition(name);
  const GlobalSecondaryIndexUpdates = GlobalSecondaryIndexes.map((Create) => ({ Create }));
  await client.send(
    new UpdateTableCommand({ TableName: name, AttributeDefinitions, GlobalSecondaryIndexUpdates }),
  );
}

async function switchExpiryOn(client: DynamoDBClient, name: string): Promise<void> {
  const TimeToLiveSpecification = { Enabled: true, AttributeName: EXPIRES_AT };
  await client.send(new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification }));
}

async function expiryOf(client: DynamoDBClient, name: string) {
  const answer = await client.send(new DescribeTimeToLiveCommand({ TableName: name }));
  const { TimeToLiveStatus: status, AttributeName: attribute } = answer.TimeToLiveDescription ?? {};
  return { status, attribute };
}

/**
 * How AWS refuses a question about a table in another account, an ARN that it does not know, or a key with other names.
 */
const REFUSALS = ['AccessDeniedException', 'ValidationException', 'ResourceNotFoundException'];

/** Undefined: the question about the table of an ARN was refused. */
async function expiryAsked(client: DynamoDBClient, name: string) {
  try {
    return await expiryOf(client, name);
  } catch (error) {
    const isForeign = parseTableArn(name) !== undefined;
    if (!isForeign || !(error instanceof Error) || !REFUSALS.includes(error.name)) throw error;
    return undefined;
  }
}

async function expiryLackOf(client: DynamoDBClient, name: string): Promise<Lack | undefined> {
  const found = await expiryAsked(client, name);
  if (found !== undefined) return expiryLack(name, found);
  const what = `Whether the table ${name} deletes expired items is only known in its own account`;
  const text = `${what} (see \`npm run -s table\` there), or this role may not ask (dynamodb:DescribeTimeToLive).`;
  return { part: 'expiry', text };
}

/** A server whose permissions are those of an earlier release may not ask. It still starts. */
async function expiryWarning(client: DynamoDBClient, name: string): Promise<string | undefined> {
  try {
    return (await expiryLackOf(client, name))?.text;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'AccessDeniedException') throw error;
    return `This server may not see whether the table ${name} deletes expired items (dynamodb:DescribeTimeToLive).`;
  }
}

async function describe(client: DynamoDBClient, name: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
