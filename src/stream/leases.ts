/**
 * Which consumer reads which shard, and its checkpoint: one item for each shard of the stream, and for each group of
 * handlers.
 *
 *   owner A   take 1 ── renew 2 ── renew 3 ─── (stalls) ─────────────────── renew 3→4: refused, lost
 *   owner B              sees 2     sees 3 ──── 3 ──── 3 for 10 s: take 4 ── renew 5 ── …
 *
 * Every write raises the item's `counter` by one, on the condition that it still has the previous value: a compare
 * and swap. So there is one order of owners and checkpoints, a late writer is always refused, and a request that
 * the SDK sends twice changes nothing the second time.
 *
 * A lease is lost when its counter has not changed for `lostAfterMs` on the *observer's* clock. No timestamp is
 * written or compared, because the clocks of two machines differ. An owner that was only slow continues for a moment
 * next to the new one. That is harmless, because what handlers derive is idempotent; only the checkpoint must have
 * one writer. (An owner does not stop by itself either when it cannot renew: without DynamoDB it can neither read
 * nor derive anything.)
 *
 * An idle owner renews every few seconds and writes its position as well, so the checkpoint of an idle shard
 * never becomes older than the stream's 24 hours.
 */

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type Clock, systemClock } from '../core/clock.ts';
import { defined } from '../core/defined.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ConditionFailed, ifConditionHolds } from '../dynamo/errors.ts';
import type { Item } from '../dynamo/item.ts';
import { type Key, keys, parseKey, ranges } from '../dynamo/keys.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import { compareSequences } from './records.ts';

export interface LeasesOptions {
  readonly dynamo: Pick<Dynamo, 'query' | 'put' | 'update' | 'remove'>;
  /** The stream's label. */
  readonly stream: string;
  /** Unique among all consumers that ever read this stream: two with one name would accept each other's writes. */
  readonly owner: string;
  readonly lostAfterMs?: number;
  readonly clock?: Clock;
}

/** A lease as other consumers see it. */
export interface LeaseState {
  readonly shard: string;
  /** Absent: free. */
  readonly owner: string | undefined;
  readonly counter: number;
  /** Everything up to this sequence number has been handled. Absent: nothing has. */
  readonly checkpoint: string | undefined;
  /** The shard was read to its end. */
  readonly finished: boolean;
}

export interface ObservedLease extends LeaseState {
  /** Its counter has not changed for `lostAfterMs`: its owner counts as dead. */
  readonly stale: boolean;
  /** Milliseconds until it is stale if its counter does not change. */
  readonly staleInMs: number;
}

/** Thrown to an owner if another consumer has its lease. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** A lease that is ours until a call throws `LeaseLost`. One call at a time. */
export interface Lease {
  readonly shard: string;
  /** As last written. Never moves back. */
  readonly checkpoint: string | undefined;
  /** Shows that the owner is alive and, with a sequence number, that everything up to it is handled. */
  renew(checkpoint?: string): Promise<void>;
  /** Gives the shard back. Any consumer may take it at once. */
  release(checkpoint?: string): Promise<void>;
  /** The shard is read to its end: its children may be read. */
  finish(checkpoint?: string): Promise<void>;
}

export interface Leases {
  /** Reads all leases of the stream and compares their counters with those seen before. */
  list(): Promise<ObservedLease[]>;
  /**
   * Takes a shard over from its owner, if the lease is still as it was last listed. Undefined if it has changed:
   * another consumer was first, or the owner is alive.
   */
  take(shard: string): Promise<Lease | undefined>;
  /** Forgets a finished shard. */
  remove(shard: string): Promise<void>;
}

/** A name that no other process has, and that says where this one runs. */
export const leaseOwner = (): string => `${hostname()}:${process.pid}:${randomUUID()}`;

const NAMES = { '#v': 'v', '#owner': 'owner', '#counter': 'counter' };
const PAGE = 100;
/** Each attempt learns the counter that one of our own writes has set whose response was lost. */
const SWAP_ATTEMPTS = 3;

export function createLeases({
  dynamo,
  stream,
  owner,
  lostAfterMs = 10_000,
  clock = systemClock,
}: LeasesOptions): Leases {
  /** The last listed state of each lease, and when its counter was first seen. */
  let seen = new Map<string, { readonly state: LeaseState; readonly since: number }>();

  async function list(): Promise<ObservedLease[]> {
    const states: LeaseState[] = [];
    for (let after: string | undefined, more = true; more; ) {
      const page = await dynamo.query(ranges.shards(stream), defined({ limit: PAGE, after }));
      states.push(...page.items.flatMap(stateOf));
      const last = page.items.at(-1);
      after = last === undefined ? undefined : String(last.sk);
      more = page.more && after !== undefined;
    }
    const now = clock.now();
    const before = seen;
    seen = new Map(
      states.map((state) => {
        const known = before.get(state.shard);
        const since = known?.state.counter === state.counter ? known.since : now;
        return [state.shard, { state, since }];
      }),
    );
    return [...seen.values()].map(({ state, since }) => {
      // The age first, because it is exactly 0 for a lease that is seen for the first time.
      const staleInMs = Math.max(0, lostAfterMs - (now - since));
      return { ...state, stale: staleInMs === 0, staleInMs };
    });
  }

  async function take(shard: string): Promise<Lease | undefined> {
    const key = keys.shard(stream, shard);
    const before = seen.get(shard)?.state;
    const counter = (before?.counter ?? 0) + 1;
    try {
      if (before === undefined) {
        await dynamo.put(
          { ...key, v: FIRST_SHAPE, owner, counter },
          { condition: 'attribute_not_exists(#pk)', names: { '#pk': 'pk' } },
        );
      } else {
        await dynamo.update(key, {
          update: 'SET #v = :v, #owner = :owner, #counter = :next',
          condition: '#counter = :counter AND attribute_not_exists(#finished)',
          names: { ...NAMES, '#finished': 'finished' },
          values: { ':v': FIRST_SHAPE, ':owner': owner, ':next': counter, ':counter': before.counter },
        });
      }
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const [now] = stateOf(error.item ?? {});
      // Ours already: the response to this same request was lost and the SDK sent it again.
      if (now?.owner !== owner || now.counter !== counter) return undefined;
    }
    return leaseOf({ key, shard, counter, checkpoint: before?.checkpoint });
  }

  async function remove(shard: string): Promise<void> {
    // If the condition fails, it was removed already, or is not finished. Another consumer deals with both.
    await ifConditionHolds(
      dynamo.remove(keys.shard(stream, shard), {
        condition: 'attribute_exists(#finished)',
        names: { '#finished': 'finished' },
      }),
    );
  }

  function leaseOf(held: {
    readonly key: Key;
    readonly shard: string;
    counter: number;
    checkpoint: string | undefined;
  }): Lease {
    const { key, shard } = held;

    /** Raises the counter from the value that we wrote last, and sets or removes the other attributes. */
    async function swap(step: 'renew' | 'release' | 'finish', position: string | undefined): Promise<void> {
      const checkpoint = later(held.checkpoint, position);
      for (let attempt = 1; ; attempt++) {
        const next = held.counter + 1;
        const set = [
          '#v = :v',
          '#counter = :next',
          ...(checkpoint === undefined ? [] : ['#checkpoint = :checkpoint']),
          ...(step === 'finish' ? ['#finished = :finished'] : []),
        ];
        try {
          await dynamo.update(key, {
            update: `SET ${set.join(', ')}${step === 'renew' ? '' : ' REMOVE #owner'}`,
            condition: '#counter = :counter AND #owner = :owner',
            names: {
              ...NAMES,
              ...defined({
                '#checkpoint': checkpoint === undefined ? undefined : 'checkpoint',
                '#finished': step === 'finish' ? 'finished' : undefined,
              }),
            },
            values: {
              ':v': FIRST_SHAPE,
              ':next': next,
              ':counter': held.counter,
              ':owner': owner,
              ...defined({ ':checkpoint': checkpoint, ':finished': step === 'finish' ? true : undefined }),
            },
          });
        } catch (error) {
          if (!(error instanceof ConditionFailed)) throw error;
          const [now] = stateOf(error.item ?? {});
          // Only its owner releases a lease: this write was done, and its response was lost.
          const givenUp = step !== 'renew' && now?.owner === undefined && now?.counter === next;
          if (!givenUp) {
            if (now?.owner !== owner || attempt === SWAP_ATTEMPTS) throw new LeaseLost(`of shard ${shard}`);
            // An earlier write of ours was done, but its response was lost: continue from there.
            held.counter = now.counter;
            if (step === 'renew' && now.counter === next && now.checkpoint === checkpoint) {
              held.checkpoint = checkpoint;
              return;
            }
            continue;
          }
        }
        held.counter = next;
        held.checkpoint = checkpoint;
        return;
      }
    }

    return {
      shard,
      get checkpoint() {
        return held.checkpoint;
      },
      renew: (checkpoint) => swap('renew', checkpoint),
      release: (checkpoint) => swap('release', checkpoint),
      finish: (checkpoint) => swap('finish', checkpoint),
    };
  }

  return { list, take, remove };
}

const later = (a: string | undefined, b: string | undefined): string | undefined =>
  a === undefined || (b !== undefined && compareSequences(b, a) > 0) ? b : a;

function stateOf(item: Item): LeaseState[] {
  const key = parseKey({ pk: String(item.pk), sk: String(item.sk) });
  if (key.type !== 'shard') return [];
  return [
    {
      shard: key.shard,
      owner: item.owner as string | undefined,
      counter: Number(item.counter),
      checkpoint: item.checkpoint as string | undefined,
      finished: item.finished === true,
    },
  ];
}
