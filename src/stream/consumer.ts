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
import { createDynamo, type Dynamo } from '../dynamo/dynamo.ts';
import { backoffMs, type Clock, createWaker, sleep, systemClock } from './clock.ts';
import type { Dispatcher } from './dispatcher.ts';
import { createLeases, type Lease } from './leases.ts';
import { createHealth, type Log } from './log.ts';
import { createReader, emulatorPacing, type Pacing, type Reader } from './reader.ts';
import { compareSequences, streamLabel } from './records.ts';
import { listShards, planShards, type Shard } from './shards.ts';
import { runShardWorker, type WorkerEnd } from './shardWorker.ts';

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
  readonly onTrimmed: (signal: AbortSignal) => Promise<void>;
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

export interface ShardState {
  readonly shard: string;
  /** As last written to the table. */
  readonly checkpoint: string | undefined;
  readonly position: string | undefined;
  /** Milliseconds since the shard was last asked for records. */
  readonly polledMsAgo: number | undefined;
  /** How old the oldest change is that was read but not handled yet; 0 when there is none. */
  readonly lagMs: number;
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

  interface Held {
    readonly lease: Lease;
    readonly reader: Reader | undefined;
    readonly ended: Promise<void>;
  }
  const held = new Map<string, Held>();
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
    const { shard, checkpoint } = lease;
    const reader =
      work === 'repair'
        ? undefined
        : createReader({
            ...{ streams, streamArn, shard, checkpoint, pacing, clock, log },
            handle: dispatcher.dispatch,
            repair,
          });
    const run = async (signal: AbortSignal) => {
      if (reader !== undefined) return reader.run(signal);
      await repair(signal);
      return signal.aborted ? ('stopped' as const) : ('ended' as const);
    };
    const ended = runShardWorker(
      {
        ...{ lease, work: run, clock, log },
        ...(reader === undefined ? {} : { reader }),
        renewMs: timing.renewMs,
        saveMs: timing.saveMs,
      },
      stopping.signal,
    ).then((end) => finished(shard, end));
    held.set(shard, { lease, reader, ended });
  }

  async function finished(shard: string, end: WorkerEnd): Promise<void> {
    log.info({ shard, end }, 'Done with a shard');
    // Whatever went wrong may go wrong again: not at once.
    if (end === 'failed' || end === 'gone') await sleep(clock, timing.renewMs, stopping.signal);
    recordsOfEnded += held.get(shard)?.reader?.records ?? 0;
    held.delete(shard);
    // A child may be waiting, or the stream has dropped the shard.
    shardsReadAt = Number.NEGATIVE_INFINITY;
    looking.wake();
  }

  /** Resolves when the repair is done or the signal is aborted. */
  async function repair(signal: AbortSignal): Promise<void> {
    log.warn({}, 'Stream records were trimmed before they were read: deriving again what they led to');
    const halted = aborted(signal);
    for (let failures = 0; !signal.aborted; ) {
      try {
        await Promise.race([onTrimmed(signal), halted]);
        return;
      } catch (error) {
        log.error({ err: error }, 'The repair failed and is tried again');
        await sleep(clock, backoffMs(++failures), signal);
      }
    }
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
        next = backoffMs(++failures);
      }
      looked();
      if (!stopping.signal.aborted) await looking.wait(next);
    }
    looked();
  }

  function state(): ConsumerState {
    const now = clock.now();
    const states = [...held].map(([shard, { lease, reader }]): ShardState => {
      const { polledAt, behindSince } = reader ?? {};
      return {
        shard,
        checkpoint: lease.checkpoint,
        position: reader?.position,
        polledMsAgo: polledAt === undefined ? undefined : now - polledAt,
        lagMs: behindSince === undefined ? 0 : Math.max(0, Date.now() - behindSince),
      };
    });
    return {
      running: running !== undefined && !stopping.signal.aborted,
      reachable: found.good && [...held.values()].every(({ reader }) => reader?.reachable ?? true),
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
      await Promise.all([...held.values()].map(({ ended }) => ended));
    },
    wake() {
      for (const { reader } of held.values()) reader?.wake();
    },
    state,
    checkpoint() {
      const checkpoints = [...held.values()].map(({ lease }) => lease.checkpoint);
      if (checkpoints.length === 0) return undefined;
      return checkpoints.reduce((least, one) =>
        least === undefined || one === undefined ? undefined : compareSequences(one, least) < 0 ? one : least,
      );
    },
    get recordsRead() {
      return [...held.values()].reduce((sum, { reader }) => sum + (reader?.records ?? 0), recordsOfEnded);
    },
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
