import { defined } from '../core/defined.ts';
import { groupBy } from '../core/groupBy.ts';
import type { Streams } from '../dynamo/transport/streams.ts';
import type { ObservedLease } from './leases.ts';

export interface Shard {
  readonly id: string;
  /** The shard whose items this one continues. It must be finished first. */
  readonly parent: string | undefined;
}

/** Every shard that the stream still has, open and closed ones. About 100 per request. */
export async function listShards(streams: Streams, streamArn: string): Promise<Shard[]> {
  const shards: Shard[] = [];
  let start: string | undefined;
  do {
    const ExclusiveStartShardId = start;
    const { StreamDescription } = await streams.send(
      'DescribeStream',
      defined({ StreamArn: streamArn, ExclusiveStartShardId }),
    );
    for (const { ShardId, ParentShardId } of StreamDescription?.Shards ?? []) {
      if (ShardId !== undefined) shards.push({ id: ShardId, parent: ParentShardId });
    }
    start = StreamDescription?.LastEvaluatedShardId;
  } while (start !== undefined);
  return shards;
}

export interface PlanInput {
  /** Read after the leases: what is not in it was dropped, and did not begin later. */
  readonly listed: readonly Shard[];
  readonly leases: readonly ObservedLease[];
  readonly owner: string;
  /** The shards that this consumer is working on. */
  readonly held: ReadonlySet<string>;
  /** No other process reads this stream: every other owner of a lease is dead. */
  readonly alone: boolean;
}

export interface Plan {
  /** Leases to try to take now. */
  readonly take: ReadonlyArray<{ readonly shard: string; readonly work: 'read' | 'rebuild' }>;
  /** Leases of finished shards that nothing refers to any more. */
  readonly forget: readonly string[];
  /** No change is expected soon: every shard is held here or finished, and every finished one has a child. */
  readonly settled: boolean;
}

/**
 * Decides what one consumer does next.
 *
 *  - A shard may be read when its parent is finished. So the changes of an item are handled in order.
 *  - A shard that the list no longer has and that no consumer finished was probably trimmed before it was read
 *    completely. If the stream does not know it any more, a rebuild restores its results from the table, under that
 *    shard's lease. So one consumer does it, and another one repeats it if the first dies. Then the shard is finished.
 *    Its children wait for that: otherwise their roots would get positions before the older ones that only the rebuild
 *    finds.
 *  - The first consumer takes a free or stale lease. A consumer that finds none takes one shard from the consumer with
 *    the most, if that one has at least two more: one at a time, until they are even.
 */
export function planShards({ listed, leases, owner, held, alone }: PlanInput): Plan {
  const leaseOf = new Map(leases.map((lease) => [lease.shard, lease]));
  const inStream = new Set(listed.map(({ id }) => id));
  const parents = new Set(listed.flatMap(({ parent }) => parent ?? []));
  const finished = (shard: string) => leaseOf.get(shard)?.finished === true;
  const open = (shard: string) => !finished(shard) && !held.has(shard);
  const free = (shard: string) => {
    const lease = leaseOf.get(shard);
    return lease?.owner === undefined || lease.owner === owner || lease.stale || alone;
  };

  const readable = listed.filter(({ id, parent }) => open(id) && (parent === undefined || finished(parent)));
  // A finished shard proves that its parent was finished, too, although that lease may have been forgotten.
  const needed = listed.flatMap(({ id, parent }) => (finished(id) ? [] : (parent ?? [])));
  const missed = new Set([...needed, ...leaseOf.keys()].filter((id) => !inStream.has(id) && open(id)));

  const take: Array<{ shard: string; work: 'read' | 'rebuild' }> = [
    ...[...missed].filter(free).map((shard) => ({ shard, work: 'rebuild' as const })),
    ...readable.filter(({ id }) => free(id)).map(({ id }) => ({ shard: id, work: 'read' as const })),
  ];
  if (take.length === 0) {
    const surplus = surplusOf(
      readable.flatMap(({ id }) => leaseOf.get(id) ?? []),
      held.size,
    );
    if (surplus !== undefined) take.push({ shard: surplus, work: 'read' });
  }

  return {
    take,
    forget: leases
      .filter((lease) => lease.finished && !inStream.has(lease.shard) && !parents.has(lease.shard))
      .map((lease) => lease.shard),
    settled: missed.size === 0 && listed.every(({ id }) => held.has(id) || (finished(id) && parents.has(id))),
  };
}

/** One lease of the owner that has the most, if that is at least two more than `ours`. */
function surplusOf(leases: readonly ObservedLease[], ours: number): string | undefined {
  const owned = leases.filter(({ owner }) => owner !== undefined);
  const byOwner = groupBy(owned, ({ owner = '' }) => owner);
  const [largest = []] = [...byOwner.values()].sort((a, b) => b.length - a.length);
  return largest.length >= ours + 2 ? largest[0]?.shard : undefined;
}
