const TICK_MS = 20;

/**
 * Starts to measure how long something takes in this process, in milliseconds: what the product promises and keeps by
 * timers here. A stall of the process, in which no timer of the product could ring either, counts as one tick.
 */
export function startOwnTime(): () => number {
  let ticks = 0;
  const ticking = setInterval(() => ticks++, TICK_MS).unref();
  return () => {
    clearInterval(ticking);
    return ticks * TICK_MS;
  };
}

/** How long some work takes in that measure, whatever comes of it. */
export async function took(work: Promise<unknown>): Promise<number> {
  const ownTime = startOwnTime();
  await work.catch(() => {});
  return ownTime();
}
