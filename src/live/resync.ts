import { type Bus, resyncTopic, type Unsubscribe } from '../bus/bus.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import { coalesced } from '../core/coalesced.ts';
import { every } from '../core/every.ts';
import type { OutageLog } from '../core/log.ts';
import { type BackoffPolicy, backoffMs } from '../core/retry.ts';
import { asWork, LIVE } from '../core/work.ts';

/** A part of what this server's subscriptions show. */
export interface LivePart {
  /** For the log. */
  readonly name: string;
  /** Messages may have been lost: reads again everything that is shown, and sends the differences. */
  resync(): Promise<void> | void;
  /** Called every 30 s without a known loss. Reads as little as possible to find the differences. */
  compare(): Promise<void>;
  /** Called when the server stops: ends the open subscriptions. */
  stop?(): void;
}

export interface ResyncOptions {
  readonly bus: Bus;
  readonly log: Pick<OutageLog, 'warn'>;
  /** Called for every resync. */
  readonly onResync?: () => void;
  readonly compareEveryMs?: number;
  readonly clock?: Clock;
}

export type Resync = ReturnType<typeof createResync>;

/** How often everything that is shown is compared with the table, because Redis loses messages without notice. */
const COMPARE_EVERY_MS = 30_000;
const BACKOFF: BackoffPolicy = { firstMs: 1_000, longestMs: 10_000, jitter: 'half' };

/**
 * Keeps what this server shows equal to the table when the bus loses messages: when it knows of a loss (`onGap`, the
 * `resync` topic), and every 30 s in case no one noticed one. Parts are read in the order they were added, because
 * badges use the rooms' numbers.
 */
export function createResync({
  bus,
  log,
  onResync,
  compareEveryMs = COMPARE_EVERY_MS,
  clock = systemClock,
}: ResyncOptions) {
  const parts: LivePart[] = [];
  let stops: Unsubscribe[] = [];
  let stopComparing = async () => {};
  let cancelRetry = () => {};
  let failures = 0;
  let stopped = false;

  /** Resolves when everything was read. One run at a time. A call during a run starts one more run after it. */
  const resync: () => Promise<void> = coalesced(async () => {
    if (stopped) return;
    cancelRetry();
    onResync?.();
    try {
      for (const part of parts) await part.resync();
      failures = 0;
    } catch (err) {
      log.warn({ err }, 'Could not refresh the live subscriptions from the table. Retrying shortly.');
      if (!stopped) cancelRetry = clock.after(backoffMs(BACKOFF, ++failures), () => void resync());
    }
  });

  /** Resolves when all parts were compared. A part that fails is logged, and compared again at the next time. */
  async function compare(): Promise<void> {
    for (const part of parts) {
      try {
        await part.compare();
      } catch (err) {
        log.warn({ err, part: part.name }, 'Could not compare the live subscriptions with the table.');
      }
    }
  }

  return {
    add(part: LivePart): void {
      parts.push(part);
    },
    resync,
    compare,

    async start(): Promise<void> {
      const now = () => void resync();
      stops = [bus.onGap(now), await bus.subscribe(resyncTopic, now)];
      stopComparing = every(compareEveryMs, () => asWork(LIVE, compare), { clock });
    },

    /** Stops the parts as well, the last one first. One that fails is logged, and does not keep the others open. */
    stop(): void {
      stopped = true;
      for (const stop of stops) stop();
      void stopComparing();
      cancelRetry();
      for (const part of parts.toReversed()) {
        try {
          part.stop?.();
        } catch (err) {
          log.warn({ err, part: part.name }, 'Could not end the live subscriptions.');
        }
      }
    },
  };
}

declare module '../graphql/context.ts' {
  interface Services {
    readonly resync: Resync;
  }
}
