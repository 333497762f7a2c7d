import type { Dispatcher } from '../../src/stream/dispatcher.ts';

/** Holds the stream's batches back while it is closed: what is derived stands still, all else goes on. */
export interface StreamGate {
  readonly dispatching: (dispatcher: Dispatcher) => Dispatcher;
  /** The batch in hand is finished, later ones wait. */
  close(): void;
  open(): void;
}

export function createStreamGate(): StreamGate {
  let opened: Promise<void> = Promise.resolve();
  let open = () => {};
  return {
    dispatching: (dispatcher) => ({
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
