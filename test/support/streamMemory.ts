import type { Change } from '../../src/stream/change.ts';
import type { Dispatcher } from '../../src/stream/dispatcher.ts';

/** Remembers what the stream brought, so that a test can have it told again, as after a crash. */
export interface StreamMemory {
  readonly dispatching: (dispatcher: Dispatcher) => Dispatcher;
  /** What has been handled, in order. */
  readonly changes: readonly Change[];
  /** Gives the handlers all of it once more, change by change. */
  again(): Promise<void>;
}

export function createStreamMemory(): StreamMemory {
  const changes: Change[] = [];
  let repeat = async () => {};
  return {
    changes,
    dispatching(dispatcher) {
      repeat = async () => {
        for (const change of [...changes]) await dispatcher.dispatch([change]);
      };
      return {
        async dispatch(batch, signal) {
          await dispatcher.dispatch(batch, signal);
          changes.push(...batch);
        },
        get deadLetterCount() {
          return dispatcher.deadLetterCount;
        },
      };
    },
    again: () => repeat(),
  };
}
