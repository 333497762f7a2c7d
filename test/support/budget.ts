/**
 * Runs a property for so many milliseconds, and no more of it after that; what is under way is finished. The library's
 * own `interruptAfterTimeLimit` cuts it short and lets it pass: also what waits for something that never comes.
 */
export function forAsLongAs<T extends unknown[]>(
  ms: number,
  run: (...args: T) => Promise<void>,
): (...args: T) => Promise<void> {
  let until: number | undefined;
  return async (...args) => {
    until ??= performance.now() + ms;
    if (performance.now() <= until) await run(...args);
  };
}
