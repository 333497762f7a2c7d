import { type Clock, systemClock } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import type { OutageLog } from '../../core/log.ts';
import { keyOf, keys } from '../../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../../dynamo/table.ts';
import type { Change } from '../../stream/change.ts';
import { createConsumer } from '../../stream/consumer.ts';
import { DispatchStopped } from '../../stream/dispatcher.ts';
import { createLeases, leaseOwner } from '../../stream/leases.ts';
import type { Pacing } from '../../stream/reader.ts';
import { keyOfRecord, streamLabel } from '../../stream/records.ts';
import type { Carrier } from './carrier.ts';
import { CHUNK } from './copying.ts';
import type { Persist } from './persist.ts';
import { createSentinelWatch, type SentinelsAtEndOptions, sentinelsAtEnd } from './sentinels.ts';
import { isCarried, type Side, type Sides } from './sides.ts';

/** Parts of a page that are carried side by side. */
const WORKERS = 8;
export interface FollowingOptions {
  readonly sides: Sides;
  readonly carrier: Carrier;
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
  const { sides, carrier, pacing, log, persist, onTrimmed, lookMs, clock = systemClock } = options;
  const { source, target } = sides;
  const leases = `carry ${streamLabel(source.streamArn)}`;
  const sentinels = createSentinelWatch({
    side: source,
    leases: createLeases({ dynamo: target.dynamo, stream: leases, owner: leaseOwner(), clock }),
    ...defined({ clock, lookMs }),
    onWrite: () => consumer.wake(),
  });

  async function dispatch(changes: readonly Change[], signal?: AbortSignal): Promise<void> {
    const carried = changes.map(({ new: item = {} }) => keyOf(item)).filter(isCarried);
    const chunks = Array.from({ length: Math.ceil(carried.length / CHUNK) }, (_, i) =>
      carried.slice(i * CHUNK, (i + 1) * CHUNK),
    );
    let isDone = true;
    async function worker(): Promise<void> {
      // All workers take from one list.
      for (let chunk = chunks.pop(); chunk !== undefined && isDone; chunk = chunks.pop()) {
        const keys = chunk;
        isDone = (await persist(() => carrier.carry(keys))) && isDone;
      }
    }
    await Promise.all(Array.from({ length: WORKERS }, worker));
    if (signal?.aborted === true || !isDone) throw new DispatchStopped(changes[0] as Change);
    sentinels.handled(changes);
  }

  const consumer = createConsumer({
    ...{ streams: source.streams, streamArn: source.streamArn, dynamo: target.dynamo, leases },
    ...{ dispatcher: { dispatch, deadLetterCount: 0 }, pacing, log, clock },
    // The lock of the table is for that.
    alone: true,
    onTrimmed,
    // A full page waits as well: the shard has another reader, the one of the servers.
    reading: { changeOf: keyOfRecord, keepSpacing: true },
  });

  return {
    start: consumer.start,
    stop: consumer.stop,
    /** Resolves when everything that was written to the source before the call is carried, or after the signal is aborted. */
    drained: (signal: AbortSignal): Promise<void> => sentinels.passed(signal),
    lagMs: () => consumer.state().lagMs,
  };
}

/**
 * Writes that everything in the stream of this side is handled, so the first consumer begins behind it: a checkpoint for
 * each shard that is open, at a sentinel, and the end for all others.
 */
export async function skipStream(
  { dynamo, streams, streamArn }: Side,
  options: SentinelsAtEndOptions = {},
): Promise<void> {
  const { clock = systemClock } = options;
  const stream = streamLabel(streamArn);
  const ends = await sentinelsAtEnd({ dynamo, streams, streamArn }, options);
  const leases = createLeases({ dynamo, stream, owner: leaseOwner(), clock });
  const counters = new Map((await leases.list()).map(({ shard, counter }) => [shard, counter]));
  for (const [shard, checkpoint] of ends) {
    const counter = (counters.get(shard) ?? 0) + 1;
    const where = checkpoint === undefined ? { finished: true } : { checkpoint };
    await dynamo.put({ ...keys.shard(stream, shard), v: SCHEMA_VERSION, counter, ...where });
  }
}
