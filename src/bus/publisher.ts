import { type BackoffPolicy, backoffMs } from '../core/retry.ts';
import { type Bus, type BusLog, type Json, resyncTopic, type Topic } from './bus.ts';

export interface PublisherOptions {
  readonly bus: Bus;
  readonly log: BusLog;
  /** Called for every message that was not accepted, with the name of its topic. */
  readonly onFailure?: (topic: string) => void;
}

/**
 * The stream consumer publishes through it. A message that cannot be published must neither hold back the
 * checkpoint nor be forgotten: it is dropped, and once the bus works again a message on `resyncTopic` asks every
 * server to re-read what it shows.
 */
export interface Publisher {
  /**
   * Never rejects. Resolves when the bus has accepted the message or it was dropped: within the bus's own time
   * limit, and at once while the bus is known to fail.
   */
  publish<T extends Json>(topic: Topic<T>, payload: T): Promise<void>;
  /** Requests a resync as soon as the bus can carry it. Requests made until then are one. */
  resync(reason: string): void;
  /** Resolves when no resync is pending: for a host that may be frozen between two calls. */
  settled(): Promise<void>;
  /** Ends the retries. A pending resync is left to the next consumer, which begins with one. */
  stop(): Promise<void>;
}

const BACKOFF: BackoffPolicy = { firstMs: 100, longestMs: 1_000, jitter: 'half' };
/** The pause between two resyncs: each makes every server re-read what its readers see. */
const REST_MS = 1_000;

export function createPublisher({ bus, log, onFailure }: PublisherOptions): Publisher {
  /** The reason for the pending resync, if there is one. */
  let pendingResync: string | undefined;
  /** The bus refused a message, and has not taken a resync since. */
  let failing = false;
  let dropped = 0;
  let nextResync = Number.NEGATIVE_INFINITY;
  let stopped = false;
  let flushing: Promise<void> | undefined;
  let wake = () => {};
  const forgetGap = bus.onGap(() => wake());

  function drop(name: string): void {
    dropped++;
    onFailure?.(name);
    resync('Not every message could be published');
  }

  function noteFailure(error: unknown): void {
    if (!failing) log.warn({ err: error }, 'Publishing fails; messages are dropped until it works again');
    failing = true;
  }

  function noteSuccess(): void {
    if (failing) log.info({ dropped }, 'Publishing works again; every server was asked to re-read');
    failing = false;
    dropped = 0;
  }

  function resync(reason: string): void {
    if (stopped) return;
    pendingResync ??= reason;
    flushing ??= flushResync();
  }

  /** Publishes the pending resync, and the next one as long as there is one. */
  async function flushResync(): Promise<void> {
    let failures = failing ? 1 : 0;
    while (pendingResync !== undefined && !stopped) {
      if (failures > 0) await pause(backoffMs(BACKOFF, failures));
      while (performance.now() < nextResync && !stopped) await pause(nextResync - performance.now());
      if (stopped) break;
      const reason: string = pendingResync;
      // A message dropped from here on may be newer than what the receivers re-read: it needs another resync.
      pendingResync = undefined;
      try {
        await bus.publish(resyncTopic, { reason });
        nextResync = performance.now() + REST_MS;
        failures = 0;
        noteSuccess();
      } catch (error) {
        pendingResync = reason;
        failures++;
        noteFailure(error);
      }
    }
    flushing = undefined;
  }

  /** Waits for this time, or until woken. */
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
      // Each try may take the bus's whole time limit, and one has already failed.
      if (failing) return drop(topic.name);
      try {
        await bus.publish(topic, payload);
      } catch (error) {
        noteFailure(error);
        drop(topic.name);
      }
    },

    resync,
    settled: async () => flushing,

    async stop() {
      stopped = true;
      forgetGap();
      wake();
      await flushing;
    },
  };
}
