import type { Clock } from '../../core/clock.ts';
import { ContentionError, OutageError } from '../../core/errors.ts';
import type { OutageLog } from '../../core/log.ts';
import { CONSUMER_BACKOFF, retryUntilDone } from '../../core/retry.ts';
import { retriedHealth } from '../../stream/log.ts';

export interface PersistOptions {
  readonly log: OutageLog;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called with an error that is not an outage, before the work rejects with it. */
  readonly onFatal?: (error: unknown) => void;
}

/** Repeats the work while a database does not respond. Resolves to false if the signal came first. */
export type Persist = (work: () => Promise<void>) => Promise<boolean>;

export function createPersist({ log, clock, signal, onFatal }: PersistOptions): Persist {
  const health = retriedHealth(log, 'The copying');
  return (work) =>
    retryUntilDone(
      async () => {
        await work();
        health.worked();
      },
      {
        ...{ clock, policy: CONSUMER_BACKOFF, signal },
        onFailure(error) {
          if (error instanceof OutageError || error instanceof ContentionError) return health.failed(error);
          onFatal?.(error);
          throw error;
        },
      },
    );
}
