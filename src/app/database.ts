import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Config } from '../config.ts';
import { defined } from '../core/defined.ts';
import { StartError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { arnBeside, parseTableArn } from '../core/tableArn.ts';
import type { Embedded, EmbeddedOptions } from '../dev/embeddedDynamodb/embedded.ts';
import { type ClientOptions, TIMEOUTS, type Timeouts } from '../dynamo/client.ts';
import { connect } from '../dynamo/connect.ts';
import {
  type EnsureOptions,
  ensureTable,
  nameAtEmulator,
  noTableOf,
  tableExists,
} from '../dynamo/ensureTable.ts';
import type { ServerClock } from '../dynamo/serverClock.ts';
import { accessIn } from '../dynamo/transport/keyLayout.ts';
import type { Streams } from '../dynamo/transport/streams.ts';
import type { Transport } from '../dynamo/transport/transport.ts';
import type { TablePlace } from '../reshape/tableShape.ts';
import { databaseError } from './startError.ts';

export interface Database {
  readonly client: DynamoDBClient;
  readonly transport: Transport;
  readonly streams: Streams;
  readonly serverClock: ServerClock;
  readonly table: string;
  /** The table's ARN, even if `table` is a plain name. */
  readonly arn: string;
  readonly streamArn: string;
  /** This start created the table. */
  readonly created: boolean;
  /** Set if the database is a child process of this one. */
  readonly embedded: Embedded | undefined;
  /** Also ends the embedded database. To be called last. */
  close(): Promise<void>;
}

export interface OpenOptions extends EnsureOptions {
  /** Whether to create the table if it does not exist. Default: true. */
  readonly create?: boolean;
  readonly timeouts?: Timeouts;
  /** Ends what takes long and can be done by the next start. */
  readonly signal?: AbortSignal;
}

/** A database whose table is not known yet. */
export type ConnectedDatabase = Omit<Database, 'arn' | 'streamArn' | 'created'>;

/**
 * Connects to the DynamoDB that the configuration names, or starts the embedded one. Throws `NoTable` if the table is
 * an ARN that this database does not know.
 */
export async function connectDatabase(
  config: Config,
  log: Log,
  { timeouts = TIMEOUTS, signal }: Pick<OpenOptions, 'timeouts' | 'signal'> = {},
): Promise<ConnectedDatabase> {
  const { dynamodb, dynamodbClient: via, dataDir, tableName: table } = config;
  const embedded = dynamodb.kind === 'embedded' ? await startEmbedded({ dataDir, log, signal }) : undefined;
  const options = { ...(embedded ?? remoteOptions(dynamodb)), timeouts };
  const { client, transport, streams, serverClock, destroy } = connect({ ...options, via, table });

  async function close(): Promise<void> {
    destroy();
    await embedded?.stop();
  }
  const connected = { client, transport, streams, serverClock, table, embedded, close };
  if (dynamodb.kind === 'aws' || parseTableArn(table) === undefined) return connected;
  return closeOnFailure(connected, config, async () => {
    const name = await nameAtEmulator(client, table);
    if (name === undefined) throw new NoTable(table, dynamodb);
    return { ...connected, table: name };
  });
}

/** Runs the work. If it fails, closes the database and throws the reason in terms of the configuration. */
export async function closeOnFailure<Result>(
  { embedded, close }: ConnectedDatabase,
  { dynamodb }: Config,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await close();
    throw embedded?.fault(error) ?? databaseError(error, dynamodb);
  }
}

/**
 * Connects to the database, and finds or creates the table; one that is named by its ARN is never created. Throws
 * `StartError` within seconds if that is not possible.
 */
export async function openDatabase(
  config: Config,
  log: Log,
  { create = true, shape, layout: wanted, setting, timeouts = TIMEOUTS, signal }: OpenOptions = {},
): Promise<Database> {
  const database = { ...(await connectDatabase(config, log, defined({ timeouts, signal }))), timeouts };
  const { client, table } = database;
  return closeOnFailure(database, config, async () => {
    if ((!create || parseTableArn(table) !== undefined) && !(await tableExists(client, table)))
      throw new NoTable(table);
    const found = await ensureTable(client, table, { shape, layout: wanted, setting });
    const { created, arn, streamArn, layout, warning } = found;
    if (warning !== undefined) log.warn(warning);
    return { ...accessIn(layout, database), created, arn, streamArn };
  });
}

export class NoTable extends StartError {
  /** `dynamodb`: what was used for the ARN of a table. Default: AWS. */
  constructor(table: string, dynamodb?: Config['dynamodb']) {
    super(
      parseTableArn(table) === undefined
        ? `There is no table ${table}. Set TABLE_NAME to an existing one.`
        : (noTableHere(table, dynamodb) ?? noTableOf(table)),
    );
  }
}

/** An ARN is probably meant for AWS. */
function noTableHere(arn: string, dynamodb: Config['dynamodb'] | undefined): string | undefined {
  const deployed = 'if AUTH_SECRET or AUTH_JWKS_URL is set, or ROLE is api or worker';
  if (dynamodb?.kind === 'embedded')
    return `The embedded database has no table ${arn}. AWS is used ${deployed}.`;
  if (dynamodb?.kind !== 'endpoint') return undefined;
  return `DynamoDB at ${dynamodb.endpoint} has no table ${arn}. AWS is used without DYNAMODB_ENDPOINT, ${deployed}.`;
}

/** Loads the embedded database only if it is configured: a deployment has its own DynamoDB, and not these packages. */
async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const embedded = await import('../dev/embeddedDynamodb/embedded.ts');
  return embedded.startEmbedded(options);
}

/** The configuration of a process that uses the table at that place. On AWS, an ARN says in which region that is. */
export function configAt(config: Config, { table, region, endpoint }: TablePlace): Config {
  const inArn = config.dynamodb.kind === 'aws' ? parseTableArn(table)?.region : undefined;
  const onAws = region ?? inArn;
  return {
    ...config,
    tableName: table,
    ...(onAws === undefined ? {} : { dynamodb: { kind: 'aws', region: onAws } }),
    ...(endpoint === undefined ? {} : { dynamodb: { kind: 'endpoint', endpoint } }),
  };
}

/**
 * The configuration of a process that goes on in the table that its own one names. Commands that ran in the account of
 * a table may have written a plain name into it: for a process that knows the table by an ARN, that is a name in the
 * ARN's account.
 */
export function configBeside(config: Config, place: TablePlace): Config {
  const { tableName } = config;
  const { table, region, endpoint } = place;
  const isName = parseTableArn(table) === undefined && endpoint === undefined;
  if (!isName || parseTableArn(tableName) === undefined) return configAt(config, place);
  return configAt(config, { ...place, table: arnBeside(tableName, table, region) });
}

/** How to reach a DynamoDB that is not embedded. */
export function remoteOptions(dynamodb: Config['dynamodb']): ClientOptions {
  if (dynamodb.kind === 'endpoint') return { endpoint: dynamodb.endpoint };
  return dynamodb.kind === 'aws' ? { region: dynamodb.region } : {};
}
