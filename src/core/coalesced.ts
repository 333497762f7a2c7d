/**
 * Runs `work` at most once at a time. Calls during a run share one more run that starts after it. Unlike Go's
 * singleflight, no caller gets a run that began before its call. Rejects if that run rejects.
 */
export function coalesced<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;

  function begin(): Promise<T> {
    next = undefined;
    const run = work().finally(() => {
      // What waits for this run begins some microtasks later: until then, calls still join it.
      if (running === run && next === undefined) running = undefined;
    });
    running = run;
    return run;
  }

  return () => {
    if (running === undefined) return begin();
    next ??= running.then(begin, begin);
    return next;
  };
}
