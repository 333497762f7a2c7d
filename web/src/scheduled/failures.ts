import type { Api } from '../api/api.ts';
import { withRetry } from '../api/retry.ts';
import { ScheduledFailuresDocument } from '../generated/graphql.ts';
import { createPaced } from '../state/paced.ts';
import { onLook } from '../ui/onLook.ts';

/** Keeps the answer to `ScheduledFailuresDocument` current: there are no events of scheduled messages. */
export interface ScheduledFailures {
  /** The viewer has scheduled a message on this page, or moved it, to this time. */
  expect(sendAt: string): void;
  /** The viewer has changed something that could not be sent. */
  refresh(): void;
  stop(): void;
}

/** How long after its time a message was sent or has failed, usually. */
const SETTLES_MS = 5_000;
/** If it is late, the next look is this much later. */
const AGAIN_MS = 60_000;
/** Browsers run longer timers at once. */
const TIMER_MAX_MS = 2_147_483_647;

/** It is read at once, shortly after a message was due, and when the viewer comes back to the page. */
export function createScheduledFailures(api: Pick<Api, 'query' | 'connection'>): ScheduledFailures {
  const stopping = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** When the next message is due, in milliseconds since 1970. */
  let next = Number.POSITIVE_INFINITY;

  const reading = createPaced(async () => {
    const answer = await withRetry(api.connection.backoff, () => api.query(ScheduledFailuresDocument, {}), {
      signal: stopping.signal,
    }).catch(() => undefined);
    if (answer === undefined) return;
    const open = answer.viewer.scheduledMessages.edges.filter(({ node }) => node.failure === null);
    // The list lags, and may have only failures: what is known to be due later stays known.
    const known = next > Date.now() ? next : Number.POSITIVE_INFINITY;
    next = Math.min(known, ...open.map(({ node }) => Date.parse(node.sendAt)));
    schedule();
  });

  function schedule(): void {
    clearTimeout(timer);
    if (next === Number.POSITIVE_INFINITY || stopping.signal.aborted) return;
    const left = next - Date.now();
    const wait = left > 0 ? left + SETTLES_MS : AGAIN_MS;
    timer = setTimeout(wait > TIMER_MAX_MS ? schedule : reading.run, Math.min(wait, TIMER_MAX_MS));
  }

  const stopLooking = onLook(reading.run);
  reading.run();
  return {
    expect(sendAt) {
      next = Math.min(next, Date.parse(sendAt));
      schedule();
    },
    refresh: reading.run,
    stop() {
      stopping.abort();
      clearTimeout(timer);
      reading.stop();
      stopLooking();
    },
  };
}
