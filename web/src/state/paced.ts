/** A reading that is repeated when something has changed: one at a time, and for a small part of the time only. */
export interface Paced {
  /** Runs at once, or as soon as the pause after the last run is over. */
  run(): void;
  stop(): void;
}

/** The shortest pause after a run. */
const PAUSE_MS = 500;
/** After a long run the pause is as much longer than it. */
const TIMES = 4;

/** `action` must not reject. */
export function createPaced(action: () => Promise<void>): Paced {
  let isBusy = false;
  let isWanted = false;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function start(): Promise<void> {
    isBusy = true;
    isWanted = false;
    const began = performance.now();
    await action();
    if (isOver) return;
    timer = setTimeout(
      () => {
        isBusy = false;
        if (isWanted) void start();
      },
      Math.max(PAUSE_MS, TIMES * (performance.now() - began)),
    );
  }

  return {
    run() {
      isWanted = true;
      if (!isBusy && !isOver) void start();
    },
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
