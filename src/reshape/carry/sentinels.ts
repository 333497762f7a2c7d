import { type Clock, sleep, systemClock } from '../../core/clock.ts';
import { newId } from '../../core/ids.ts';
import { secondsOf } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { keys } from '../../dynamo/keys.ts';
import { FIRST_SHAPE } from '../../dynamo/shapes.ts';
import type { Streams } from '../../dynamo/transport/streams.ts';
import type { Change } from '../../stream/change.ts';
import type { Leases } from '../../stream/leases.ts';
import { keyOfRecord } from '../../stream/records.ts';
import { listShards } from '../../stream/shards.ts';

/** Sentinels that are written at a time, for each shard that has not shown one. */
const SENTINELS = 4;
/** From one look for them to the next, in milliseconds, if no request waits for it. */
const LOOK_MS = 250;
/** From one writing of them to the next, in milliseconds. It doubles, because a consumer may have hours to read. */
const WRITE_LONGEST_MS = 10_000;
const DELETED_AT_ONCE = 25;
/** Sentinels are deleted. If the process ends before that, they expire. */
const SENTINEL_SECONDS = 3_600;

/** A table and its stream. */
export interface StreamSide {
  readonly dynamo: Pick<Dynamo, 'put' | 'remove'>;
  readonly streams: Streams;
  readonly streamArn: string;
}

export interface SentinelWatchOptions {
  readonly side: StreamSide;
  /** The leases of the consumer that reads the stream say which shards it has finished. */
  readonly leases: Pick<Leases, 'list'>;
  readonly clock?: Clock;
  /** From one look for them to the next, in milliseconds. */
  readonly lookMs?: number | undefined;
  /** Called when some were written: the consumer need not wait for its next poll. */
  readonly onWrite?: () => void;
}

/**
 * Finds out when a consumer has handled everything that was written before: each open shard has shown it a sentinel, an
 * item that was written later.
 */
export function createSentinelWatch(options: SentinelWatchOptions) {
  const { side, leases, clock = systemClock, lookMs = LOOK_MS, onWrite } = options;
  const { dynamo, streams, streamArn } = side;
  /** The ids of those that were read, by shard. Everything before them in the shard is handled. */
  const shown = new Map<string, Set<string>>();
  return {
    /** To be called with all changes, when they are handled. */
    handled(changes: readonly Change[]): void {
      for (const { key, shard = '' } of changes) {
        if (key.type !== 'sentinel') continue;
        const ids = shown.get(shard) ?? new Set();
        shown.set(shard, ids.add(key.id));
      }
    },
    /** Resolves when everything that was written before the call is handled, or after the signal is aborted. */
    async passed(signal: AbortSignal): Promise<void> {
      await withSentinels(dynamo, async (write) => {
        let writeAt = clock.now();
        let pause = lookMs;
        while (!signal.aborted) {
          const [shards, states] = await Promise.all([listShards(streams, streamArn), leases.list()]);
          const finished = new Set(states.filter((state) => state.finished).map(({ shard }) => shard));
          const ids = await write(0);
          const hasShown = (shard: string) => [...(shown.get(shard) ?? [])].some((id) => ids.has(id));
          const left = shards.filter(({ id }) => !finished.has(id) && !hasShown(id));
          if (left.length === 0 && ids.size > 0) return;
          if (clock.now() >= writeAt) {
            await write(left.length * SENTINELS);
            onWrite?.();
            writeAt = clock.now() + pause;
            pause = Math.min(2 * pause, WRITE_LONGEST_MS);
          }
          await sleep(clock, lookMs, signal);
        }
      });
    },
  };
}

export interface SentinelsAtEndOptions {
  readonly clock?: Clock | undefined;
  /** From one look for them to the next, in milliseconds. */
  readonly lookMs?: number | undefined;
  /** Rejects as soon as it is aborted. Default: never. */
  readonly signal?: AbortSignal | undefined;
}

/** A sentinel's place in each shard that is open, and undefined for the others. */
export async function sentinelsAtEnd(
  { dynamo, streams, streamArn }: StreamSide,
  { clock = systemClock, lookMs = LOOK_MS, signal }: SentinelsAtEndOptions = {},
): Promise<Map<string, string | undefined>> {
  return withSentinels(dynamo, async (write) => {
    for (;;) {
      const found = await sentinelsIn({ streams, streamArn }, write, { clock, lookMs, signal });
      if (found !== undefined) return found;
    }
  });
}

/** Undefined if a shard has ended meanwhile. */
async function sentinelsIn(
  { streams, streamArn }: Pick<StreamSide, 'streams' | 'streamArn'>,
  write: WriteSentinels,
  { clock, lookMs, signal }: SentinelsAtEndOptions & { readonly clock: Clock; readonly lookMs: number },
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
    signal?.throwIfAborted();
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
    if (iterators.size > 0) await sleep(clock, lookMs, signal);
  }
  return ends;
}

/** Writes this many more, under random keys, so they are spread over the shards. Resolves to the ids of all of them. */
type WriteSentinels = (count: number) => Promise<Set<string>>;

async function withSentinels<T>(
  dynamo: StreamSide['dynamo'],
  work: (write: WriteSentinels) => Promise<T>,
): Promise<T> {
  const ids = new Set<string>();
  async function write(count: number): Promise<Set<string>> {
    const expiresAt = secondsOf(Date.now()) + SENTINEL_SECONDS;
    const fresh = Array.from({ length: count }, newId);
    for (const id of fresh) await dynamo.put({ ...keys.sentinel(id), v: FIRST_SHAPE, expiresAt });
    for (const id of fresh) ids.add(id);
    return ids;
  }
  try {
    return await work(write);
  } finally {
    const all = [...ids];
    for (let i = 0; i < all.length; i += DELETED_AT_ONCE) {
      await Promise.all(all.slice(i, i + DELETED_AT_ONCE).map((id) => dynamo.remove(keys.sentinel(id))));
    }
  }
}
