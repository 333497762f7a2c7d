import type { Config } from '../config.ts';
import type { Log } from '../core/log.ts';
import { runningDatabase } from '../dev/embeddedDynamodb/dataDir.ts';
import { hasDatabase } from '../dev/embeddedDynamodb/embedded.ts';
import { type Database, openDatabase } from './database.ts';
import { StartError } from './startError.ts';

export interface CommandDatabaseOptions {
  /** Whether the command may make the database and the table where there are none. */
  readonly create: boolean;
}

/**
 * The database that the configuration names, for a command that may run beside a server: where one has the
 * embedded database open, through it; where none has, the command opens it itself, and a server that starts
 * meanwhile waits for it. Throws as `openDatabase` does.
 */
export async function openForCommand(
  config: Config,
  log: Log,
  { create }: CommandDatabaseOptions,
): Promise<Database> {
  if (config.dynamodb.kind !== 'embedded') return openDatabase(config, log, { create });
  const endpoint = await runningDatabase(config.dataDir);
  if (endpoint !== undefined) {
    return openDatabase({ ...config, dynamodb: { kind: 'endpoint', endpoint } }, log, { create });
  }
  if (!create && !hasDatabase(config.dataDir)) {
    throw new StartError(`There is no database in ${config.dataDir} yet. DATA_DIR says where it is.`);
  }
  return openDatabase(config, log, { create });
}
