const TICK_MS = 20;

/**
 * Starts a clock of this process, in milliseconds, for times that the product keeps by timers in this process. If the
 * process stalls, no timer of the product fires either, so a stall counts as one tick.
 */
export function startOwnTime(): () => number {
  let ticks = 0;
  const ticking = setInterval(() => ticks++, TICK_MS).unref();
  return () => {
    clearInterval(ticking);
    return ticks * TICK_MS;
  };
}

/** How long some work takes by this clock, even if it fails. */
export async function took(work: Promise<unknown>): Promise<number> {
  const ownTime = startOwnTime();
  await work.catch(() => {});
  return ownTime();
}
