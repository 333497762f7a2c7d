import { type ChildProcess, spawn } from 'node:child_process';
import { get } from 'node:http';
import { createServer } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { BaseLogger } from 'pino';
import { StartError } from '../../core/errors.ts';
import { ALTERNATIVES } from './binary.ts';
import { fileFault } from './databaseFile.ts';

export type Log = Pick<BaseLogger, 'debug' | 'info' | 'warn'>;

export interface DatabaseOptions {
  readonly binary: string;
  /** A free port of 127.0.0.1. */
  readonly port: number;
  /** The SQLite file. Absent: the data is in memory. */
  readonly file?: string;
  readonly log: Log;
}

/** A running process of the database. */
export interface Database {
  readonly pid: number;
  /** Resolves to the reason when the process has ended. Never rejects. */
  readonly exited: Promise<string>;
  /** Ends the process: with SIGTERM, after 2 s with SIGKILL. Acknowledged writes are in the file in both cases. */
  stop(): Promise<void>;
}

/** Another process listens on the port. Try another one. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';
}

/** It takes a tenth of a second, and several seconds on a machine that is busy. */
const READY_WITHIN_MS = 30_000;
const STOPPED_WITHIN_MS = 2_000;
/** Characters of each piece of output that are logged. */
const OUTPUT_MAX = 2_000;

/**
 * The process has a session of its own (`detached`), so a Ctrl-C in the terminal or a SIGTERM to our process group
 * does not reach it, and we can stop it last. It must not outlive us either, even if we are killed. So a shell first
 * starts a watchdog in the background, which reads from a pipe, and then becomes the database (`exec`), with the same
 * pid. Only we hold the pipe's other end. When our process ends, the kernel closes it, the watchdog's `read` fails,
 * and the watchdog kills the database. A line through the pipe (`release`) ends the watchdog without that. The
 * database does not inherit the pipe, and the watchdog does not inherit the output.
 */
const SUPERVISED = '(read -r _ <&3 || kill -KILL $$) >/dev/null 2>&1 & exec "$@" 3<&-';

/** Resolves once the database responds. Throws `PortTaken` or `StartError`. */
export async function startDatabase({ binary, port, file, log }: DatabaseOptions): Promise<Database> {
  const args = ['serve', '--host', '127.0.0.1', '--port', String(port)];
  if (file !== undefined) args.push('--db-path', file);
  const child = spawn('/bin/sh', ['-c', SUPERVISED, 'sh', binary, ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });

  const output = followOutput(child, log);
  const exited = exitReason(child).then((reason) =>
    output.last === '' ? reason : `${reason}: ${output.last}`,
  );

  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN_MS);
    await exited;
    clearTimeout(timer);
  };

  const tooLate = new AbortController();
  const state = await Promise.race([
    output.listening.then(() => responseFrom(port)),
    exited,
    wait(READY_WITHIN_MS, `no response within ${READY_WITHIN_MS} ms`, { signal: tooLate.signal }),
  ]);
  tooLate.abort();
  if (state === 'ready' && child.pid !== undefined) return { pid: child.pid, exited, stop };

  await stop();
  if (/in use/i.test(state)) throw new PortTaken(state);
  const fault = file === undefined ? undefined : fileFault(file, state);
  if (fault !== undefined) throw fault;
  throw new StartError(`The embedded DynamoDB (${binary}) does not run: ${state}. ${ALTERNATIVES}`);
}

/** A free port of 127.0.0.1. Another process may take it before it is used. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** Reads all output, so that the process never blocks on a full pipe. */
function followOutput({ stdout, stderr }: ChildProcess, log: Log) {
  const output = { last: '', listening: new Promise<void>(() => {}) };
  output.listening = new Promise((resolve) => {
    const follow = (stream: Readable | null) =>
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        const text = chunk.slice(0, OUTPUT_MAX).trim();
        if (text === '') return;
        log.debug({ text }, 'Output of the embedded database');
        // The database prints this once it has bound the port. A response on the port does not prove that: it may come
        // from another process that took the port first.
        if (text.includes('listening on')) resolve();
        else output.last = text.replace(/\s*\n\s*/g, ' / ');
      });
    follow(stdout);
    follow(stderr);
  });
  return output;
}

function exitReason(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', () => release(child));
    // `close` comes after `exit`, and after the last output.
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
    child.once('error', (error) => {
      if (child.pid === undefined) resolve(error.message);
    });
  });
}

function release(child: ChildProcess): void {
  const pipe = child.stdio[3] as Writable | null | undefined;
  // The watchdog may have ended already.
  pipe?.on('error', () => {});
  pipe?.end('\n');
}

/** Resolves to `ready` or to the reason why not. One attempt is enough, because the port is bound already. */
function responseFrom(port: number): Promise<string> {
  return new Promise((resolve) => {
    get({ host: '127.0.0.1', port, agent: false, timeout: READY_WITHIN_MS }, (response) => {
      response.resume();
      resolve('ready');
    }).on('error', (error) => resolve(error.message));
  });
}
