import { DescribeStreamCommand, type DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { TIMEOUTS } from '../dynamo/client.ts';
import type { ObservedLease } from './leases.ts';

export interface Shard {
  readonly id: string;
  /** The shard whose items this one carries on: to be read to its end first. */
  readonly parent: string | undefined;
}

/** Every shard that the stream still has, open and closed ones. About 100 a round trip. */
export async function listShards(streams: DynamoDBStreamsClient, streamArn: string): Promise<Shard[]> {
  const shards: Shard[] = [];
  let start: string | undefined;
  do {
    const ExclusiveStartShardId = start;
    const { StreamDescription } = await streams.send(
      new DescribeStreamCommand({
        StreamArn: streamArn,
        ...(ExclusiveStartShardId === undefined ? {} : { ExclusiveStartShardId }),
      }),
      { abortSignal: AbortSignal.timeout(TIMEOUTS.callMs) },
    );
    for (const { ShardId, ParentShardId } of StreamDescription?.Shards ?? []) {
      if (ShardId !== undefined) shards.push({ id: ShardId, parent: ParentShardId });
    }
    start = StreamDescription?.LastEvaluatedShardId;
  } while (start !== undefined);
  return shards;
}

export interface PlanInput {
  readonly listed: readonly Shard[];
  readonly leases: readonly ObservedLease[];
  readonly owner: string;
  /** The shards that this consumer is working on. */
  readonly held: ReadonlySet<string>;
  /** Nobody else reads this stream: whoever else has a lease is dead. */
  readonly alone: boolean;
}

export interface Plan {
  /** Leases to try for now. */
  readonly take: ReadonlyArray<{ readonly shard: string; readonly work: 'read' | 'repair' }>;
  /** Leases of shards that are over and that nothing refers to any more. */
  readonly forget: readonly string[];
  /** Nothing is expected to change soon: every shard is ours or finished, and every finished one has a child. */
  readonly settled: boolean;
}

/**
 * Decides what one consumer does next.
 *
 *  - A shard may be read once its parent is finished, or is not in the stream any more: its items then
 *    came before these, and an item's changes are handled in order.
 *  - A shard that the stream no longer has and that nobody finished was trimmed, read only in part or not
 *    at all: what it held is made good by the repair, under that shard's lease, so that one consumer does
 *    it and it is done again if that one dies. Readers need not wait for it.
 *  - Free and stale leases are for whoever comes first. A consumer that finds nothing free takes one shard
 *    from the one that has the most, where that has at least two more: one a look, until they are even.
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

  const readable = listed.filter(
    ({ id, parent }) => open(id) && (parent === undefined || !inStream.has(parent) || finished(parent)),
  );
  const missed = new Set([...parents, ...leaseOf.keys()].filter((id) => !inStream.has(id) && open(id)));

  const take: Array<{ shard: string; work: 'read' | 'repair' }> = [
    ...[...missed].filter(free).map((shard) => ({ shard, work: 'repair' as const })),
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

/** One lease of the owner that has the most, if that is at least two more than `mine`. */
function surplusOf(leases: readonly ObservedLease[], mine: number): string | undefined {
  const byOwner = new Map<string, string[]>();
  for (const { owner, shard } of leases) {
    if (owner !== undefined) byOwner.set(owner, [...(byOwner.get(owner) ?? []), shard]);
  }
  const [richest = []] = [...byOwner.values()].sort((a, b) => b.length - a.length);
  return richest.length >= mine + 2 ? richest[0] : undefined;
}
