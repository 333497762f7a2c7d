/**
 * The stream consumer: finds the stream's shards, takes leases on them, reads them side by side and gives the
 * changes to the handlers. The same in the server's own process and in a worker.
 *
 *   discover ──▶ plan ──▶ take a lease ──▶ reader ──▶ dispatcher ──▶ handlers
 *      ▲                                      │
 *      └──── every few seconds ◀──────────────┘ the shard ended, or its lease was lost
 *
 * Handlers are in groups. Each group has its own leases, and so its own checkpoints. The core group has the handlers
 * that the product relies on. An optional group (a search index, a push sender) never delays it: the core group's
 * reader publishes its pages, and the optional group follows them in the same process (see `followingReader.ts`). So
 * a shard has one permanent reader, however many groups there are.
 *
 * The consumer never ends by itself. During an outage of DynamoDB it keeps polling, at most once a second for each
 * shard, and logs when the outage starts and when it is over.
 */

import { setMaxListeners } from 'node:events';
import { type Clock, systemClock } from '../core/clock.ts';
import { defined } from '../core/defined.ts';
import type { OutageLog } from '../core/log.ts';
import { backoffMs, CONSUMER_BACKOFF } from '../core/retry.ts';
import { createWakeSignal } from '../core/signal.ts';
import { createDynamo, type Dynamo } from '../dynamo/dynamo.ts';
import type { Metering } from '../dynamo/metering.ts';
import type { Streams } from '../dynamo/transport/streams.ts';
import {
  createRunningGroup,
  type GroupState,
  type HandlerGroup,
  type OptionalGroup,
  type RunningGroup,
  type RunningGroupOptions,
} from './handlerGroup.ts';
import { createLeases, type LeaseState, leaseOwner, type ObservedLease } from './leases.ts';
import { retriedHealth } from './log.ts';
import { emulatorPacing, type Pacing } from './reader.ts';
import { compareSequences, streamLabel } from './records.ts';
import { listShards, type Plan, planShards, type Shard } from './shards.ts';

/** Milliseconds. */
export interface Timing {
  /** A busy shard's checkpoint is at most this old. */
  readonly saveMs: number;
  /** A lease is renewed at least this often. */
  readonly renewMs: number;
  /** A lease that was not renewed for this long may be taken over. */
  readonly lostAfterMs: number;
  /** How often the list of shards is read while this process has all of them. */
  readonly discoverMs: number;
}

const TIMING: Timing = { saveMs: 1_000, renewMs: 3_000, lostAfterMs: 10_000, discoverMs: 15_000 };

/** The core group, and what all groups share. */
export interface ConsumerOptions extends HandlerGroup {
  readonly streams: Streams;
  readonly dynamo: Pick<Dynamo, 'transport' | 'table' | 'timeouts'>;
  /** Meters the requests for leases and checkpoints. */
  readonly metering?: Metering;
  readonly streamArn: string;
  readonly optional?: readonly OptionalGroup[];
  readonly log: OutageLog;
  /**
   * Called when reading starts, and when shards of a dead owner were taken over: the dead owner may have stored
   * something without publishing it.
   */
  readonly onStart?: () => Promise<void>;
  /**
   * No other process reads this stream (the embedded database). Leases of other owners are taken at once, so that a
   * server that was killed and restarted need not wait for its own former lease.
   */
  readonly alone?: boolean;
  /** The name under which its leases are stored. Default: the stream's label. */
  readonly leases?: string;
  /** How it reads its shards, apart from when. */
  readonly reading?: RunningGroupOptions['reading'];
  /** This consumer's name in the leases. It must be unique among all consumers that are ever started. */
  readonly owner?: string;
  readonly pacing?: Pacing;
  readonly timing?: Partial<Timing>;
  readonly clock?: Clock;
}

/** The core group's state, and that of the optional groups. */
export interface ConsumerState extends GroupState {
  readonly running: boolean;
  /** Whether the last requests to the stream and for the leases succeeded. */
  readonly reachable: boolean;
  /** Dead letters that this process has written, for all groups. */
  readonly deadLetters: number;
  readonly optional: Readonly<Record<string, GroupState>>;
}

export interface Consumer {
  /** Resolves after the first attempt to take shards, whether it succeeded or not. Later ones run in the background. */
  start(): Promise<void>;
  /**
   * Stops reading, lets the handlers finish the running batch (within the dispatcher's grace), saves the checkpoints
   * and releases the leases. Takes milliseconds normally, and at most the grace and the deadlines of three requests.
   * A stopped consumer cannot be started again.
   */
  stop(): Promise<void>;
  /** Polls at once, because there probably is something to read. */
  wake(): void;
  /** Says that there are this many changes to read which no one waits for. */
  expect(changes: number): void;
  state(): ConsumerState;
  /**
   * The lowest checkpoint of all groups and all shards of this process: every record up to it is handled. Undefined if
   * the process has no shard, or a shard has no checkpoint.
   */
  checkpoint(): string | undefined;
  /** Records that the core group has read since the start, of any kind. */
  readonly recordsRead: number;
}

export function createConsumer(options: ConsumerOptions): Consumer {
  const { streams, streamArn, optional = [], log, onStart, alone = false } = options;
  const { clock = systemClock, pacing = emulatorPacing } = options;
  const owner = options.owner ?? leaseOwner();
  const timing: Timing = { ...TIMING, ...options.timing };
  // Its own writes must not wake it: they go through a Dynamo that announces nothing.
  const { transport, table, timeouts } = options.dynamo;
  const bookkeeping = createDynamo({ transport, table, timeouts, pattern: 'leases', ...options.metering });

  const stopping = new AbortController();
  // One listener for each shard.
  setMaxListeners(0, stopping.signal);
  const wakeSignal = createWakeSignal(clock);
  const discovery = retriedHealth(log, "The stream's list of shards");
  let shards: readonly Shard[] = [];
  let shardsReadAt = Number.NEGATIVE_INFINITY;
  let recordsOfEnded = 0;
  let announced = false;
  let running: Promise<void> | undefined;
  let started: Promise<void> | undefined;

  const groupOf = (
    { dispatcher, onTrimmed }: HandlerGroup,
    own: Pick<RunningGroupOptions, 'name' | 'onFree' | 'onEnd' | 'followed'>,
  ) =>
    createRunningGroup({
      dispatcher,
      onTrimmed,
      streams,
      streamArn,
      pacing,
      timing,
      clock,
      log,
      alone,
      ...defined({ reading: options.reading }),
      ...own,
      stop: stopping.signal,
      leases: createLeases({
        dynamo: bookkeeping,
        stream: leasesOf(options.leases ?? streamLabel(streamArn), own.name),
        owner,
        lostAfterMs: timing.lostAfterMs,
        clock,
      }),
    });
  const core = groupOf(options, {
    name: undefined,
    onEnd(shard, end) {
      // After the shard's end the optional groups read the rest themselves. Otherwise they stop with the core group.
      if (end !== 'ended') for (const other of others) other.stop(shard);
    },
    onFree(worker) {
      recordsOfEnded += worker.records;
      discoverAgain();
    },
  });
  const others = optional.map((group) =>
    groupOf(group, { name: group.name, followed: core.feedOf, onFree: discoverAgain }),
  );
  const groups = [core, ...others];

  /** Called after a shard's end: a child may be waiting, or the stream has dropped the shard. */
  function discoverAgain(): void {
    shardsReadAt = Number.NEGATIVE_INFINITY;
    wakeSignal.wake();
  }

  /** Reads the leases and shards once, and takes leases. Resolves to the milliseconds until the next round. */
  async function discover(): Promise<number> {
    const ofGroups = new Map<RunningGroup, ObservedLease[]>();
    for (const group of groups) ofGroups.set(group, await group.leases.list());
    let isListed = false;
    async function list(): Promise<void> {
      shards = await listShards(streams, streamArn);
      shardsReadAt = clock.now();
      isListed = true;
    }
    if (clock.now() - shardsReadAt >= timing.discoverMs) await list();
    let settled = true;
    let took = false;
    let staleInMs: number = timing.renewMs;
    const ofCore = ofGroups.get(core) ?? [];
    const finishedByCore = new Set(ofCore.filter(isFinished).map(({ shard }) => shard));
    for (const [group, leases] of ofGroups) {
      const planned = () => planShards({ listed: shards, leases, owner, held: group.shards, alone });
      let plan = planned();
      // An older list may lack shards that have begun since, and that others have read.
      if (!isListed && concludesFromAbsence(plan)) {
        await list();
        plan = planned();
      }
      // An optional group takes only shards that the core group is reading here, or has finished.
      const take = plan.take.filter(
        ({ shard, work }) =>
          group === core || work === 'rebuild' || core.shards.has(shard) || finishedByCore.has(shard),
      );
      const takeover = await group.take(take, leases, shards);
      if (group === core && core.shards.size > 0 && (takeover || !announced)) {
        announced = true;
        announce();
      }
      for (const shard of plan.forget) await group.leases.remove(shard);
      // The shards of an owner that died are read as soon as that is certain.
      for (const lease of leases) {
        const isOthers = lease.owner !== undefined && lease.owner !== owner && !lease.finished;
        if (isOthers && !lease.stale) staleInMs = Math.min(staleInMs, lease.staleInMs);
      }
      settled &&= plan.settled;
      took ||= take.length > 0;
    }
    // Until everything is settled, read the list of shards at each round: a new child may be missing from it.
    if (!settled && !took) shardsReadAt = Number.NEGATIVE_INFINITY;
    return settled ? timing.discoverMs : staleInMs;
  }

  function announce(): void {
    onStart?.().catch((error: unknown) => {
      log.warn({ err: error }, 'The start of the stream consumer could not be announced');
    });
  }

  async function supervise(discovered: () => void): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; ) {
      let next: number;
      wakeSignal.clear();
      try {
        next = await discover();
        failures = 0;
        discovery.worked();
      } catch (error) {
        discovery.failed(error);
        next = backoffMs(CONSUMER_BACKOFF, ++failures);
      }
      discovered();
      if (!stopping.signal.aborted) await wakeSignal.wait(next);
    }
    discovered();
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
      wakeSignal.wake();
      await running;
      await Promise.all(groups.map((group) => group.stopped()));
    },
    wake() {
      for (const worker of core.workers) worker.wake();
    },
    expect(changes) {
      for (const worker of core.workers) worker.expect(changes);
    },
    state: () => ({
      ...core.state(),
      running: running !== undefined && !stopping.signal.aborted,
      reachable: discovery.good && core.workers.every(({ reachable }) => reachable),
      deadLetters: groups.reduce((sum, { deadLetterCount }) => sum + deadLetterCount, 0),
      optional: Object.fromEntries(others.map((group) => [group.name ?? '', group.state()])),
    }),
    checkpoint() {
      const all = groups.flatMap(({ workers }) => workers.map((worker) => worker.state().checkpoint));
      const [first, ...rest] = all;
      return rest.reduce(lower, first);
    },
    get recordsRead() {
      return core.workers.reduce((sum, { records }) => sum + records, recordsOfEnded);
    },
  };
}

/** The name under which a group's leases are stored. The core group's are under the stream's label alone. */
const leasesOf = (stream: string, group: string | undefined): string =>
  group === undefined ? stream : `${stream}@${group}`;

const isFinished = ({ finished }: LeaseState): boolean => finished;

/**
 * Whether the plan relies on the list of shards being newer than the leases: it takes shards as dropped that are not in
 * it.
 */
const concludesFromAbsence = ({ take, forget }: Plan): boolean =>
  forget.length > 0 || take.some(({ work }) => work === 'rebuild');

/** The lower of two checkpoints. A missing one is the lowest. */
function lower(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return undefined;
  return compareSequences(a, b) <= 0 ? a : b;
}
