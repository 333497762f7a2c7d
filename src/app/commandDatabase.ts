import type { Config } from '../config.ts';
import { defined } from '../core/defined.ts';
import { StartError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { parseTableArn } from '../core/tableArn.ts';
import type { Timeouts } from '../dynamo/client.ts';
import { createDynamo } from '../dynamo/dynamo.ts';
import type { KeyLayout } from '../dynamo/keyLayout.ts';
import { waitForSwitch } from '../reshape/switch/waitForSwitch.ts';
import {
  assertInUse,
  assertKnown,
  type Moving,
  readTableShape,
  type TablePlace,
} from '../reshape/tableShape.ts';
import { createShapeWatch, type ShapeWatch } from '../reshape/watch.ts';
import {
  type ConnectedDatabase,
  closeOnFailure,
  configAt,
  connectDatabase,
  type Database,
  NoTable,
  openDatabase,
} from './database.ts';
import { endDecidedSwitch } from './decidedSwitch.ts';

export interface CommandDatabaseOptions {
  /** Whether the command may create the database and the table if they do not exist. */
  readonly create: boolean;
  /** The shape of a table that it creates. Default: the newest. */
  readonly shape?: number | undefined;
  /** Whether it waits for what only a server does. Default: false. */
  readonly needsServer?: boolean;
}

export interface CommandDatabase extends Database {
  /**
   * The shape in force, at most a second old. Throws `StartError` if it has become one that this release does not know.
   */
  readonly shape: ShapeWatch['inForce'];
  /** As that of the watch, but rejects with the `StartError` if there is one. */
  readonly confirm: ShapeWatch['confirm'];
}

/**
 * The database that the configuration names, for a command. A command may run while a server has the embedded database
 * open; it then connects to that process. Otherwise the command starts the database itself, and a server that starts in
 * the meantime waits for it; `needsServer` refuses that. Until it is closed, the command follows the table's shape, as
 * a server does, and a change of the shape waits for it. Throws as `openDatabase` does.
 */
export async function openForCommand(
  config: Config,
  log: Log,
  { create, shape, needsServer }: CommandDatabaseOptions,
): Promise<CommandDatabase> {
  const at = await reachable(config, create, needsServer);
  const database = await openDatabase(at, log, { create, shape });
  let unknown: Error | undefined;
  const watch = createShapeWatch({
    dynamo: createDynamo({ ...database, pattern: 'shape' }),
    log,
    role: 'command',
    onUnknown: (error) => {
      unknown = error;
    },
  });
  async function close(): Promise<void> {
    await watch.stop();
    await database.close();
  }
  await closeOnFailure({ ...database, close }, config, async () => {
    await endDecidedSwitch({ config, database, log });
    await watch.start();
  });
  return {
    ...database,
    close,
    shape() {
      if (unknown !== undefined) throw unknown;
      return watch.inForce();
    },
    confirm: () =>
      watch.confirm()?.catch((error: unknown) => {
        throw unknown ?? error;
      }),
  };
}

/** The same for the command that changes the shape: it writes nothing that has one, and does not wait for itself. */
export async function openForReshape(config: Config, log: Log): Promise<Database> {
  const database = await openDatabase(await reachable(config, false), log, { create: false });
  return closeOnFailure(database, config, async () => {
    const dynamo = createDynamo(database);
    await waitForSwitch({ dynamo, onWait: sayThatItWaits });
    await endDecidedSwitch({ config, database, log });
    const shape = await readTableShape(dynamo);
    assertKnown(shape);
    assertInUse(shape);
    return database;
  });
}

function sayThatItWaits({ table, withinMs }: Moving): void {
  const until = `it is decided or taken back within ${Math.ceil(withinMs / 1_000)} s`;
  process.stderr.write(`A switch to ${table} is under way, or was interrupted: ${until}…\n`);
}

/** Another table, which a command copies to. What is absent is as in the configuration. */
export interface OtherTable extends TablePlace {
  /** Whether to create it if it does not exist. Undefined: the command has no such flag. */
  readonly create: boolean | undefined;
  /** How it names its keys if it is created. Default: as all tables. */
  readonly layout?: KeyLayout | undefined;
  /** How long requests to both tables may take. Default: as those of servers. */
  readonly timeouts?: Timeouts | undefined;
  /** Whether it first waits for the end of a switch that is under way. Default: no. */
  readonly waits?: boolean;
}

/** A database, and where it is. */
export interface PlacedDatabase extends Database {
  /** The table's name and place, for messages to the operator. */
  readonly place: string;
  /** How a server finds the table. */
  readonly at: TablePlace;
}

/** The same for the command that copies the table to another one: both of them. */
export async function openForCarry(
  config: Config,
  log: Log,
  { create, layout, timeouts, waits = false, ...place }: OtherTable,
): Promise<{ readonly source: PlacedDatabase; readonly target: PlacedDatabase }> {
  if (config.dynamodb.kind === 'embedded') {
    throw new StartError(
      'The embedded database deletes what its server has read of the stream, so it cannot be followed. Set DYNAMODB_ENDPOINT, or for AWS the environment of a worker: AWS_REGION and ROLE=worker.',
    );
  }
  const source = await openDatabase(config, log, { create: false, ...defined({ timeouts }) });
  return closeOnFailure(source, config, async () => {
    const dynamo = createDynamo(source);
    // `switch` takes back by itself what another run has left.
    if (waits) await waitForSwitch({ dynamo, onWait: sayThatItWaits });
    assertKnown(await readTableShape(dynamo));
    const other = configAt(config, place);
    const target = await openDatabase(other, log, {
      create: create === true,
      layout,
      setting: '--to-table',
      ...defined({ timeouts }),
    }).catch((error: unknown) => {
      if (!(error instanceof NoTable) || parseTableArn(place.table) !== undefined) throw error;
      const remedy = create === undefined ? 'Name an existing one' : 'Add --create, or name an existing one';
      throw new StartError(`There is no table ${place.table}. ${remedy}.`);
    });
    // The name of a table in another account says nothing to those who read it in this one.
    const byArn = [config.tableName, place.table].some((name) => parseTableArn(name) !== undefined);
    const named = <D extends Database>(database: D, config: Config, at: TablePlace) =>
      byArn
        ? { ...database, place: database.arn, at: { ...at, table: database.arn } }
        : { ...database, place: placeOf(config, database), at };
    return { source: named(source, config, placeIn(config)), target: named(target, other, place) };
  });
}

/**
 * On AWS the ARN: the name alone does not say which account's table it is, and servers of another account may use it.
 */
const placeOf = ({ tableName, dynamodb }: Config, { arn }: Database): string =>
  dynamodb.kind === 'aws' ? arn : tableName;

/** All of it, because servers of the other table may be configured for another region. */
function placeIn({ tableName: table, dynamodb }: Config): TablePlace {
  if (dynamodb.kind === 'aws') return { table, region: dynamodb.region };
  return dynamodb.kind === 'endpoint' ? { table, endpoint: dynamodb.endpoint } : { table };
}

/** The same for a command that looks at the table itself: it may lack what a server needs, or not exist. */
export async function connectForCommand(config: Config, log: Log): Promise<ConnectedDatabase> {
  return connectDatabase(await reachable(config, false), log);
}

/** The configuration with the embedded database of a running server, if there is one. */
async function reachable(config: Config, create: boolean, needsServer = false): Promise<Config> {
  if (config.dynamodb.kind !== 'embedded') return config;
  const { hasDatabase, runningDatabase } = await import('../dev/embeddedDynamodb/embedded.ts');
  const endpoint = await runningDatabase({ path: config.dataDir });
  if (endpoint !== undefined) return { ...config, dynamodb: { kind: 'endpoint', endpoint } };
  if (!create && !hasDatabase(config.dataDir)) throw new NoDatabase(config.dataDir);
  // It would wait for a server, and the server for the database that it holds.
  if (needsServer)
    throw new StartError(
      `No server uses the database in ${config.dataDir}, so nothing happens there. Start one: it runs the jobs.`,
    );
  return config;
}

/** The embedded database was never started in the directory. */
export class NoDatabase extends StartError {
  constructor(dataDir: string) {
    super(`There is no database in ${dataDir}. Set DATA_DIR to the folder of an existing one.`);
  }
}
