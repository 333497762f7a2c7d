import { setTimeout as wait } from 'node:timers/promises';
import type { Gate } from '../../dynamo/client.ts';
import { type Database, type DatabaseOptions, startDatabase } from './database.ts';
import { createGate } from './gate.ts';

export interface Supervised {
  readonly gate: Gate;
  /** Of the process that runs now. */
  readonly pid: number;
  /** Resolves when the database is gone for good: to undefined after `stop`, else to what went wrong. */
  readonly exited: Promise<Error | undefined>;
  stop(): Promise<void>;
}

export interface SuperviseOptions extends DatabaseOptions {
  /** Told of every process that takes the place of one that ended. */
  readonly onRestart: (pid: number) => Promise<void>;
}

const RESTARTS_MAX = 5;
const RESTARTS_WITHIN_MS = 60_000;
const RESTART_PAUSE_MS = 100;

/**
 * Keeps the database running: when its process ends unasked it is started again on the same port, up to
 * five times a minute, and the gate is closed meanwhile. A database in memory is not, for its data would
 * be gone.
 */
export function supervise(first: Database, { onRestart, ...options }: SuperviseOptions): Supervised {
  const { log } = options;
  const doorkeeper = createGate();
  let database = first;
  let stopping: Promise<void> | undefined;

  async function run(): Promise<Error | undefined> {
    const attempts: number[] = [];
    for (;;) {
      const how = await database.exited;
      if (stopping !== undefined) return undefined;
      const ended = new Error(`The embedded DynamoDB ended unasked (${how}).`);
      if (options.file === undefined) return ended;
      doorkeeper.close();
      try {
        database = await startAgain(ended, attempts);
        log.warn({ how, pid: database.pid }, 'The embedded database ended unasked and was started again.');
        await onRestart(database.pid);
      } catch (error) {
        return stopping === undefined ? (error as Error) : undefined;
      } finally {
        doorkeeper.open();
      }
      // We were told to stop meanwhile, which the process that is new did not hear.
      if (stopping !== undefined) await database.stop();
    }
  }

  /** `attempts` has the times of the earlier ones, in milliseconds since 1970. */
  async function startAgain(ended: Error, attempts: number[]): Promise<Database> {
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
   * A refused connection is the first sign that the process has ended, before we are told. Nothing has
   * been sent, so the request simply goes again when the process is back. (Left to the SDK it is given up
   * on: all of a client's retries share a budget, which a few dozen writers use up at once.)
   */
  const gate: Gate = (request) =>
    doorkeeper.gate(request).catch((error: unknown) => {
      const refused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
      if (!refused || gone || stopping !== undefined) throw error;
      doorkeeper.close();
      return doorkeeper.gate(request);
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
