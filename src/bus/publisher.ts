import { type Clock, sleep, systemClock } from '../core/clock.ts';
import { coalesced } from '../core/coalesced.ts';
import { createHealth } from '../core/health.ts';
import type { OutageLog } from '../core/log.ts';
import { type BackoffPolicy, backoffMs } from '../core/retry.ts';
import { createWakeSignal } from '../core/signal.ts';
import { currentSpan } from '../core/work.ts';
import { type Bus, type Json, resyncTopic, type Topic, wakeTopic } from './bus.ts';

export interface PublisherOptions {
  readonly bus: Bus;
  readonly log: OutageLog;
  /** Called for every message that was not accepted, with the name of its topic. */
  readonly onFailure?: (topic: string) => void;
  readonly clock?: Clock;
}

/**
 * Publishes events to the bus, for the stream consumer and for requests that do not wait for the stream. A message that
 * cannot be published must neither hold back the checkpoint nor be forgotten: it is dropped, and once the bus works
 * again a message on `resyncTopic` asks every server to re-read what it shows.
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

export function createPublisher({ bus, log, onFailure, clock = systemClock }: PublisherOptions): Publisher {
  /** The reason for the pending resync, if there is one. */
  let pendingResync: string | undefined;
  /** Bad from the first message that the bus refused until it accepts a resync. */
  const health = createHealth({
    log,
    down: 'Publishing fails; messages are dropped until it works again',
    up: 'Publishing works again; every server was asked to re-read',
  });
  let dropped = 0;
  let nextResync = Number.NEGATIVE_INFINITY;
  let flushing: Promise<void> | undefined;
  const stopping = new AbortController();
  /** The bus works again, or the publisher is being stopped: nothing waits any longer. */
  const wakeSignal = createWakeSignal(clock);
  const unsubscribe = bus.onGap(wakeSignal.wake);

  function drop(name: string): void {
    dropped++;
    onFailure?.(name);
    resync('Not every message could be published');
  }

  function resync(reason: string): void {
    if (stopping.signal.aborted) return;
    pendingResync ??= reason;
    flushing ??= flushResync();
  }

  /** Publishes the pending resync, and the next one as long as there is one. */
  async function flushResync(): Promise<void> {
    let failures = health.good ? 0 : 1;
    wakeSignal.clear();
    while (pendingResync !== undefined && !stopping.signal.aborted) {
      if (failures > 0) await wakeSignal.wait(backoffMs(BACKOFF, failures));
      const rest = nextResync - clock.now();
      if (rest > 0) await sleep(clock, rest, stopping.signal);
      if (stopping.signal.aborted) break;
      const reason: string = pendingResync;
      // A message dropped from here on may be newer than what the receivers re-read: it needs another resync.
      pendingResync = undefined;
      wakeSignal.clear();
      try {
        await bus.publish(resyncTopic, { reason });
        nextResync = clock.now() + REST_MS;
        failures = 0;
        health.worked({ dropped });
        dropped = 0;
      } catch (error) {
        pendingResync = reason;
        failures++;
        health.failed(error);
      }
    }
    flushing = undefined;
  }

  return {
    async publish(topic, payload) {
      // Each try may take the bus's whole time limit, and one has already failed.
      if (!health.good) return drop(topic.name);
      // Without the id that its name ends with.
      const span = currentSpan()?.child(`publish ${topic.name.split(':', 1)[0]}`);
      try {
        await bus.publish(topic, payload);
        span?.end();
      } catch (error) {
        span?.end(error);
        health.failed(error);
        drop(topic.name);
      }
    },

    resync,
    settled: async () => flushing,

    async stop() {
      stopping.abort();
      unsubscribe();
      wakeSignal.wake();
      await flushing;
    },
  };
}

/**
 * Notifies the stream consumers of other processes that something was written, so that they do not wait for their
 * next poll. Only a hint: at most one is in flight, one more follows if something was written meanwhile, and a
 * lost one costs a poll interval.
 */
export function createWakeHints(bus: Bus): () => void {
  const send = coalesced(() => bus.publish(wakeTopic, null));
  return () => {
    if (!bus.up) return;
    send().catch(() => {
      // The bus logs its own outages.
    });
  };
}
