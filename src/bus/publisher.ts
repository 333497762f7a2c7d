import { type BackoffPolicy, backoffMs } from '../core/retry.ts';
import { type Bus, type BusLog, type Json, resyncTopic, type Topic } from './bus.ts';

export interface PublisherOptions {
  readonly bus: Bus;
  readonly log: BusLog;
  /** Told of every message that was not accepted, with the name of its topic. */
  readonly onFailure?: (topic: string) => void;
}

/**
 * What the stream consumer publishes through. A message that cannot be published must neither hold back
 * the checkpoint nor be forgotten: it is dropped, and once the bus carries again everybody is told, on
 * `resyncTopic`, to re-read what they show.
 */
export interface Publisher {
  /**
   * Never rejects. Resolves when the bus has accepted the message or it is given up: at most the bus's own
   * time limit, and at once while the bus is known to fail.
   */
  publish<T extends Json>(topic: Topic<T>, payload: T): Promise<void>;
  /** Asks for a resync, as soon as the bus can carry it; requests made meanwhile are one. */
  resync(reason: string): void;
  /** Resolves when no resync is owed: for a host that may be frozen between two calls. */
  settled(): Promise<void>;
  /** Ends the retries; a resync still owed is left to the next consumer, which begins with one. */
  stop(): Promise<void>;
}

const BACKOFF: BackoffPolicy = { firstMs: 100, longestMs: 1_000, jitter: 'half' };
/** Between two resyncs: each makes every server re-read what its readers see. */
const REST_MS = 1_000;

export function createPublisher({ bus, log, onFailure }: PublisherOptions): Publisher {
  /** Why a resync is owed, if one is. */
  let owed: string | undefined;
  /** The bus refused a message, and has not taken a resync since. */
  let failing = false;
  let dropped = 0;
  let nextResync = Number.NEGATIVE_INFINITY;
  let stopped = false;
  let paying: Promise<void> | undefined;
  let wake = () => {};
  const forgetGap = bus.onGap(() => wake());

  function drop(name: string): void {
    dropped++;
    onFailure?.(name);
    resync('Not every message could be published');
  }

  function fails(error: unknown): void {
    if (!failing) log.warn({ err: error }, 'Publishing fails; messages are dropped until it works again');
    failing = true;
  }

  function works(): void {
    if (failing) log.info({ dropped }, 'Publishing works again; everybody was told to re-read');
    failing = false;
    dropped = 0;
  }

  function resync(reason: string): void {
    if (stopped) return;
    owed ??= reason;
    paying ??= pay();
  }

  /** Publishes the resync that is owed, and the next one while there is one. */
  async function pay(): Promise<void> {
    let failures = failing ? 1 : 0;
    while (owed !== undefined && !stopped) {
      if (failures > 0) await pause(backoffMs(BACKOFF, failures));
      while (performance.now() < nextResync && !stopped) await pause(nextResync - performance.now());
      if (stopped) break;
      const reason: string = owed;
      // What is dropped from here on may be newer than what the receivers re-read: it is owed anew.
      owed = undefined;
      try {
        await bus.publish(resyncTopic, { reason });
        nextResync = performance.now() + REST_MS;
        failures = 0;
        works();
      } catch (error) {
        owed = reason;
        failures++;
        fails(error);
      }
    }
    paying = undefined;
  }

  /** Waits so long, or until woken. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    async publish(topic, payload) {
      // Each try may take the bus's whole time limit; one has shown that it fails.
      if (failing) return drop(topic.name);
      try {
        await bus.publish(topic, payload);
      } catch (error) {
        fails(error);
        drop(topic.name);
      }
    },

    resync,
    settled: async () => paying,

    async stop() {
      stopped = true;
      forgetGap();
      wake();
      await paying;
    },
  };
}
