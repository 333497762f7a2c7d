import type { Log } from '../core/log.ts';

/** The parts that were started. They are stopped in the opposite order. */
export interface ShutdownStack {
  /** The log shows `name` if the part cannot be stopped. */
  add(name: string, end: () => Promise<void> | void): void;
  /**
   * Stops all parts, the last one first. If a part fails, this is logged and the next one is stopped. So the database,
   * which was added first, always stops. Rejects at the end with the first failure.
   */
  end(): Promise<void>;
}

export function createShutdownStack(log: Log): ShutdownStack {
  const parts: Array<{ readonly name: string; readonly end: () => Promise<void> | void }> = [];
  return {
    add(name, end) {
      parts.push({ name, end });
    },
    async end() {
      const failures: unknown[] = [];
      for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
        try {
          await part.end();
        } catch (err) {
          log.error({ err, part: part.name }, 'A part of the server could not be stopped');
          failures.push(err);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
