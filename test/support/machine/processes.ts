import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { programFile } from '../builds/build.ts';
import { eventually } from '../time/eventually.ts';

/** Whether a process is running. A zombie, which waits for its parent, is not. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z';
  } catch {
    return false;
  }
}

export const untilEnded = (pid: number) =>
  eventually(() => {
    if (isRunning(pid)) throw new Error(`Process ${pid} is still running.`);
  });

export interface Program {
  readonly child: ChildProcess;
  readonly pid: number;
  /** The next line of its standard output, parsed as JSON. Rejects if the program ends first. */
  next(): Promise<Record<string, unknown>>;
}

/** Runs a built program that prints lines of JSON, as the leader of its own process group. */
export async function startProgram(name: string, args: readonly string[]): Promise<Program> {
  const child = spawn(process.execPath, [await programFile(name), ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.pid === undefined) throw new Error(`${name} did not start.`);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    pid: child.pid,
    async next() {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`${name} ended without another line.`);
      return JSON.parse(value);
    },
  };
}
