import { defined } from './defined.ts';
import type { OutageLog } from './log.ts';
import { createSpacedLines } from './spacedLines.ts';

/** Logs once that something fails, and once that it works again, however often it is tried. */
export interface Health {
  readonly good: boolean;
  failed(error: unknown): void;
  /** `fields` are logged if it has failed before. */
  worked(fields?: object): void;
}

export interface HealthOptions {
  readonly log: OutageLog;
  /** The two messages. */
  readonly down: string;
  readonly up: string;
  /** Logged with both. */
  readonly fields?: object;
  /** What the log says about the error. Default: `err`, which is written without what its message may quote. */
  readonly describe?: (error: unknown) => object;
  /**
   * Milliseconds. For what may fail and work in turns, such as a service that limits how much it accepts: at most one
   * outage a minute is logged, with the number of failures that were left out. Absent: each outage is logged.
   */
  readonly now?: () => number;
}

const OUTAGE_EVERY_MS = 60_000;

export function createHealth({
  log,
  down,
  up,
  fields = {},
  describe = (err) => ({ err }),
  now,
}: HealthOptions): Health {
  const lines = now === undefined ? undefined : createSpacedLines({ everyMs: OUTAGE_EVERY_MS, now });
  let good = true;
  let isLogged = false;
  return {
    get good() {
      return good;
    },
    failed(error) {
      good = false;
      if (isLogged) return;
      const leftOut = lines === undefined ? 0 : lines.next('');
      if (leftOut === undefined) return;
      const more = defined({ leftOut: leftOut === 0 ? undefined : leftOut });
      log.warn({ ...fields, ...describe(error), ...more }, down);
      isLogged = true;
    },
    worked(more = {}) {
      if (isLogged) log.info({ ...fields, ...more }, up);
      good = true;
      isLogged = false;
    },
  };
}
