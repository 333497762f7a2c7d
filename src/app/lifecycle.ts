import type { Log } from '../core/log.ts';

/** What has been started and is to be ended in the opposite order. */
export interface ShutdownStack {
  /** `name` is for the log. */
  add(name: string, end: () => Promise<void> | void): void;
  /**
   * Ends everything, last come first. What fails to end is logged and holds up nothing: the database, which
   * came first, ends whatever became of the others. Rejects, at the end, with the first such failure.
   */
  end(): Promise<void>;
}

export function createRunning(log: Log): ShutdownStack {
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
          log.error({ err, part: part.name }, 'A part of the server could not be ended.');
          failures.push(err);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
