import type { Change } from '../../../src/stream/change.ts';
import type { Dispatcher } from '../../../src/stream/dispatcher.ts';

/** Keeps the stream's changes, so that a test can replay them as after a crash. */
export interface StreamMemory {
  readonly wrapDispatcher: (dispatcher: Dispatcher) => Dispatcher;
  /** The changes that were handled, in order. */
  readonly changes: readonly Change[];
  /** Replays all of them to the handlers, change by change. */
  again(): Promise<void>;
}

export function createStreamMemory(): StreamMemory {
  const changes: Change[] = [];
  let repeat = async () => {};
  return {
    changes,
    wrapDispatcher(dispatcher) {
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
