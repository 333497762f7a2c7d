import { type Clock, systemClock } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import type { OutageLog } from '../../core/log.ts';
import { keyName, keyOf } from '../../dynamo/keys.ts';
import type { Change } from '../../stream/change.ts';
import { createConsumer } from '../../stream/consumer.ts';
import { DispatchStopped } from '../../stream/dispatcher.ts';
import { createLeases, leaseOwner } from '../../stream/leases.ts';
import type { Pacing } from '../../stream/reader.ts';
import { keyOfRecord, streamLabel } from '../../stream/records.ts';
import { TIMERS_STREAM } from '../../timers/host.ts';
import type { Carrier } from './carrier.ts';
import { CHUNK } from './copying.ts';
import type { Persist } from './persist.ts';
import { createSentinelWatch, type SentinelsAtEndOptions, sentinelsAtEnd } from './sentinels.ts';
import { isCarried, type Side, type Sides } from './sides.ts';

export interface FollowingOptions {
  readonly sides: Sides;
  /** Parts of a page are carried side by side, one by each of them. */
  readonly carriers: readonly Carrier[];
  readonly pacing: Pacing;
  readonly log: OutageLog;
  readonly persist: Persist;
  /** Changes were trimmed before they were read. */
  readonly onTrimmed: () => Promise<void>;
  readonly clock?: Clock;
  /** See `SentinelWatchOptions`. */
  readonly lookMs?: number | undefined;
}

export type Following = ReturnType<typeof createFollowing>;

/**
 * Carries the key of each record of the source's stream. Its checkpoints are in the target, so a run that is killed
 * continues after them. It begins at the oldest record, so it does not matter what was copied before it began.
 */
export function createFollowing(options: FollowingOptions) {
  const { sides, carriers, pacing, log, persist, onTrimmed, lookMs, clock = systemClock } = options;
  const { source, target } = sides;
  const leases = `carry ${streamLabel(source.streamArn)}`;
  const sentinels = createSentinelWatch({
    side: source,
    leases: createLeases({ dynamo: target.dynamo, stream: leases, owner: leaseOwner(), clock }),
    ...defined({ clock, lookMs }),
    onWrite: () => consumer.wake(),
  });

  async function dispatch(changes: readonly Change[], signal?: AbortSignal): Promise<void> {
    const all = changes.map(({ new: item = {} }) => keyOf(item)).filter(isCarried);
    // Each once: transactions of different workers that write the same item would be in each other's way.
    const carried = [...new Map(all.map((key) => [keyName(key), key])).values()];
    const chunks = Array.from({ length: Math.ceil(carried.length / CHUNK) }, (_, i) =>
      carried.slice(i * CHUNK, (i + 1) * CHUNK),
    );
    let isDone = true;
    async function worker(carrier: Carrier): Promise<void> {
      // All workers take from one list.
      for (let chunk = chunks.pop(); chunk !== undefined && isDone; chunk = chunks.pop()) {
        const keys = chunk;
        isDone = (await persist(() => carrier.carry(keys))) && isDone;
      }
    }
    await Promise.all(carriers.map(worker));
    if (signal?.aborted === true || !isDone) throw new DispatchStopped(changes[0] as Change);
    sentinels.handled(changes);
  }

  const consumer = createConsumer({
    streams: source.streams,
    streamArn: source.streamArn,
    dynamo: target.dynamo,
    leases,
    dispatcher: { dispatch, deadLetterCount: 0 },
    pacing,
    log,
    clock,
    // The lock of the table is for that.
    alone: true,
    onTrimmed,
    // A full page waits as well: the shard has another reader, the one of the servers.
    reading: { changeOf: keyOfRecord, keepSpacing: true },
  });

  return {
    start: consumer.start,
    stop: consumer.stop,
    /**
     * Resolves when everything that was written to the source before the call is carried, or after the signal is
     * aborted.
     */
    drained: (signal: AbortSignal): Promise<void> => sentinels.passed(signal),
    lagMs: () => consumer.state().lagMs,
  };
}

export interface SkipOptions extends SentinelsAtEndOptions {
  /** Asked before the first lease is taken. Rejects if that may not be done any more. */
  readonly mayTake?: () => Promise<void>;
}

/**
 * Writes that everything in the stream of this side is handled, so the first consumer begins behind it: a checkpoint
 * for each shard that is open, at a sentinel, and the end for all others. Leases of processes that used the table
 * before are free then. Rejects if the signal is aborted, or with what `mayTake` rejects with.
 */
export async function skipStream(
  { dynamo, streams, streamArn }: Side,
  options: SkipOptions = {},
): Promise<void> {
  const { clock = systemClock, signal, mayTake } = options;
  const leasesOf = (stream: string) => createLeases({ dynamo, stream, owner: leaseOwner(), clock });
  const [leases, timers] = [leasesOf(streamLabel(streamArn)), leasesOf(TIMERS_STREAM)];
  const ends = await sentinelsAtEnd({ dynamo, streams, streamArn }, options);
  const before = await leases.list();
  const finished = new Set(before.filter((state) => state.finished).map(({ shard }) => shard));
  // Those that the stream has no more are from the time when the table was in use before: nothing of them is missing.
  const shards = new Set([...before.map(({ shard }) => shard), ...ends.keys()]);
  const openTimers = await timers.list();
  // In this order: a lease that another process has taken since it was listed is not taken from it.
  signal?.throwIfAborted();
  await mayTake?.();
  await Promise.all([
    ...[...shards].map(async (shard) => {
      const checkpoint = ends.get(shard);
      if (finished.has(shard)) return;
      const lease = await leases.take(shard);
      if (checkpoint === undefined) await lease?.finish();
      else await lease?.release(checkpoint);
    }),
    ...openTimers.map(async ({ shard, owner }) => {
      if (owner !== undefined) await (await timers.take(shard))?.release();
    }),
  ]);
}
