import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { pino } from 'pino';
import { inject } from 'vitest';
import { startEmbedded } from '../../../src/dev/embeddedDynamodb/embedded.ts';
import { bulkWrite } from '../../../src/dynamo/bulkWrite.ts';
import type { ClientOptions, Timeouts } from '../../../src/dynamo/client.ts';
import { type Connection, connect } from '../../../src/dynamo/connect.ts';
import { createDynamo, type Dynamo, type DynamoOptions } from '../../../src/dynamo/dynamo.ts';
import { ensureTable } from '../../../src/dynamo/ensureTable.ts';
import type { Item } from '../../../src/dynamo/item.ts';
import { type KeyLayout, LAYOUT_RULE, parseLayout } from '../../../src/dynamo/keyLayout.ts';
import type { Key } from '../../../src/dynamo/keys.ts';
import { accessIn } from '../../../src/dynamo/transport/keyLayout.ts';
import type { Streams } from '../../../src/dynamo/transport/streams.ts';
import type { Transport } from '../../../src/dynamo/transport/transport.ts';
import { type Load, loadTable } from './load.ts';

export interface TestDynamoOptions extends Pick<DynamoOptions, 'onCost' | 'onWrite'> {
  /**
   * Keeps the data in a file, in a directory of its own that is removed at the end. By default the embedded database
   * is in memory and becomes slow after about 10,000 writes.
   */
  readonly file?: boolean;
  /** What the table has at the start. The embedded database is in a file then, and its stream says nothing of them. */
  readonly items?: Iterable<Key & Item>;
  /** How the table names its keys. */
  readonly layout?: KeyLayout | undefined;
}

export interface TestDynamo {
  readonly client: DynamoDBClient;
  readonly transport: Transport;
  readonly streams: Streams;
  readonly dynamo: Dynamo;
  readonly table: string;
  readonly streamArn: string;
  readonly layout: KeyLayout;
  /** The same, with the table's own names for keys. */
  readonly raw: Pick<Connection, 'transport' | 'streams'>;
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** DYNAMODB_CLIENT=sdk runs the tests with the transport that is not the default. */
export const dynamodbClient = process.env.DYNAMODB_CLIENT === 'sdk' ? 'sdk' : 'direct';

/** Connects to a database, or to a proxy in front of it, with the timeouts of tests. */
export const connectTo = (endpoint: string): Connection =>
  connect({ endpoint, timeouts: testTimeouts, via: dynamodbClient });

/** Other names for all four, among them a word that DynamoDB reserves and one that needs a placeholder. */
export const OTHER_LAYOUT: KeyLayout = { pk: 'PK', sk: 'Range', gsi1pk: 'Index.1-hash', gsi1sk: 'GSI1SK' };

/**
 * TEST_KEYS=PK,SK,GSI1PK,GSI1SK runs tests on tables with these names. Those that look at requests on their way, or
 * connect by themselves, fail then.
 */
const testLayout = layoutFrom(process.env.TEST_KEYS);

function layoutFrom(names: string | undefined): KeyLayout | undefined {
  if (names === undefined || names === '') return undefined;
  const layout = parseLayout(names);
  if (layout === undefined) throw new Error(`TEST_KEYS=${names} are not names for keys: ${LAYOUT_RULE}.`);
  return layout;
}

/** Whether the tests run on DynamoDB Local (TEST_DYNAMODB=local) and not on the embedded database. */
export const onDynamoDbLocal = process.env.TEST_DYNAMODB === 'local';

/**
 * How long tests wait for a database: much longer than the product. On a busy machine an answer can take seconds, and a
 * request that timed out would be an outage that no test expects. (DynamoDB Local also finishes such a request, so the
 * next attempt takes even longer.) Writers that compete for one item also get the time that they need. Tests of outages
 * use the product's own timeouts.
 */
export const testTimeouts: Timeouts = { attemptMs: 60_000, callMs: 300_000, optimisticMs: 300_000 };

/** A real DynamoDB with a new, empty table, for one test file or one test. */
export async function openTestDynamo(options: TestDynamoOptions = {}): Promise<TestDynamo> {
  const { file = false, items, layout: given, ...dynamoOptions } = options;
  const wanted = given ?? (items === undefined ? testLayout : undefined);
  const table = `test-${randomBytes(8).toString('hex')}`;
  const load = items && { table, items };
  const server = onDynamoDbLocal ? await shared() : await embedded({ file, load });
  const connection = connect({ ...server, timeouts: testTimeouts, via: dynamodbClient });
  const { client, destroy } = connection;
  const { streamArn, layout } = await ensureTable(client, table, { layout: wanted });
  const { transport, streams } = accessIn(layout, connection);
  const dynamo = createDynamo({ transport, table, timeouts: testTimeouts, ...dynamoOptions });
  if (onDynamoDbLocal && items !== undefined) await bulkWrite({ dynamo, items, by: 'batches' });

  return {
    client,
    transport,
    streams,
    dynamo,
    table,
    streamArn,
    layout,
    raw: connection,
    endpoint: server.endpoint,
    async stop() {
      // The shared database outlives the test.
      if (onDynamoDbLocal) await client.send(new DeleteTableCommand({ TableName: table }));
      destroy();
      await server.stop();
    },
  };
}

type Server = ClientOptions & { readonly endpoint: string; stop(): Promise<void> };

async function shared(): Promise<Server> {
  const locals = `${inject('dynamodbLocals')}/${process.env.VITEST_POOL_ID}`;
  const answer = await fetch(locals, { method: 'POST' });
  if (!answer.ok) throw new Error(await answer.text());
  return {
    endpoint: await answer.text(),
    async stop() {
      await fetch(locals, { method: 'DELETE' });
    },
  };
}

interface EmbeddedServer {
  readonly file: boolean;
  readonly load: Pick<Load, 'table' | 'items'> | undefined;
}

async function embedded({ file, load }: EmbeddedServer): Promise<Server> {
  const log = pino({ level: 'silent' });
  if (!file && load === undefined) return startEmbedded({ log });
  const dataDir = await mkdtemp(join(tmpdir(), 'tsudoi-test-'));
  if (load === undefined) {
    newFile ??= readNewFile();
    await writeFile(join(dataDir, FILE), await newFile);
  } else {
    await loadTable({ ...load, file: join(dataDir, FILE) });
  }
  const { endpoint, gate, stop } = await startEmbedded({ dataDir, log });
  return {
    endpoint,
    gate,
    async stop() {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const FILE = 'dynamodb.sqlite';
let newFile: Promise<Buffer> | undefined;

/** The file of a new database. It is made once, because making it takes longer than starting with it. */
async function readNewFile(): Promise<Buffer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tsudoi-test-'));
  const { stop } = await startEmbedded({ dataDir, log: pino({ level: 'silent' }) });
  await stop();
  const file = await readFile(join(dataDir, FILE));
  await rm(dataDir, { recursive: true, force: true });
  return file;
}
