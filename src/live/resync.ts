import type { BaseLogger } from 'pino';
import { type Bus, resyncTopic, type Unsubscribe } from '../bus/bus.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import { type BackoffPolicy, backoffMs } from '../core/retry.ts';
import { singleFlight } from '../core/singleFlight.ts';

/** Something that this server shows live. */
export interface LivePart {
  /** For the log. */
  readonly name: string;
  /** Messages may have been lost: reads everything again that is shown, and sends what differs. */
  resync(): Promise<void> | void;
  /** The same without a known loss, every 30 s: reads as little as possible to find out what differs. */
  compare(): Promise<void>;
}

export interface ResyncOptions {
  readonly bus: Bus;
  readonly log: Pick<BaseLogger, 'warn'>;
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
  let cancelCompare = () => {};
  let cancelRetry = () => {};
  let failures = 0;
  let stopped = false;

  /** Resolves when everything was read. One at a time; if it is called meanwhile, everything is read once more. */
  const resync: () => Promise<void> = singleFlight(async () => {
    if (stopped) return;
    cancelRetry();
    onResync?.();
    try {
      for (const part of parts) await part.resync();
      failures = 0;
    } catch (err) {
      log.warn({ err }, 'What is shown could not be read again. Trying once more in a moment.');
      if (!stopped) cancelRetry = clock.after(backoffMs(BACKOFF, ++failures), () => void resync());
    }
  });

  /** Resolves when all parts were compared; one that fails is logged, and compared again the next time. */
  async function compare(): Promise<void> {
    for (const part of parts) {
      try {
        await part.compare();
      } catch (err) {
        log.warn({ err, part: part.name }, 'What is shown could not be compared with the table.');
      }
    }
  }

  function compareLater(): void {
    if (stopped) return;
    cancelCompare = clock.after(compareEveryMs, () => void compare().then(compareLater));
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
      compareLater();
    },

    stop(): void {
      stopped = true;
      for (const stop of stops) stop();
      cancelCompare();
      cancelRetry();
    },
  };
}

declare module '../graphql/context.ts' {
  interface Services {
    readonly resync: Resync;
  }
}
