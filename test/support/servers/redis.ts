import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import type { RedisLimits } from '../../../src/bus/redis/connection.ts';
import { isHere } from '../machine/needs.ts';

/** Whether this machine has a redis-server. Checked once, while tests are collected. */
export const redisAvailable = isHere('redis-server', spawnSync('redis-server', ['--version']).status === 0);

/** A real redis-server on loopback, without persistence. */
export interface RedisServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Sends SIGKILL: connections break and all subscriptions are gone. */
  kill(): Promise<void>;
  /** Starts it again on the same port, after killing it if it is running. */
  restart(): Promise<void>;
  /** Sends SIGSTOP: connections stay open and nothing answers. */
  stopProcess(): void;
  continueProcess(): void;
  /** Sends a command, such as `CLIENT KILL TYPE pubsub`, and returns the first line of the response. */
  command(text: string): Promise<string>;
  /** Ends it permanently. */
  stop(): Promise<void>;
}

/** Limits that never report a slow response as a failure. A broken connection is still noticed at once. */
export const patientLimits: RedisLimits = { heartbeatMs: 60_000, timeoutMs: 60_000 };

export interface RedisServerOptions {
  /** Additional arguments of redis-server, such as `['--requirepass', 'x']`. */
  readonly args?: readonly string[];
}

const START_TIMEOUT_MS = 30_000;
/**
 * Below the ports that the kernel assigns by itself (on Linux from 32,768 on). The port must still be free when a
 * server is restarted, and many other programs start and connect in the meantime.
 */
const PORTS = { from: 20_000, to: 32_000 };
const PORT_TRIES = 20;

export async function startRedis({ args = [] }: RedisServerOptions = {}): Promise<RedisServer> {
  const port = await freePort();
  let child = await launch(port, args);

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    get pid() {
      return pidOf(child);
    },
    kill,
    async restart() {
      await kill();
      child = await launch(port, args);
    },
    stopProcess: () => {
      child.kill('SIGSTOP');
    },
    continueProcess: () => {
      child.kill('SIGCONT');
    },
    async command(text) {
      const socket = connect(port, '127.0.0.1');
      socket.end(`${text}\r\n`);
      for await (const line of createInterface({ input: socket })) {
        socket.destroy();
        return line;
      }
      throw new Error(`Redis did not answer ${text}.`);
    },
    stop: kill,
  };
}

async function launch(port: number, args: readonly string[]): Promise<ChildProcess> {
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', [...own, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  killWithTestRun(child);

  const output: string[] = [];
  const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      output.push(line);
      if (!line.includes('Ready to accept connections')) continue;
      child.stdout.resume();
      return child;
    }
  } finally {
    clearTimeout(timer);
  }
  throw new Error(`redis-server did not start:\n${output.join('\n')}`);
}

/** Ends the server when the test run ends, even if the run is killed: a shell waits for the end of its input. */
function killWithTestRun(child: ChildProcess): void {
  const script = 'read -r _; kill -9 "$0"';
  const watcher = spawn('sh', ['-c', script, String(pidOf(child))], { stdio: ['pipe', 'ignore', 'ignore'] });
  child.once('exit', () => watcher.kill('SIGKILL'));
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('redis-server is not running.');
  return pid;
}

async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < PORT_TRIES; attempt++) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isFree(port)) return port;
  }
  throw new Error('There is no free port.');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
