/** The embedded database. Other folders load this file, and only by a dynamic import, when it is configured. */

import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../../core/defined.ts';
import { loadDevelopmentCode } from '../../core/developmentCode.ts';
import type { StartError } from '../../core/errors.ts';
import { usingFile } from '../../core/fileErrors.ts';
import { createClient, type Gate } from '../../dynamo/client.ts';
import { ALTERNATIVES, findBinary } from './binary.ts';
import { isAsStopped, recordStop } from './cleanStop.ts';
import { type DatabaseOptions, freePort, type Log, PortTaken, startDatabase } from './database.ts';
import { checkContent } from './databaseContent.ts';
import { checkDatabaseFile, fileFault, recordMade, syncFile } from './databaseFile.ts';
import { type LockedDataDir, lockDataDir } from './dataDir.ts';
import { loadSqlite } from './sqlite.ts';
import { supervise } from './supervise.ts';
import { createTrim, hasTrim, installTrim, type StreamCheckpoint } from './trim.ts';

export { runningDatabase } from './dataDir.ts';

export interface EmbeddedOptions {
  /** The directory of the data. Absent: it is in memory, and lost at the end. */
  readonly dataDir?: string;
  readonly log: Log;
  /** Milliseconds to wait until a previous server on the same directory has ended. Default: 5,000. */
  readonly waitMs?: number;
  /** Milliseconds that a request waits at most while the process is restarted. Default: 1,000. */
  readonly gateMs?: number;
  /** A check of the file ends at once when it is aborted: it may take minutes if the file is large. */
  readonly signal?: AbortSignal | undefined;
}

/** A DynamoDB in a child process, on a port of the loopback interface. */
export interface Embedded {
  /** `http://127.0.0.1:<port>`. It stays the same when the process is restarted. */
  readonly endpoint: string;
  /** Every request must pass through it (see `ClientOptions`): it waits while the process is restarted. */
  readonly gate: Gate;
  /** The pid of the database's process. A restart changes it. */
  readonly pid: number;
  /** Resolves when the database has ended for good: to undefined after `stop`, otherwise to the error. */
  readonly exited: Promise<Error | undefined>;
  /** What to report instead of a response's error if it means that the database's file is damaged or cannot be used. */
  fault(error: unknown): StartError | undefined;
  /**
   * Deletes stream records that have been read, so that they do not accumulate. To be called after checkpoints. Most
   * calls do nothing. Never rejects.
   */
  trim(read: StreamCheckpoint): Promise<void>;
  /** Ends the process (after 2 s by force) and unlocks the directory. */
  stop(): Promise<void>;
}

const PORT_ATTEMPTS = 5;
/** A trim deletes thousands of records, and no request waits for it. */
const TRIM_TIMEOUTS = { attemptMs: 30_000, callMs: 30_000 };
const FILE = 'dynamodb.sqlite';

const databaseFileIn = (dataDir: string): string => join(dataDir, FILE);

/** Whether a database was ever started in the directory. */
export const hasDatabase = (dataDir: string): boolean => existsSync(databaseFileIn(dataDir));

/**
 * Starts the embedded DynamoDB and keeps it running until `stop`. Throws `StartError` if it does not run on this
 * machine, if its packages are not installed, if another server has its directory open, or if the file in it is
 * damaged.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, log, waitMs, gateMs, signal } = options;
  const binary = findBinary();
  if (dataDir === undefined) return embedded(await startOnFreePort({ binary, log }), { gateMs });

  const held = await lockDataDir(defined({ path: dataDir, waitMs }));
  try {
    const file = databaseFileIn(held.path);
    await usingFile(file, () => checkDatabaseFile(file));
    if (!existsSync(file)) await create({ binary, log, file }, held);
    else if (!(await isAsStopped(file))) await checkContent(file, { log, signal });
    // It is of an earlier release.
    if (!(await hasTrim(file))) await prepare({ binary, log, file }, held);
    await recordMade(file);
    const started = await startOnFreePort({ binary, log, file });
    await held.recordDatabase(started.database.pid, endpointOf(started.options));
    return embedded(started, { gateMs, stored: { held, file } });
  } catch (error) {
    await held.release();
    throw error;
  }
}

type Started = Awaited<ReturnType<typeof startOnFreePort>>;

interface Stored {
  readonly held: LockedDataDir;
  readonly file: string;
}

interface HostOptions {
  readonly gateMs: number | undefined;
  /** Absent if the data is in memory. */
  readonly stored?: Stored;
}

function embedded({ database, options }: Started, { gateMs, stored }: HostOptions): Embedded {
  const held = stored?.held;
  const { log } = options;
  const endpoint = endpointOf(options);
  let hasRestarted = false;
  const supervised = supervise(database, {
    ...options,
    ...defined({ gateMs }),
    async onRestart(pid) {
      hasRestarted = true;
      await held?.recordDatabase(pid, endpoint);
    },
  });
  let isReported = false;
  const fault = (error: unknown) => (stored === undefined ? undefined : fileFault(stored.file, error));
  /** Clients get UNAVAILABLE each time, and the log says once why. */
  const gate: Gate = (request) =>
    supervised.gate(request).catch((error: unknown) => {
      const found = fault(error);
      if (found !== undefined && !isReported) {
        isReported = true;
        log.warn({ file: stored?.file }, found.message);
      }
      throw error;
    });
  const client = createClient({ endpoint, gate, timeouts: TRIM_TIMEOUTS });
  const trim = createTrim({ client, log });
  let stopped: Promise<void> | undefined;

  async function stop(): Promise<void> {
    await supervised.stop();
    client.destroy();
    const isClean = (await supervised.exited) === undefined && !hasRestarted && !isReported;
    // If it is not recorded, the next start checks the whole file.
    if (stored !== undefined && isClean) await recordStop(stored.file);
    await held?.release();
  }

  return {
    endpoint,
    gate,
    get pid() {
      return supervised.pid;
    },
    exited: supervised.exited,
    fault,
    // A database in memory has no trigger.
    trim: async (read) => (held === undefined ? undefined : trim(read)),
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

const endpointOf = ({ port }: DatabaseOptions): string => `http://127.0.0.1:${port}`;

type StartOptions = Omit<DatabaseOptions, 'port'>;

/**
 * Creates the file under another name first: a start that is killed meanwhile leaves nothing that counts as damaged.
 */
async function create(
  { file, ...options }: StartOptions & { readonly file: string },
  held: LockedDataDir,
): Promise<void> {
  const draft = `${file}-new`;
  for (const end of ['', '-wal', '-shm']) await rm(`${draft}${end}`, { recursive: true, force: true });
  await prepare({ ...options, file: draft }, held);
  await usingFile(file, () => syncFile(draft));
  await rename(draft, file);
}

/** Starts the database once to create the file, and stops it, so that its log is written. Then adds the trigger. */
async function prepare(
  options: StartOptions & { readonly file: string },
  held: LockedDataDir,
): Promise<void> {
  // Without its trigger the database would become slow.
  await loadDevelopmentCode('The embedded DynamoDB', loadSqlite, ALTERNATIVES);
  const { database } = await startOnFreePort(options);
  await held.recordDatabase(database.pid);
  await database.stop();
  try {
    await installTrim(options.file);
  } catch (err) {
    options.log.warn({ err }, 'The embedded database cannot delete stream records and will become slow.');
  }
}

/** The database cannot choose a free port itself: it does not report which one it got. */
async function startOnFreePort(settings: StartOptions) {
  for (let attempt = 1; ; attempt++) {
    const options = { ...settings, port: await freePort() };
    try {
      return { database: await startDatabase(options), options };
    } catch (error) {
      // Another process took the port in the meantime.
      if (!(error instanceof PortTaken) || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}
