import { sleep } from '../core/clock.ts';
import { defined } from '../core/defined.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { ShardFeed } from './followingReader.ts';
import type { Lease, LeaseState, Leases, ObservedLease } from './leases.ts';
import type { Plan, Shard } from './shards.ts';
import {
  type ShardState,
  type ShardWorker,
  type ShardWorkerOptions,
  startShardWorker,
  type WorkerEnd,
} from './shardWorker.ts';

/** Handlers that share a checkpoint. */
export interface HandlerGroup {
  readonly dispatcher: Dispatcher;
  /**
   * Called if records were trimmed before this group handled them (it was down for more than 24 hours). Rebuilds their
   * results from the items. Repeated until it resolves.
   */
  readonly onTrimmed: (signal: AbortSignal) => Promise<unknown>;
}

export interface OptionalGroup extends HandlerGroup {
  /** Part of its leases' key: a renamed group starts again at the oldest record. Letters and digits. */
  readonly name: string;
}

export interface GroupState {
  readonly shards: readonly ShardState[];
  /** The largest of the shards'. */
  readonly lagMs: number;
}

type WorkerContext = Pick<
  ShardWorkerOptions,
  'streams' | 'streamArn' | 'pacing' | 'timing' | 'clock' | 'log' | 'stop' | 'reading'
>;

export interface RunningGroupOptions extends HandlerGroup, WorkerContext {
  /** Undefined for the core group. */
  readonly name: string | undefined;
  readonly leases: Leases;
  /** No other process reads this stream: the leases of other owners are those of dead ones. */
  readonly alone: boolean;
  /** For an optional group: the pages that the core group reads of a shard, if it reads it. */
  readonly followed?: (shard: string) => ShardFeed | undefined;
  /** Called when the work on a shard has ended. */
  readonly onEnd?: (shard: string, end: WorkerEnd) => void;
  /** Called later, when the shard may be taken again. */
  readonly onFree: (worker: ShardWorker) => void;
}

/** A group at work: it takes leases and runs a worker for each. */
export interface RunningGroup {
  readonly name: string | undefined;
  readonly leases: Leases;
  readonly deadLetterCount: number;
  /** The shards that are worked on. */
  readonly shards: ReadonlySet<string>;
  readonly workers: readonly ShardWorker[];
  /** The pages that this group reads of a shard. */
  feedOf(shard: string): ShardFeed | undefined;
  /**
   * Takes leases and starts to work on their shards. Resolves to whether one of them was a dead owner's. `leases` and
   * `listed` are what the plan was made from.
   */
  take(wanted: Plan['take'], leases: readonly ObservedLease[], listed: readonly Shard[]): Promise<boolean>;
  /** Ends the work on a shard early. */
  stop(shard: string): void;
  /** Resolves when no shard is worked on any more. */
  stopped(): Promise<void>;
  state(): GroupState;
}

export function createRunningGroup(options: RunningGroupOptions): RunningGroup {
  const { name, leases, dispatcher, onTrimmed, alone, followed, onEnd, onFree } = options;
  const { streams, streamArn, pacing, timing, clock, log, stop, reading } = options;
  /** `done` resolves when the shard is out of this map again. */
  const active = new Map<string, { readonly worker: ShardWorker; readonly done: Promise<void> }>();
  const fieldsOf = (shard: string) => defined({ shard, group: name });
  /** A process that shares the stream with no other has little to say about who reads what. */
  const level = alone ? 'debug' : 'info';

  async function take(
    wanted: Plan['take'],
    states: readonly ObservedLease[],
    listed: readonly Shard[],
  ): Promise<boolean> {
    let takeover = false;
    for (const { shard, work } of wanted) {
      if (stop.aborted) break;
      const before = states.find((state) => state.shard === shard);
      const lease = await leases.take(shard);
      if (lease === undefined) continue;
      const fields = fieldsOf(shard);
      log[level]({ ...fields, work, from: lease.checkpoint ?? 'the beginning' }, 'Took a shard');
      if (work === 'read' && lease.checkpoint === undefined && !followsOn(shard, listed, states)) {
        log[level](fields, 'The shard has no checkpoint: it is read from its oldest record');
      }
      takeover ||= before?.owner !== undefined && (before.stale || alone);
      begin(lease, work);
    }
    return takeover;
  }

  function begin(lease: Lease, work: 'read' | 'rebuild'): void {
    const { shard } = lease;
    const worker = startShardWorker({
      lease,
      work,
      streams,
      streamArn,
      dispatcher,
      onTrimmed,
      pacing,
      timing,
      clock,
      log,
      stop,
      ...defined({ follow: followed?.(shard), reading }),
    });
    const done = worker.ended.then(async (end) => {
      log[level]({ ...fieldsOf(shard), end }, 'Done with a shard');
      onEnd?.(shard, end);
      // A failure may repeat: not at once.
      if (end === 'failed' || end === 'gone') await sleep(clock, timing.renewMs, stop);
      active.delete(shard);
      onFree(worker);
    });
    active.set(shard, { worker, done });
  }

  const workers = () => [...active.values()].map(({ worker }) => worker);

  return {
    name,
    leases,
    get deadLetterCount() {
      return dispatcher.deadLetterCount;
    },
    get shards() {
      return new Set(active.keys());
    },
    get workers() {
      return workers();
    },
    feedOf: (shard) => active.get(shard)?.worker.feed,
    take,
    stop: (shard) => active.get(shard)?.worker.stop(),
    async stopped() {
      await Promise.all([...active.values()].map(({ done }) => done));
    },
    state() {
      const states = workers().map((worker) => worker.state());
      return { shards: states, lagMs: Math.max(0, ...states.map(({ lagMs }) => lagMs)) };
    },
  };
}

/** Whether a shard's parent was read to its end: then there is no gap between the two. */
function followsOn(shard: string, listed: readonly Shard[], leases: readonly LeaseState[]): boolean {
  const parent = listed.find(({ id }) => id === shard)?.parent;
  return leases.some((lease) => lease.shard === parent && lease.finished);
}
