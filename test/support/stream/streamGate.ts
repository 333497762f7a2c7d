import type { Dispatcher } from '../../../src/stream/dispatcher.ts';

/** Holds back the stream's batches while it is closed: derived data does not change, and everything else works. */
export interface StreamGate {
  readonly wrapDispatcher: (dispatcher: Dispatcher) => Dispatcher;
  /** The current batch is finished, and later ones wait. */
  close(): void;
  open(): void;
}

export function createStreamGate(): StreamGate {
  let opened: Promise<void> = Promise.resolve();
  let open = () => {};
  return {
    wrapDispatcher: (dispatcher) => ({
      async dispatch(changes, signal) {
        await opened;
        await dispatcher.dispatch(changes, signal);
      },
      get deadLetterCount() {
        return dispatcher.deadLetterCount;
      },
    }),
    close() {
      open();
      opened = new Promise((resolve) => {
        open = resolve;
      });
    },
    open: () => open(),
  };
}
