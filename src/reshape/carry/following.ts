import { type Clock, sleep, systemClock } from '../../core/clock.ts';
import { newId } from '../../core/ids.ts';
import type { OutageLog } from '../../core/log.ts';
import { secondsOf } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { keyOf, keys } from '../../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../../dynamo/table.ts';
import type { Change } from '../../stream/change.ts';
import { createConsumer } from '../../stream/consumer.ts';
import { DispatchStopped } from '../../stream/dispatcher.ts';
import { createLeases, leaseOwner } from '../../stream/leases.ts';
import type { Pacing } from '../../stream/reader.ts';
import { keyOfRecord, streamLabel } from '../../stream/records.ts';
import { listShards } from '../../stream/shards.ts';
import type { Carrier } from './carrier.ts';
import { CHUNK } from './copying.ts';
import type { Persist } from './persist.ts';
import { isCarried, type Side, type Sides } from './sides.ts';

/** Parts of a page that are carried side by side. */
const WORKERS = 8;
/** Sentinels that are written at a time, for each shard that has not shown one. */
const SENTINELS = 4;
/** From one look for them to the next, in milliseconds. */
const LOOK_MS = 250;
/** Sentinels are deleted. If the process ends before that, they expire. */
const SENTINEL_SECONDS = 3_600;

export interface FollowingOptions {
  readonly sides: Sides;
  readonly carrier: Carrier;
  readonly pacing: Pacing;
  readonly log: OutageLog;
  readonly persist: Persist;
  /** Changes were trimmed before they were read. */
  readonly onTrimmed: () => Promise<void>;
  readonly clock?: Clock;
}

export type Following = ReturnType<typeof createFollowing>;

/**
 * Carries the key of each record of the source's stream. Its checkpoints are in the target, so a run that is killed
 * continues after them. It begins at the oldest record, so it does not matter what was copied before it began.
 */
export function createFollowing(options: FollowingOptions) {
  const { sides, carrier, pacing, log, persist, onTrimmed, clock = systemClock } = options;
  const { source, target } = sides;
  const leases = `carry ${streamLabel(source.streamArn)}`;
  /** The sentinels that were read, by shard. Everything before them in the shard is carried. */
  const shown = new Map<string, Set<string>>();

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
    for (const { key, shard = '' } of changes) {
      if (key.type !== 'sentinel') continue;
      const ids = shown.get(shard) ?? new Set();
      shown.set(shard, ids.add(key.id));
    }
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

  /** Resolves when everything that was written to the source before the call is carried. */
  async function drained(signal: AbortSignal): Promise<void> {
    const observed = createLeases({ dynamo: target.dynamo, stream: leases, owner: leaseOwner(), clock });
    await withSentinels(source.dynamo, async (write) => {
      while (!signal.aborted) {
        const [shards, states] = await Promise.all([
          listShards(source.streams, source.streamArn),
          observed.list(),
        ]);
        const finished = new Set(states.filter((state) => state.finished).map(({ shard }) => shard));
        const ids = await write(0);
        const hasShown = (shard: string) => [...(shown.get(shard) ?? [])].some((id) => ids.has(id));
        const left = shards.filter(({ id }) => !finished.has(id) && !hasShown(id));
        if (left.length === 0 && ids.size > 0) return;
        await write(left.length * SENTINELS);
        await sleep(clock, LOOK_MS, signal);
      }
    });
  }

  return {
    start: consumer.start,
    stop: consumer.stop,
    drained,
    lagMs: () => consumer.state().lagMs,
  };
}

/**
 * Writes that everything in the stream of this side is handled, so the first consumer begins behind it: a checkpoint for
 * each shard that is open, at a sentinel, and the end for all others.
 */
export async function skipStream({ dynamo, streams, streamArn }: Side, clock = systemClock): Promise<void> {
  const stream = streamLabel(streamArn);
  const ends = await withSentinels(dynamo, async (write) => {
    for (;;) {
      const found = await sentinelsIn({ streams, streamArn }, write, clock);
      if (found !== undefined) return found;
    }
  });
  const leases = createLeases({ dynamo, stream, owner: leaseOwner(), clock });
  const counters = new Map((await leases.list()).map(({ shard, counter }) => [shard, counter]));
  for (const [shard, checkpoint] of ends) {
    const counter = (counters.get(shard) ?? 0) + 1;
    const where = checkpoint === undefined ? { finished: true } : { checkpoint };
    await dynamo.put({ ...keys.shard(stream, shard), v: SCHEMA_VERSION, counter, ...where });
  }
}

/** A sentinel's place in each open shard, and undefined for the others. Undefined if a shard has ended meanwhile. */
async function sentinelsIn(
  { streams, streamArn }: Pick<Side, 'streams' | 'streamArn'>,
  write: WriteSentinels,
  clock: Clock,
): Promise<Map<string, string | undefined> | undefined> {
  const shards = await listShards(streams, streamArn);
  const parents = new Set(shards.flatMap(({ parent }) => parent ?? []));
  const ends = new Map<string, string | undefined>([...parents].map((id) => [id, undefined]));
  const iterators = new Map<string, string | undefined>();
  for (const { id } of shards) {
    if (parents.has(id)) continue;
    const latest = { StreamArn: streamArn, ShardId: id, ShardIteratorType: 'LATEST' as const };
    iterators.set(id, (await streams.send('GetShardIterator', latest)).ShardIterator);
  }
  while (iterators.size > 0) {
    const ids = await write(iterators.size * SENTINELS);
    for (const [id, ShardIterator = ''] of iterators) {
      const { Records = [], NextShardIterator } = await streams.send('GetRecords', { ShardIterator });
      const sentinel = Records.map((record) => keyOfRecord(record, '', id)).find(
        (change) => change?.key.type === 'sentinel' && ids.has(change.key.id),
      );
      if (sentinel === undefined && NextShardIterator === undefined) return undefined;
      if (sentinel === undefined) iterators.set(id, NextShardIterator);
      else {
        ends.set(id, sentinel.sequence);
        iterators.delete(id);
      }
    }
    if (iterators.size > 0) await sleep(clock, LOOK_MS);
  }
  return ends;
}

/** Writes this many more, under random keys, so they are spread over the shards. Resolves to the ids of all of them. */
type WriteSentinels = (count: number) => Promise<Set<string>>;

async function withSentinels<T>(dynamo: Dynamo, work: (write: WriteSentinels) => Promise<T>): Promise<T> {
  const ids = new Set<string>();
  async function write(count: number): Promise<Set<string>> {
    const expiresAt = secondsOf(Date.now()) + SENTINEL_SECONDS;
    const fresh = Array.from({ length: count }, newId);
    for (const id of fresh) await dynamo.put({ ...keys.sentinel(id), v: SCHEMA_VERSION, expiresAt });
    for (const id of fresh) ids.add(id);
    return ids;
  }
  try {
    return await work(write);
  } finally {
    for (const id of ids) await dynamo.remove(keys.sentinel(id));
  }
}
