import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { defined } from '../../../src/core/defined.ts';
import { programFile } from '../builds/build.ts';
import { inTime, PATIENCE_MS } from '../time/eventually.ts';

export interface RunOptions {
  /** The program's whole environment, except for what Node itself needs from ours. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: Node with the server as it is built now. */
  readonly command?: readonly [string, ...string[]];
  readonly cwd?: string;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The time from the last signal to its end. */
  readonly ms: number;
}

/** The product as an operator runs it: a process, its output, and how it ends. */
export interface Program {
  readonly pid: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Resolves when it prints that it is ready. Rejects with its output if it ends first or takes too long. */
  ready(): Promise<Ready>;
  /** Resolves when standard output or error has the text. Rejects as `ready` does. */
  says(text: string | RegExp): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Signals its whole process group, as Ctrl-C in a terminal does. */
  signalGroup(signal: NodeJS.Signals): void;
  readonly ended: Promise<Ended>;
  /** Sends SIGTERM, then SIGKILL if that has no effect. For a program that a test has left running. */
  stop(): Promise<void>;
}

export interface Ready {
  readonly url: string;
  /** The time since the process was created. */
  readonly ms: number;
}

/** The slowest is `npm start`, because it compiles everything first. */
const READY_WITHIN_MS = 4 * PATIENCE_MS;
const STOPPED_WITHIN_MS = 20_000;

/** Starts the program on a free port of this machine. The caller stops it. */
export async function runProgram({ env = {}, command, cwd }: RunOptions = {}): Promise<Program> {
  const [file, ...args] = command ?? [process.execPath, await programFile('main')];
  const child = spawn(file, args, {
    // Makes a process group, which signals can be sent to.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...inherited(), PORT: '0', ...env },
    ...defined({ cwd }),
  });
  return follow(child);
}

const inherited = () =>
  Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR'].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

async function follow(child: ChildProcess): Promise<Program> {
  const { pid } = child;
  if (pid === undefined) throw new Error('The program could not be started.');
  const startedAt = performance.now();
  let signalledAt = startedAt;
  let readyAt: number | undefined;
  let over: Ended | undefined;
  let wake: Array<() => void> = [];
  const output = { stdout: '', stderr: '' };

  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
      if (readyAt === undefined && READY.test(output.stdout)) readyAt = performance.now();
      changed();
    });
  }
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => {
      over = { code, signal, ms: performance.now() - signalledAt };
      resolve(over);
      changed();
    });
  });
  // When the test process ends, it leaves no process running.
  const killGroup = () => kill(-pid, 'SIGKILL');
  process.once('exit', killGroup);
  void ended.then(() => process.off('exit', killGroup));

  function changed(): void {
    const waiting = wake;
    wake = [];
    for (const resolve of waiting) resolve();
  }

  async function until<T>(found: () => T | undefined): Promise<T> {
    for (;;) {
      const value = found();
      if (value !== undefined) return value;
      const why = over !== undefined ? `ended (${over.signal ?? over.code})` : undefined;
      if (why !== undefined) throw new Error(`The program ${why}: ${output.stdout}\n${output.stderr}`);
      const next = new Promise<void>((resolve) => wake.push(resolve));
      const late = () => `The program did not get this far in time: ${output.stdout}\n${output.stderr}`;
      await inTime(next, late, READY_WITHIN_MS);
    }
  }

  function signalTo(target: number, signal: NodeJS.Signals): void {
    signalledAt = performance.now();
    kill(target, signal);
  }

  return {
    pid,
    ended,
    get stdout() {
      return output.stdout;
    },
    get stderr() {
      return output.stderr;
    },
    ready: () =>
      until(() => {
        const url = READY.exec(output.stdout)?.[1];
        return url === undefined || readyAt === undefined ? undefined : { url, ms: readyAt - startedAt };
      }),
    says: (text) =>
      until(() => {
        const all = output.stdout + output.stderr;
        return (typeof text === 'string' ? all.includes(text) : text.test(all)) ? true : undefined;
      }).then(() => {}),
    signal: (signal) => signalTo(pid, signal),
    signalGroup: (signal) => signalTo(-pid, signal),
    async stop() {
      if (over === undefined) kill(pid, 'SIGTERM');
      const late = wait(STOPPED_WITHIN_MS, undefined, { ref: false });
      await Promise.race([ended, late]);
      if (over === undefined) kill(-pid, 'SIGKILL');
      await ended;
    },
  };
}

/** The line with the URL, of an API server or of a worker. */
const READY = /^Tsudoi.* (http:\/\/[^\s/]+)/m;

function kill(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // It has ended already.
  }
}

/** The processes with a text in their command line: a server may have left some running. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(text) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  /** Without what it has logged: on a busy machine, that the database answers late. */
  readonly stderr: string;
}

/** A command's result, when it has ended. */
export async function commandResult(program: Program): Promise<CommandResult> {
  const { code } = await program.ended;
  return { code, stdout: program.stdout, stderr: program.stderr.replace(/^\{"level":.*\n/gm, '') };
}
