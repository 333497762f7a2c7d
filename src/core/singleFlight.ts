/**
 * Runs `work` at most once at a time. Calls during a run share one more run, which starts after it. So each caller gets
 * a run that began after its call. Rejects if that run rejects. By hand, because packages that share a
 * running call return one that began before the caller's.
 */
export function singleFlight<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;

  function begin(): Promise<T> {
    next = undefined;
    const run = work().finally(() => {
      if (running === run) running = undefined;
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
