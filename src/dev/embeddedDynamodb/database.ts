import { type ChildProcess, spawn } from 'node:child_process';
import { get } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { BaseLogger } from 'pino';
import { INSTEAD } from './binary.ts';
import { EmbeddedUnavailable } from './unavailable.ts';

export type Log = Pick<BaseLogger, 'debug' | 'warn'>;

export interface DatabaseOptions {
  readonly binary: string;
  /** On 127.0.0.1; must be free. */
  readonly port: number;
  /** The SQLite file; absent: in memory. */
  readonly file?: string;
  readonly log: Log;
}

/** One run of the database's process. */
export interface Database {
  readonly pid: number;
  /** Resolves, never rejects, when the process has ended, with how it ended. */
  readonly exited: Promise<string>;
  /** Ends the process: gently, then by force. What was acknowledged is in the file either way. */
  stop(): Promise<void>;
}

/** Somebody else listens on the port: try another one. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';
}

const READY_WITHIN_MS = 5_000;
const STOPPED_WITHIN_MS = 2_000;
/** Of what the process says, per piece of output: it goes to the log. */
const OUTPUT_MAX = 2_000;

/**
 * The process leads a session of its own (`detached`), so that a Ctrl-C in the terminal, or a SIGTERM to
 * our whole process group, leaves it to us to stop it last. It must not outlive us either, even when
 * we are killed without a chance to act. So a shell first forks a watchdog that reads a pipe only we
 * hold, and then becomes the database: same pid, nothing in between. The kernel closes our end when we
 * are gone; the watchdog's read fails and it kills the database. A line through the pipe (`release`)
 * ends it in peace. Neither the pipe nor the output is shared the wrong way: the database does not
 * inherit the former, nor the watchdog the latter.
 */
const SUPERVISED = '(read -r _ <&3 || kill -KILL $$) >/dev/null 2>&1 & exec "$@" 3<&-';

/** Resolves once the database answers. Throws `PortTaken` or `EmbeddedUnavailable`. */
export async function startDatabase({ binary, port, file, log }: DatabaseOptions): Promise<Database> {
  const args = ['serve', '--host', '127.0.0.1', '--port', String(port)];
  if (file !== undefined) args.push('--db-path', file);
  const child = spawn('/bin/sh', ['-c', SUPERVISED, 'sh', binary, ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });

  const output = followOutput(child, log);
  const exited = ended(child).then((how) => (output.last === '' ? how : `${how}: ${output.last}`));

  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN_MS);
    await exited;
    clearTimeout(timer);
  };

  const tooLate = new AbortController();
  const state = await Promise.race([
    output.listening.then(() => answers(port)),
    exited,
    wait(READY_WITHIN_MS, `no answer within ${READY_WITHIN_MS} ms`, { signal: tooLate.signal }),
  ]);
  tooLate.abort();
  if (state === 'ready' && child.pid !== undefined) return { pid: child.pid, exited, stop };

  await stop();
  if (/in use/i.test(state)) throw new PortTaken(state);
  throw new EmbeddedUnavailable(`The embedded DynamoDB (${binary}) does not run: ${state}. ${INSTEAD}`);
}

/** Always drains what the process says, so that it never blocks on a full pipe. */
function followOutput({ stdout, stderr }: ChildProcess, log: Log) {
  const output = { last: '', listening: new Promise<void>(() => {}) };
  output.listening = new Promise((resolve) => {
    const follow = (stream: Readable | null) =>
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        const text = chunk.slice(0, OUTPUT_MAX).trim();
        if (text === '') return;
        log.debug({ text }, 'The embedded database says something.');
        // Said once the port is bound, and only by our own process: an answer on the port alone might
        // come from whoever took it first.
        if (text.includes('listening on')) resolve();
        else output.last = text.replace(/\s*\n\s*/g, ' / ');
      });
    follow(stdout);
    follow(stderr);
  });
  return output;
}

function ended(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', () => release(child));
    // After `exit`, and after the last of the output.
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
    child.once('error', (error) => {
      if (child.pid === undefined) resolve(error.message);
    });
  });
}

function release(child: ChildProcess): void {
  const pipe = child.stdio[3] as Writable | null | undefined;
  // The watchdog may be gone already.
  pipe?.on('error', () => {});
  pipe?.end('\n');
}

/** Resolves to `ready`, or to what went wrong. One try is enough, for the port is bound already. */
function answers(port: number): Promise<string> {
  return new Promise((resolve) => {
    get({ host: '127.0.0.1', port, agent: false, timeout: READY_WITHIN_MS }, (response) => {
      response.resume();
      resolve('ready');
    }).on('error', (error) => resolve(error.message));
  });
}
