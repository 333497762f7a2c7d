import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, type Gate } from '../../dynamo/client.ts';
import { findBinary } from './binary.ts';
import { type DatabaseOptions, type Log, PortTaken, startDatabase } from './database.ts';
import { type HeldDataDir, holdDataDir } from './dataDir.ts';
import { freePort } from './port.ts';
import { supervise } from './supervise.ts';
import { createTrim, hasTrim, installTrim, type ReadPosition } from './trim.ts';

export interface EmbeddedOptions {
  /** Where the data lives. Absent: in memory, gone at the end. */
  readonly dataDir?: string;
  readonly log: Log;
  /** How long to wait for a previous server on the same directory to end; 5 s by default. */
  readonly waitMs?: number;
}

/** A DynamoDB of our own: a child process on a loopback port. */
export interface Embedded {
  /** `http://127.0.0.1:<port>`, the same over restarts of the process. */
  readonly endpoint: string;
  /** Run every request through it (see `ClientOptions`): it waits while the process is started again. */
  readonly gate: Gate;
  /** Of the database's process; another one after a restart. */
  readonly pid: number;
  /** Resolves when the database is gone for good: to undefined after `stop`, else to what went wrong. */
  readonly exited: Promise<Error | undefined>;
  /**
   * Forgets stream records that have been read, so that they do not pile up. Call it after
   * checkpoints, as often as you like: most calls cost nothing, and it never rejects.
   */
  tidy(read: ReadPosition): Promise<void>;
  /** Ends the process (at most 2 s, then by force) and lets go of the directory. */
  stop(): Promise<void>;
}

const PORT_TRIES = 5;
const FILE = 'dynamodb.sqlite';

/** Whether a database was ever started in the directory. */
export const hasDatabase = (dataDir: string): boolean => existsSync(join(dataDir, FILE));

/**
 * Starts the embedded DynamoDB and keeps it running until `stop`.
 * Throws `EmbeddedUnavailable`, with one line to show, where it does not run or its directory is taken.
 */
export async function startEmbedded({ dataDir, log, waitMs }: EmbeddedOptions): Promise<Embedded> {
  const binary = findBinary();
  if (dataDir === undefined) return embedded(await startOnFreePort({ binary, log }));

  const held = await holdDataDir({ path: dataDir, ...(waitMs === undefined ? {} : { waitMs }) });
  try {
    const file = join(held.path, FILE);
    if (!(await hasTrim(file))) await prepare({ binary, log, file }, held);
    const started = await startOnFreePort({ binary, log, file });
    await held.noteDatabase(started.database.pid, endpointOf(started.options));
    return embedded(started, held);
  } catch (error) {
    await held.release();
    throw error;
  }
}

type Started = Awaited<ReturnType<typeof startOnFreePort>>;

function embedded({ database, options }: Started, held?: HeldDataDir): Embedded {
  const { log } = options;
  const endpoint = endpointOf(options);
  const supervised = supervise(database, {
    ...options,
    onRestart: async (pid) => held?.noteDatabase(pid, endpoint),
  });
  const client = createClient({ endpoint, gate: supervised.gate });
  const trim = createTrim({ client, log });
  let stopped: Promise<void> | undefined;

  async function stop(): Promise<void> {
    await supervised.stop();
    client.destroy();
    await held?.release();
  }

  return {
    endpoint,
    gate: supervised.gate,
    get pid() {
      return supervised.pid;
    },
    exited: supervised.exited,
    // Nothing can be added to a database in memory.
    tidy: async (read) => (held === undefined ? undefined : trim(read)),
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

const endpointOf = ({ port }: DatabaseOptions): string => `http://127.0.0.1:${port}`;

type StartOptions = Omit<DatabaseOptions, 'port'>;

/** A first run makes the file, and the end of that run writes its log into it; then it is added to. */
async function prepare(options: StartOptions & { readonly file: string }, held: HeldDataDir): Promise<void> {
  const { database } = await startOnFreePort(options);
  await held.noteDatabase(database.pid);
  await database.stop();
  try {
    await installTrim(options.file);
  } catch (err) {
    options.log.warn({ err }, 'The embedded database keeps every stream record and will become slow.');
  }
}

/** The database does not say which port it took when told to take any (0), so it is told one. */
async function startOnFreePort(settings: StartOptions) {
  for (let attempt = 1; ; attempt++) {
    const options = { ...settings, port: await freePort() };
    try {
      return { database: await startDatabase(options), options };
    } catch (error) {
      // Somebody else took it between our looking and the database's binding.
      if (!(error instanceof PortTaken) || attempt === PORT_TRIES) throw error;
    }
  }
}
