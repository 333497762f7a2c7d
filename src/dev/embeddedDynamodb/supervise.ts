import { setTimeout as wait } from 'node:timers/promises';
import { defined } from '../../core/defined.ts';
import type { Gate } from '../../dynamo/client.ts';
import { type Database, type DatabaseOptions, startDatabase } from './database.ts';
import { createGate } from './gate.ts';

export interface Supervised {
  readonly gate: Gate;
  /** The current process. */
  readonly pid: number;
  /** Resolves when the database has ended for good: to undefined after `stop`, otherwise to the error. */
  readonly exited: Promise<Error | undefined>;
  stop(): Promise<void>;
}

export interface SuperviseOptions extends DatabaseOptions {
  /** Called with the pid of each process that replaces one that ended. */
  readonly onRestart: (pid: number) => Promise<void>;
  /** As `waitMs` of `createGate`. */
  readonly gateMs?: number;
}

const RESTARTS_MAX = 5;
const RESTARTS_WITHIN_MS = 60_000;
const RESTART_PAUSE_MS = 100;

/**
 * Keeps the database running: if its process ends by itself, it is restarted on the same port, up to five times a
 * minute, and the gate is closed meanwhile. A database in memory is not restarted, because its data is lost.
 */
export function supervise(first: Database, { onRestart, gateMs, ...options }: SuperviseOptions): Supervised {
  const { log } = options;
  const requests = createGate(defined({ waitMs: gateMs }));
  let database = first;
  let stopping: Promise<void> | undefined;

  async function run(): Promise<Error | undefined> {
    const attempts: number[] = [];
    for (;;) {
      const exitReason = await database.exited;
      if (stopping !== undefined) return undefined;
      const ended = new Error(`The embedded DynamoDB ended unexpectedly (${exitReason}).`);
      if (options.file === undefined) return ended;
      requests.close();
      try {
        database = await restart(ended, attempts);
        log.warn(
          { exitReason, pid: database.pid },
          'The embedded database ended unexpectedly. It was restarted.',
        );
        await onRestart(database.pid);
      } catch (error) {
        return stopping === undefined ? (error as Error) : undefined;
      } finally {
        requests.open();
      }
      // `stop` was called during the restart, and has stopped the previous process only.
      if (stopping !== undefined) await database.stop();
    }
  }

  /** `attempts` has the times of the earlier restarts, in milliseconds since 1970. */
  async function restart(ended: Error, attempts: number[]): Promise<Database> {
    for (let cause: unknown = ended; ; await wait(RESTART_PAUSE_MS)) {
      const recent = attempts.filter((at) => at > Date.now() - RESTARTS_WITHIN_MS);
      if (recent.length >= RESTARTS_MAX || stopping !== undefined) {
        throw new Error(`${ended.message} It could not be kept running.`, { cause });
      }
      attempts.splice(0, attempts.length, ...recent, Date.now());
      try {
        return await startDatabase(options);
      } catch (error) {
        cause = error;
      }
    }
  }

  let gone = options.file === undefined;
  const exited = run().finally(() => {
    gone = true;
  });

  /**
   * A refused connection is the first sign that the process has ended; the `exit` event arrives later. Nothing was
   * sent, so the request is repeated when the process is back. (The SDK would give up: all retries of a client share
   * a budget, and a few dozen writers use it up at once.)
   */
  const gate: Gate = (request) =>
    requests.gate(request).catch((error: unknown) => {
      const refused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
      if (!refused || gone || stopping !== undefined) throw error;
      requests.close();
      return requests.gate(request);
    });

  return {
    gate,
    get pid() {
      return database.pid;
    },
    exited,
    stop() {
      stopping ??= database.stop().then(async () => {
        await exited;
      });
      return stopping;
    },
  };
}
