import { type Clock, inTime, systemClock } from '../core/clock.ts';
import type { Tracing } from '../core/trace.ts';

/** How long a call waits for the collector before it returns and is frozen. */
export const FLUSH_MS = 1_000;
/** After a collector has not responded in time, calls do not wait for it. */
const NOT_WAITING_MS = 60_000;

/**
 * Sends the spans of a call before it returns, because a function is frozen then. A collector that hangs costs one call
 * a minute FLUSH_MS, and the others nothing: what they could not send is sent during later calls, or dropped.
 */
export function createFlush(
  tracing: Pick<Tracing, 'flush'> | undefined,
  clock: Clock = systemClock,
): () => Promise<void> {
  let notBefore = Number.NEGATIVE_INFINITY;
  return async () => {
    if (tracing === undefined || clock.now() < notBefore) return;
    const flushed = tracing.flush().then(() => true);
    const sent = await inTime(clock, FLUSH_MS, flushed, false);
    if (!sent) notBefore = clock.now() + NOT_WAITING_MS;
  };
}
