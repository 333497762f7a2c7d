/**
 * The stream consumer: finds the stream's shards, takes leases on them, reads each side by side with the
 * others and gives what happened to the handlers. The same in the server's own process and in a worker.
 *
 *   look ──▶ plan ──▶ take a lease ──▶ reader ──▶ dispatcher ──▶ handlers
 *    ▲                                   │
 *    └──── every few seconds ◀───────────┘ the shard ended, or its lease was lost
 *
 * It never ends by itself: while DynamoDB is away it keeps asking, at most once a second for each shard,
 * and logs when that starts and when it is over.
 */
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { type Clock, createWaker, sleep, systemClock } from '../core/clock.ts';
import { backoffMs, CONSUMER_BACKOFF } from '../core/retry.ts';
import { createDynamo, type Dynamo } from '../dynamo/dynamo.ts';
import type { Dispatcher } from './dispatcher.ts';
import { createLeases, type Lease, type LeaseState } from './leases.ts';
import { createHealth, type Log } from './log.ts';
import { emulatorPacing, type Pacing } from './reader.ts';
import { compareSequences, streamLabel } from './records.ts';
import { listShards, planShards, type Shard } from './shards.ts';
import { type ShardState, type ShardWorker, startShardWorker } from './shardWorker.ts';

/** Milliseconds. */
export interface Timing {
  /** A busy shard's checkpoint is at most this old. */
  readonly saveMs: number;
  /** A lease is renewed at least this often. */
  readonly renewMs: number;
  /** A lease that was not renewed for this long is anybody's. */
  readonly lostAfterMs: number;
  /** How often the stream is asked for its shards while all of them are ours. */
  readonly discoverMs: number;
}

const TIMING: Timing = { saveMs: 1_000, renewMs: 3_000, lostAfterMs: 10_000, discoverMs: 15_000 };

export interface ConsumerOptions {
  readonly streams: DynamoDBStreamsClient;
  readonly dynamo: Pick<Dynamo, 'client' | 'table'>;
  readonly streamArn: string;
  readonly dispatcher: Dispatcher;
  readonly log: Log;
  /**
   * Records were trimmed before they were read (nobody consumed for over 24 hours): derive again, from the
   * items themselves, what they should have led to. Called again until it resolves.
   */
  readonly onTrimmed: (signal: AbortSignal) => Promise<unknown>;
  /**
   * Called when reading starts, and when shards of a dead owner were taken over: whoever is gone may have
   * stored something without announcing it.
   */
  readonly onStart?: () => Promise<void>;
  /**
   * Nobody else reads this stream (the embedded database): leases of others are taken at once, so that a
   * server that was killed and started again need not wait for its own former lease.
   */
  readonly alone?: boolean;
  /** Who we are in the leases; must be unique for every consumer ever started. */
  readonly owner?: string;
  readonly pacing?: Pacing;
  readonly timing?: Partial<Timing>;
  readonly clock?: Clock;
}

export interface ConsumerState {
  readonly running: boolean;
  /** Whether the stream and the leases answered when they were last asked. */
  readonly reachable: boolean;
  readonly shards: readonly ShardState[];
  /** The largest of the shards'. */
  readonly lagMs: number;
  /** Changes set aside by this process. */
  readonly setAside: number;
}

export interface Consumer {
  /** Resolves after the first attempt to take shards, whether it succeeded or not; the rest goes on behind. */
  start(): Promise<void>;
  /**
   * Stops reading, lets the handlers finish the batch in hand (within the dispatcher's grace), saves the
   * checkpoints and gives the leases back. Takes milliseconds when all is well, and at most the grace and
   * the deadlines of three requests. A stopped consumer is not started again.
   */
  stop(): Promise<void>;
  /** There is probably something to read: polls at once. */
  wake(): void;
  state(): ConsumerState;
  /**
   * The lowest checkpoint over the shards that are ours: every record up to it is done with. Undefined
   * while there is none, or a shard that has none.
   */
  checkpoint(): string | undefined;
  /** Records read since the start, of any kind. */
  readonly recordsRead: number;
}

export function createConsumer(options: ConsumerOptions): Consumer {
  const { streams, streamArn, dispatcher, log, onTrimmed, onStart, alone = false } = options;
  const { clock = systemClock, pacing = emulatorPacing } = options;
  const owner = options.owner ?? `${hostname()}:${process.pid}:${randomUUID()}`;
  const timing: Timing = { ...TIMING, ...options.timing };
  // Its own writes must not wake it: they go through a Dynamo that announces nothing.
  const { client, table } = options.dynamo;
  const leases = createLeases({
    dynamo: createDynamo({ client, table }),
    stream: streamLabel(streamArn),
    owner,
    lostAfterMs: timing.lostAfterMs,
    clock,
  });

  /** The shards that are worked on; `over` resolves when one is out of this map again. */
  const held = new Map<string, { readonly worker: ShardWorker; readonly over: Promise<void> }>();
  const workers = () => [...held.values()].map(({ worker }) => worker);
  const stopping = new AbortController();
  // One listener for each shard.
  setMaxListeners(0, stopping.signal);
  const looking = createWaker(clock);
  const found = createHealth(log, "The stream's list of shards");
  let shards: readonly Shard[] | undefined;
  let shardsReadAt = Number.NEGATIVE_INFINITY;
  let recordsOfEnded = 0;
  let announced = false;
  let running: Promise<void> | undefined;
  let started: Promise<void> | undefined;

  /** Looks at shards and leases once and takes what is to be taken. Resolves to when to look again. */
  async function look(): Promise<number> {
    if (shards === undefined || clock.now() - shardsReadAt >= timing.discoverMs) {
      shards = await listShards(streams, streamArn);
      shardsReadAt = clock.now();
    }
    const states = await leases.list();
    const plan = planShards({ listed: shards, leases: states, owner, held: new Set(held.keys()), alone });
    let takeover = false;
    for (const { shard, work } of plan.take) {
      if (stopping.signal.aborted) break;
      const before = states.find((state) => state.shard === shard);
      const lease = await leases.take(shard);
      if (lease === undefined) continue;
      log.info({ shard, work, from: lease.checkpoint ?? 'the beginning' }, 'Took a shard');
      if (work === 'read' && lease.checkpoint === undefined && !followsOn(shard, shards, states)) {
        log.info({ shard }, 'Nothing says how far a shard was read: it is read from its oldest record');
      }
      takeover ||= before?.owner !== undefined && (before.stale || alone);
      begin(lease, work);
    }
    if (held.size > 0 && (takeover || !announced)) {
      announced = true;
      announce();
    }
    for (const shard of plan.forget) await leases.remove(shard);
    // What is not settled yet is looked at more often: also the list, for a child that is not in it yet.
    if (!plan.settled && plan.take.length === 0) shardsReadAt = Number.NEGATIVE_INFINITY;
    return plan.settled ? timing.discoverMs : timing.renewMs;
  }

  function announce(): void {
    onStart?.().catch((error: unknown) => {
      log.warn({ err: error }, 'The start of the stream consumer could not be announced');
    });
  }

  function begin(lease: Lease, work: 'read' | 'repair'): void {
    const { shard } = lease;
    const worker = startShardWorker({
      ...{ lease, work, streams, streamArn, dispatcher, onTrimmed, pacing, timing, clock, log },
      stop: stopping.signal,
    });
    const over = worker.ended.then(async (end) => {
      log.info({ shard, end }, 'Done with a shard');
      // Whatever went wrong may go wrong again: not at once.
      if (end === 'failed' || end === 'gone') await sleep(clock, timing.renewMs, stopping.signal);
      recordsOfEnded += worker.records;
      held.delete(shard);
      // A child may be waiting, or the stream has dropped the shard.
      shardsReadAt = Number.NEGATIVE_INFINITY;
      looking.wake();
    });
    held.set(shard, { worker, over });
  }

  async function supervise(looked: () => void): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; ) {
      let next: number;
      looking.clear();
      try {
        next = await look();
        failures = 0;
        found.worked();
      } catch (error) {
        found.failed(error);
        next = backoffMs(CONSUMER_BACKOFF, ++failures);
      }
      looked();
      if (!stopping.signal.aborted) await looking.wait(next);
    }
    looked();
  }

  function state(): ConsumerState {
    const states = workers().map((worker) => worker.state());
    return {
      running: running !== undefined && !stopping.signal.aborted,
      reachable: found.good && workers().every(({ reachable }) => reachable),
      shards: states,
      lagMs: Math.max(0, ...states.map(({ lagMs }) => lagMs)),
      setAside: dispatcher.setAsideCount,
    };
  }

  return {
    start() {
      started ??= new Promise((resolve) => {
        running = supervise(resolve);
      });
      return started;
    },
    async stop() {
      stopping.abort();
      looking.wake();
      await running;
      await Promise.all([...held.values()].map(({ over }) => over));
    },
    wake() {
      for (const worker of workers()) worker.wake();
    },
    state,
    checkpoint() {
      const [first, ...others] = workers().map((worker) => worker.state().checkpoint);
      return others.reduce(lower, first);
    },
    get recordsRead() {
      return workers().reduce((sum, { records }) => sum + records, recordsOfEnded);
    },
  };
}

/** Whether a shard's parent was read to its end: then there is nothing between the two. */
function followsOn(shard: string, shards: readonly Shard[], leases: readonly LeaseState[]): boolean {
  const parent = shards.find(({ id }) => id === shard)?.parent;
  return leases.some((lease) => lease.shard === parent && lease.finished);
}

/** The lower of two checkpoints; none is the lowest. */
function lower(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return undefined;
  return compareSequences(a, b) <= 0 ? a : b;
}
