import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { EmbeddedUnavailable } from './unavailable.ts';

export interface DataDirOptions {
  readonly path: string;
  /** How long to wait for a previous holder that is about to end. */
  readonly waitMs?: number;
  /** As in `process.platform`. */
  readonly platform?: string;
}

export interface HeldDataDir {
  /** With every symbolic link resolved. */
  readonly path: string;
  /**
   * Notes the process that has the files open, for the next holder to wait for, and where it answers, for
   * commands that want the same data while the server runs.
   */
  noteDatabase(pid: number, endpoint?: string): Promise<void>;
  /** Call it when that process has ended. */
  release(): Promise<void>;
}

const ASK_EVERY_MS = 25;
const ANSWER_WITHIN_MS = 500;

/**
 * Makes the directory (for its owner only) where it is missing, and holds it for this process: two
 * servers on one database file would each derive what the other has derived already.
 *
 * The hold is a listening socket, because the kernel lets go of it when the process ends, however it
 * ends; whoever connects is told the holder's pid. The database is a process of its own and may outlive
 * a server that was killed by some milliseconds, so its pid is noted in a file, too.
 * Throws `EmbeddedUnavailable` when a previous holder is still there after `waitMs`.
 */
export async function holdDataDir({
  path,
  waitMs = 5_000,
  platform = process.platform,
}: DataDirOptions): Promise<HeldDataDir> {
  const until = Date.now() + waitMs;
  const directory = await makeDirectory(path);
  const socket = await holdSocket(directory, { until, platform });
  const note = noteIn(directory);

  const release = async () => {
    await rm(note, { force: true });
    await new Promise((resolve) => socket.close(resolve));
  };

  for (let noted = await notedDatabase(note); noted !== undefined; noted = await notedDatabase(note)) {
    if (Date.now() >= until) {
      await new Promise((resolve) => socket.close(resolve));
      throw busy(directory, `its database process ${noted.pid} is still running`);
    }
    await wait(ASK_EVERY_MS);
  }

  return {
    path: directory,
    noteDatabase: async (pid, endpoint = '') =>
      writeFile(note, `${pid} ${(await startOf(pid)) ?? ''} ${endpoint}\n`),
    release,
  };
}

/** Where the database of whoever holds the directory answers right now; undefined while nobody has it open. */
export async function runningDatabase(path: string): Promise<string | undefined> {
  const directory = await realpath(path).catch(() => undefined);
  return directory === undefined ? undefined : (await notedDatabase(noteIn(directory)))?.endpoint;
}

const noteIn = (directory: string): string => join(directory, 'dynamodb.pid');

async function makeDirectory(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    return await realpath(path);
  } catch (cause) {
    throw new EmbeddedUnavailable(`DATA_DIR cannot be used: ${(cause as Error).message}`, { cause });
  }
}

const busy = (directory: string, why: string) =>
  new EmbeddedUnavailable(
    `DATA_DIR ${directory} is in use: ${why}. Stop it, or set another DATA_DIR (and PORT).`,
  );

async function holdSocket(
  directory: string,
  { until, platform }: { until: number; platform: string },
): Promise<Server> {
  const address = addressOf(directory, platform);
  for (;;) {
    const server = await listen(address);
    if (server !== undefined) return server;
    const holder = await askHolder(address);
    // Only a socket in the file system outlives its process.
    if (holder === 'nobody' && platform !== 'linux') await rm(address, { force: true });
    if (Date.now() >= until) throw busy(directory, `another Tsudoi server (process ${holder}) has it open`);
    await wait(ASK_EVERY_MS);
  }
}

/**
 * Linux: the abstract namespace, which leaves nothing in the file system. The name fills all of the
 * address, because libuv's versions differ in whether they pad a shorter one with NULs.
 * Elsewhere: a socket in the directory for temporary files, as paths are limited to about 100 bytes.
 */
function addressOf(directory: string, platform: string): string {
  const hash = createHash('sha512').update(directory).digest('hex');
  return platform === 'linux'
    ? `\0${`tsudoi-${hash}`.slice(0, 107)}`
    : join(tmpdir(), `tsudoi-${hash.slice(0, 16)}.sock`);
}

/** Resolves to undefined when somebody else has the address. */
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
      // Holding a directory is no reason to go on living.
      server.unref();
      resolve(server);
    });
  });
}

/** The pid of whoever listens; `unknown` when it does not say; `nobody` when nobody does. */
function askHolder(address: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(address);
    socket.setTimeout(ANSWER_WITHIN_MS, () => socket.destroy());
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer = (answer + text).slice(0, 20);
    });
    socket.on('error', () => resolve('nobody'));
    socket.on('close', () => resolve(answer === '' ? 'unknown' : answer));
  });
}

interface NotedDatabase {
  readonly pid: number;
  /** Absent while it is only being prepared. */
  readonly endpoint: string | undefined;
}

/** The database that a holder noted, while it runs. */
async function notedDatabase(note: string): Promise<NotedDatabase | undefined> {
  const text = await readFile(note, 'utf8').catch(() => '');
  const [pid = '', start = '', endpoint = ''] = text.replace(/\n$/, '').split(' ');
  if (!/^\d+$/.test(pid)) return undefined;
  // Pids are used again; a process is the same only if it started at the same time.
  if ((await startOf(Number(pid))) !== start) return undefined;
  return { pid: Number(pid), endpoint: endpoint === '' ? undefined : endpoint };
}

/** When a process started, in the kernel's own measure; undefined: it has ended. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    // `pid (name) state …`, the start time being the 22nd field; the name may contain anything.
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ended = fields[0] === 'Z' || fields[0] === 'X';
    return ended ? undefined : fields[19];
  } catch {
    return startWithoutProc(pid);
  }
}

/** Where there is no /proc, whether the process is there has to do. */
function startWithoutProc(pid: number): string | undefined {
  if (process.platform === 'linux') return undefined;
  try {
    process.kill(pid, 0);
    return '';
  } catch {
    return undefined;
  }
}
