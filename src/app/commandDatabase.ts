import type { Config } from '../config.ts';
import { StartError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { type Database, openDatabase } from './database.ts';

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
  if (config.dynamodb.kind !== 'embedded') return openDatabase(config, log, { create });
  const { hasDatabase, runningDatabase } = await import('../dev/embeddedDynamodb/embedded.ts');
  const endpoint = await runningDatabase(config.dataDir);
  if (endpoint !== undefined) {
    return openDatabase({ ...config, dynamodb: { kind: 'endpoint', endpoint } }, log, { create });
  }
  if (!create && !hasDatabase(config.dataDir)) {
    throw new StartError(
      `There is no database in ${config.dataDir}. Set DATA_DIR to the folder of an existing one.`,
    );
  }
  return openDatabase(config, log, { create });
}
