import { type Clock, sleep } from '../core/clock.ts';
import type { OutageLog } from '../core/log.ts';
import { CONSUMER_BACKOFF, retryUntilDone } from '../core/retry.ts';
import type { Streams } from '../dynamo/transport/streams.ts';
import { type Dispatcher, DispatchStopped } from './dispatcher.ts';
import { createFollowingReader, createShardFeed, type ShardFeed } from './followingReader.ts';
import { type Lease, LeaseLost } from './leases.ts';
import { retriedHealth } from './log.ts';
import { createReader, type Pacing, type ReaderEnd, type ReaderOptions } from './reader.ts';

export interface ShardWorkerOptions {
  readonly lease: Lease;
  /**
   * `rebuild`: the list of shards lacks it, although it was not read to its end. It is read if the stream still knows
   * it: a list may lack a shard that has just begun. Otherwise its changes are rebuilt from the table.
   */
  readonly work: 'read' | 'rebuild';
  /** For an optional group: the core group's pages of the same shard, if this process reads them. */
  readonly follow?: ShardFeed;
  readonly reading?: Pick<ReaderOptions, 'changeOf' | 'keepSpacing'>;
  readonly streams: Streams;
  readonly streamArn: string;
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>;
  readonly onTrimmed: (signal: AbortSignal) => Promise<unknown>;
  readonly pacing: Pacing;
  /** Milliseconds: the shortest and the longest time between two writes of the lease. */
  readonly timing: { readonly saveMs: number; readonly renewMs: number };
  readonly clock: Clock;
  readonly log: OutageLog;
  readonly stop: AbortSignal;
}

export interface ShardState {
  readonly shard: string;
  /** As last written to the table. */
  readonly checkpoint: string | undefined;
  readonly position: string | undefined;
  /** Milliseconds since the last request for the shard's records. */
  readonly polledMsAgo: number | undefined;
  /** The age of the oldest change that was read but is not handled yet. 0 if there is none. */
  readonly lagMs: number;
}

/** `lost`: another consumer has the lease. `failed`: the work threw an error, which was logged. */
export type WorkerEnd = ReaderEnd | 'lost' | 'failed';

/**
 * Works on one shard for one group of handlers, and keeps its lease: a write every `saveMs` while changes are handled,
 * and every `renewMs` otherwise, each with the current position. If the lease is lost, the work stops at once.
 */
export interface ShardWorker {
  /** Never rejects. By then the lease is finished, released or lost. */
  readonly ended: Promise<WorkerEnd>;
  wake(): void;
  /** See `Reader`. */
  expect(changes: number): void;
  /** Ends the work early, as the signal does. */
  stop(): void;
  /** The pages that this worker reads, for other groups to follow. */
  readonly feed: ShardFeed;
  state(): ShardState;
  readonly reachable: boolean;
  /** How many records were read. */
  readonly records: number;
}

export function startShardWorker(options: ShardWorkerOptions): ShardWorker {
  const { lease, work, streams, streamArn, dispatcher, onTrimmed, pacing, timing, clock, log, stop } =
    options;
  const { shard, checkpoint } = lease;
  const kept = retriedHealth(log, 'The lease table', { shard });
  const working = new AbortController();
  const keeping = new AbortController();
  const halt = () => working.abort();
  const feed = createShardFeed(checkpoint);
  const reading = {
    streams,
    streamArn,
    shard,
    checkpoint,
    pacing,
    clock,
    log,
    onTrimmed: rebuild,
    handle: dispatcher.dispatch,
    ...options.reading,
  };
  const reader =
    options.follow === undefined
      ? createReader({ ...reading, onPage: feed.publish, onGap: feed.gap })
      : createFollowingReader({ ...reading, feed: options.follow });

  /** Resolves when the rebuild is done or the signal is aborted. */
  async function rebuild(signal: AbortSignal): Promise<void> {
    log.warn({ shard }, 'Records were trimmed before they were read: rebuilding from the table');
    const halted = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await retryUntilDone(() => Promise.race([onTrimmed(signal), halted]), {
      clock,
      policy: CONSUMER_BACKOFF,
      signal,
      onFailure: (error) => log.error({ shard, err: error }, 'The rebuild failed and is repeated'),
    });
  }

  /** Resolves to whether the lease is still ours. */
  async function keep(): Promise<boolean> {
    let savedAt = clock.now();
    let savedChanges = 0;
    for (;;) {
      await sleep(clock, timing.saveMs, keeping.signal);
      if (keeping.signal.aborted) return true;
      const { changes, position } = reader;
      if (changes === savedChanges && clock.now() - savedAt < timing.renewMs) continue;
      try {
        await lease.renew(position);
        savedAt = clock.now();
        savedChanges = changes;
        kept.worked();
      } catch (error) {
        if (error instanceof LeaseLost) {
          halt();
          return false;
        }
        kept.failed(error);
      }
    }
  }

  async function perform(): Promise<ReaderEnd | 'failed'> {
    try {
      const end = await reader.run(working.signal);
      // Without any record no one knows whether some were trimmed.
      const isWhole = end === 'ended' && reader.position !== undefined;
      if (work === 'read' || end === 'stopped' || isWhole) return end;
      await rebuild(working.signal);
      return working.signal.aborted ? 'stopped' : 'ended';
    } catch (error) {
      if (error instanceof DispatchStopped) return 'stopped';
      log.error({ shard, err: error }, 'Work on a shard failed');
      return 'failed';
    }
  }

  async function run(): Promise<WorkerEnd> {
    stop.addEventListener('abort', halt, { once: true });
    if (stop.aborted) halt();
    const keeper = keep();
    const end = await perform();
    feed.close();
    keeping.abort();
    const ours = await keeper;
    stop.removeEventListener('abort', halt);
    if (!ours) {
      log.warn({ shard }, 'A lease was lost to another consumer');
      return 'lost';
    }
    try {
      if (end === 'ended') await lease.finish(reader.position);
      else await lease.release(reader.position);
    } catch (error) {
      // DynamoDB does not respond, and the lease becomes stale; or another consumer has it.
      log.warn({ shard, err: error }, 'A lease could not be released');
    }
    return end;
  }

  return {
    ended: run(),
    wake: reader.wake,
    expect: reader.expect,
    stop: halt,
    feed,
    state() {
      const { position, polledAt, behindSince } = reader;
      return {
        shard,
        checkpoint: lease.checkpoint,
        position,
        polledMsAgo: polledAt === undefined ? undefined : clock.now() - polledAt,
        lagMs: behindSince === undefined ? 0 : Math.max(0, Date.now() - behindSince),
      };
    },
    get reachable() {
      return reader.reachable && kept.good;
    },
    get records() {
      return reader.records;
    },
  };
}
