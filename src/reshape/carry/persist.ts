import type { Clock } from '../../core/clock.ts';
import { ContentionError, OutageError, StartError } from '../../core/errors.ts';
import type { OutageLog } from '../../core/log.ts';
import { CONSUMER_BACKOFF, retryUntilDone } from '../../core/retry.ts';
import { refusalIn } from '../../dynamo/errors.ts';
import { retriedHealth } from '../../stream/log.ts';

export interface PersistOptions {
  readonly log: OutageLog;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /**
   * Work that fails for this long rejects with `StartError`, in milliseconds. Default: it is repeated until the signal.
   */
  readonly patienceMs?: number;
  /** Called with an error that is not an outage, before the work rejects with it. */
  readonly onFatal?: (error: unknown) => void;
}

/**
 * Repeats the work while a database does not respond. If one refuses this process, the work rejects at once: a person
 * waits for the command, and can correct that. Resolves to false if the signal came first.
 */
export type Persist = (work: () => Promise<void>) => Promise<boolean>;

const AWAY = 'A table has not responded for minutes. Run this again when it does.';

export function createPersist({ log, clock, signal, patienceMs, onFatal }: PersistOptions): Persist {
  const health = retriedHealth(log, 'The copying');
  return (work) => {
    const until = clock.now() + (patienceMs ?? Number.POSITIVE_INFINITY);
    return retryUntilDone(
      async () => {
        await work();
        health.worked();
      },
      {
        clock,
        policy: CONSUMER_BACKOFF,
        signal,
        onFailure(error) {
          const passes = error instanceof OutageError || error instanceof ContentionError;
          const isTransient = passes && refusalIn(error) === undefined;
          if (isTransient && clock.now() < until) return health.failed(error);
          const reason = isTransient ? new StartError(AWAY, { cause: error }) : error;
          onFatal?.(reason);
          throw reason;
        },
      },
    );
  };
}
