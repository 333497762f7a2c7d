import type { OutageLog } from './log.ts';

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
}

export function createHealth({
  log,
  down,
  up,
  fields = {},
  describe = (err) => ({ err }),
}: HealthOptions): Health {
  let good = true;
  return {
    get good() {
      return good;
    },
    failed(error) {
      if (good) log.warn({ ...fields, ...describe(error) }, down);
      good = false;
    },
    worked(more = {}) {
      if (!good) log.info({ ...fields, ...more }, up);
      good = true;
    },
  };
}
