export interface Clock {
  /** Milliseconds on a clock that never goes back. */
  now(): number;
  /** Starts a timer. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
}

export const browserClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
