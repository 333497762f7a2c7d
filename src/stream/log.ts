import type { BaseLogger } from 'pino';
import type { Change } from './change.ts';

/** An `err` in the fields is written without what its message may quote: see `errorFields` in src/core/log.ts. */
export type Log = Pick<BaseLogger, 'info' | 'warn' | 'error'>;

/** What a log may say about a change: which item, never its content. */
export const changeFields = ({ sequence, kind, key }: Change) => ({ sequence, kind, key });

/** Logs once that something fails, and once that it works again, however often it is tried. */
export interface Health {
  readonly good: boolean;
  failed(error: unknown): void;
  worked(): void;
}

export function createHealth(log: Log, what: string, fields: object = {}): Health {
  let good = true;
  return {
    get good() {
      return good;
    },
    failed(error) {
      if (good) log.warn({ ...fields, err: error }, `${what} does not answer; trying again until it does`);
      good = false;
    },
    worked() {
      if (!good) log.info(fields, `${what} answers again`);
      good = true;
    },
  };
}
