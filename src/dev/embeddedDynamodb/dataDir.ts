import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { StartError } from '../../core/errors.ts';
import { fileError, usingFile } from '../../core/fileErrors.ts';

export interface DataDirOptions {
  readonly path: string;
  /** Milliseconds to wait until a previous holder has ended, or until its database is ready. */
  readonly waitMs?: number;
  /** As in `process.platform`. */
  readonly platform?: string;
}

export interface LockedDataDir {
  /** The path with every symbolic link resolved. */
  readonly path: string;
  /**
   * Records the database's process, because the next holder waits until it has ended, and its endpoint, because
   * commands use it while the server runs.
   */
  recordDatabase(pid: number, endpoint?: string): Promise<void>;
  /** Call it when that process has ended. */
  release(): Promise<void>;
}

const ASK_EVERY_MS = 25;
const REPLY_WITHIN_MS = 500;

/**
 * Creates the directory (for its owner only) if it does not exist, and locks it for this process, because two
 * servers on one database file would both read the same stream.
 *
 * The lock is a listening socket: the kernel closes it when the process ends, even if it is killed. A process that
 * connects to it receives the holder's pid. The database is a process of its own and may outlive a killed server by
 * some milliseconds, so its pid is recorded in a file as well. Not proper-lockfile: its lock is a file, which a killed
 * process leaves behind for as long as its stale time.
 * Throws `StartError` if a previous holder still runs after `waitMs`.
 */
export async function lockDataDir({
  path,
  waitMs = 5_000,
  platform = process.platform,
}: DataDirOptions): Promise<LockedDataDir> {
  const until = Date.now() + waitMs;
  const directory = await makeDirectory(path);
  const socket = await holdSocket(directory, { until, platform });
  const recordPath = recordPathIn(directory);

  const unlock = () => new Promise<void>((resolve) => socket.close(() => resolve()));

  try {
    for (
      let recorded = await recordedDatabase(recordPath);
      recorded !== undefined;
      recorded = await recordedDatabase(recordPath)
    ) {
      if (Date.now() >= until) throw busy(directory, `its database process ${recorded.pid} is still running`);
      await wait(ASK_EVERY_MS);
    }
  } catch (error) {
    await unlock();
    throw error;
  }

  return {
    path: directory,
    recordDatabase: (pid, endpoint = '') =>
      usingFile(recordPath, async () =>
        writeFile(recordPath, `${pid} ${(await startOf(pid)) ?? ''} ${endpoint}\n`),
      ),
    async release() {
      try {
        await rm(recordPath, { force: true });
      } finally {
        await unlock();
      }
    },
  };
}

/**
 * The endpoint of the database that a running server has opened in the directory. Undefined if there is none. If a
 * server is starting, it is waited for: the file of one that was killed is checked before it serves. Throws
 * `StartError` if that takes longer than `waitMs`, and as `lockDataDir` does if the directory cannot be read.
 */
export async function runningDatabase({
  path,
  waitMs = 30_000,
  platform = process.platform,
}: DataDirOptions): Promise<string | undefined> {
  const directory = await realpath(path).catch(() => undefined);
  if (directory === undefined) return undefined;
  const until = Date.now() + waitMs;
  for (;;) {
    const endpoint = (await recordedDatabase(recordPathIn(directory)))?.endpoint;
    if (endpoint !== undefined) return endpoint;
    const holder = await askHolder(addressOf(directory, platform));
    if (holder === 'none') return undefined;
    if (Date.now() >= until)
      throw new StartError(
        `The Tsudoi process (${holder}) that has DATA_DIR ${directory} open is not ready yet. Try again when it is.`,
      );
    await wait(ASK_EVERY_MS);
  }
}

const recordPathIn = (directory: string): string => join(directory, 'dynamodb.pid');

async function makeDirectory(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    return await realpath(path);
  } catch (cause) {
    throw (
      fileError(cause, path) ??
      new StartError(`DATA_DIR cannot be used: ${(cause as Error).message}`, { cause })
    );
  }
}

const busy = (directory: string, why: string) =>
  new StartError(`DATA_DIR ${directory} is in use: ${why}. Stop it, or set another DATA_DIR (and PORT).`);

async function holdSocket(
  directory: string,
  { until, platform }: { until: number; platform: string },
): Promise<Server> {
  const address = addressOf(directory, platform);
  for (;;) {
    const server = await listen(address);
    if (server !== undefined) return server;
    const holder = await askHolder(address);
    // A socket in the file system outlives its process. One in the abstract namespace does not.
    if (holder === 'none' && platform !== 'linux') await rm(address, { force: true });
    if (Date.now() >= until) throw busy(directory, `another Tsudoi process (${holder}) has it open`);
    await wait(ASK_EVERY_MS);
  }
}

/**
 * On Linux an address in the abstract namespace, which is not a file. The name has the maximal length, because some
 * versions of libuv pad a shorter one with NULs and some do not. On other systems a socket in the directory for
 * temporary files, because paths of sockets are limited to about 100 bytes.
 */
function addressOf(directory: string, platform: string): string {
  const hash = createHash('sha512').update(directory).digest('hex');
  return platform === 'linux'
    ? `\0${`tsudoi-${hash}`.slice(0, 107)}`
    : join(tmpdir(), `tsudoi-${hash.slice(0, 16)}.sock`);
}

/** Resolves to undefined if another process has the address. */
function listen(address: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.end(String(process.pid));
    });
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(address, () => {
      // The lock alone does not keep this process running.
      server.unref();
      resolve(server);
    });
  });
}

/** The pid of the process that listens; `unknown` if it sends none; `none` if no process listens. */
function askHolder(address: string): Promise<string> {
  return new Promise((resolve) => {
    let reply = '';
    const socket = connect(address);
    socket.setTimeout(REPLY_WITHIN_MS, () => socket.destroy());
    socket.setEncoding('utf8').on('data', (text: string) => {
      reply = (reply + text).slice(0, 20);
    });
    socket.on('error', () => resolve('none'));
    socket.on('close', () => resolve(reply === '' ? 'unknown' : reply));
  });
}

interface RecordedDatabase {
  readonly pid: number;
  /** Absent while the file is being prepared. */
  readonly endpoint: string | undefined;
}

/** The database that a holder recorded, if it is still running. Throws `StartError` if the record cannot be read. */
async function recordedDatabase(recordPath: string): Promise<RecordedDatabase | undefined> {
  const text = await readFile(recordPath, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw fileError(error, recordPath) ?? error;
  });
  const [pid = '', start = '', endpoint = ''] = text.replace(/\n$/, '').split(' ');
  if (!/^\d+$/.test(pid)) return undefined;
  // The system reuses pids. It is the same process only if it started at the same time.
  if ((await startOf(Number(pid))) !== start) return undefined;
  return { pid: Number(pid), endpoint: endpoint === '' ? undefined : endpoint };
}

/** When a process started, in the kernel's clock ticks. Undefined if it has ended. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    // `pid (name) state …`. The start time is the 22nd field. The name may contain spaces and parentheses.
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ended = fields[0] === 'Z' || fields[0] === 'X';
    return ended ? undefined : fields[19];
  } catch {
    return startWithoutProc(pid);
  }
}

/** On a system without /proc this is an empty text if the process exists, and undefined if it does not. */
function startWithoutProc(pid: number): string | undefined {
  if (process.platform === 'linux') return undefined;
  try {
    process.kill(pid, 0);
    return '';
  } catch {
    return undefined;
  }
}
