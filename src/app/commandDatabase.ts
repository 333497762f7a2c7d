import type { Config } from '../config.ts';
import { StartError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { type ConnectedDatabase, connectDatabase, type Database, openDatabase } from './database.ts';

export interface CommandDatabaseOptions {
  /** Whether the command may create the database and the table if they do not exist. */
  readonly create: boolean;
}

/**
 * The database that the configuration names, for a command. A command may run while a server has the embedded database
 * open; it then connects to that process. Otherwise the command starts the database itself, and a server that starts
 * in the meantime waits for it. Throws as `openDatabase` does.
 */
export async function openForCommand(
  config: Config,
  log: Log,
  { create }: CommandDatabaseOptions,
): Promise<Database> {
  return openDatabase(await reachable(config, create), log, { create });
}

/** The same for a command that looks at the table itself: it may lack what a server needs, or not exist. */
export async function connectForCommand(config: Config, log: Log): Promise<ConnectedDatabase> {
  return connectDatabase(await reachable(config, false), log);
}

/** The configuration with the embedded database of a running server, if there is one. */
async function reachable(config: Config, create: boolean): Promise<Config> {
  if (config.dynamodb.kind !== 'embedded') return config;
  const { hasDatabase, runningDatabase } = await import('../dev/embeddedDynamodb/embedded.ts');
  const endpoint = await runningDatabase(config.dataDir);
  if (endpoint !== undefined) return { ...config, dynamodb: { kind: 'endpoint', endpoint } };
  if (create || hasDatabase(config.dataDir)) return config;
  throw new StartError(
    `There is no database in ${config.dataDir}. Set DATA_DIR to the folder of an existing one.`,
  );
}
