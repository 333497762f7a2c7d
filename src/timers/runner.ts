import { type Clock, inTime } from '../core/clock.ts';
import { coalesced } from '../core/coalesced.ts';
import { OutageError } from '../core/errors.ts';
import { createHealth } from '../core/health.ts';
import type { OutageLog } from '../core/log.ts';
import type { Tracer } from '../core/trace.ts';
import { asWork, endSpan, type Work } from '../core/work.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ifConditionHolds } from '../dynamo/errors.ts';
import { createDueTimers } from './dueTimers.ts';
import {
  createTimerQueue,
  type QueuedTimer,
  type TimerQueue,
  type TimerQueueOptions,
  timerKey,
} from './queue.ts';
import { createTimerRetries } from './retrying.ts';
import { ifNotSetAgain, type Timer, type TimerKind, type TimerRun, timerOf, UnknownKind } from './timer.ts';

/** `retried`: its handler failed, and it was moved. `failed`: it failed for a day, and is not tried again. */
export type TimerOutcome = 'handled' | 'retried' | 'failed';

export interface TimerRunnerOptions {
  readonly dynamo: Pick<Dynamo, 'get' | 'query' | 'remove' | 'tryTransact'>;
  readonly kinds: readonly TimerKind[];
  readonly log: OutageLog;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly clock: Clock;
  /** How many timers run at once, apart from those of kinds that wait for other systems. */
  readonly places?: number;
  readonly onOutcome?: (outcome: TimerOutcome, timer: Timer, lateMs: number) => void;
  readonly tracer?: Tracer | undefined;
}

export interface TimerRunner {
  /** Reads the timers that are due before the next look. One run at a time. Rejects with an outage of the database. */
  look(): Promise<void>;
  /** A timer that was set after the last look. */
  add(timer: QueuedTimer): void;
  /**
   * Begins no further timers until a look that is asked for later. Resolves to true when those that run have ended, or
   * to false after `withinMs`. Default: it waits for all.
   */
  pause(withinMs?: number): Promise<boolean>;
  /** For metrics and `/readyz`. */
  state(): TimersState;
}

export interface TimersState {
  readonly running: number;
  /** How many were read and wait: for their time, which is in the next seconds, or for a place. */
  readonly waiting: number;
  /** How many of those are due. */
  readonly overdue: number;
  /** How long the oldest timer that was read and not handled has been due. */
  readonly overdueMs: number;
}

/** How often the table is looked at. What is due before the next look is read, and run at its time. */
export const LOOK_EVERY_MS = 5_000;
export const AHEAD_MS = LOOK_EVERY_MS + 1_000;

const PLACES = 32;
const INSIDE = { placesOfOwner: 2, waitingOfOwner: 100 };
/** For kinds that wait for other systems. */
const OUTSIDE = { places: 32, placesOfOwner: 'half', waitingOfOwner: 1_000 } as const;
/** How long a handler may take. Its place is free after this time, and the timer is tried again. */
const HANDLER_MS = 30_000;

/**
 * Runs due timers, oldest first. It reads ahead, so a timer runs at its time and not at the next look. Before it runs a
 * timer it reads it again, because it may have been moved or cancelled: one read unit. Then come the handler and the
 * deletion. Only what is due before the frontier of `dueTimers.ts` runs, so the partitions are merged in the order of
 * their due times.
 */
export function createTimerRunner(options: TimerRunnerOptions): TimerRunner {
  const { dynamo, log, now, clock, onOutcome, tracer, places = PLACES } = options;
  const kinds = new Map(options.kinds.map((kind) => [kind.name, kind]));
  const queueWith = (options: Omit<TimerQueueOptions, 'placesOfKind'>) =>
    createTimerQueue({ ...options, placesOfKind: (kind) => kinds.get(kind)?.places ?? options.places });
  const inside = queueWith({ places, ...INSIDE });
  const outside = queueWith(OUTSIDE);
  const queues = [inside, outside];
  const queueOf = ({ kind }: QueuedTimer) => (kinds.get(kind ?? '')?.outside === true ? outside : inside);
  const table = createDueTimers({ dynamo });
  const { retryLater } = createTimerRetries({ dynamo, log, now });
  const running = new Set<Promise<void>>();
  const health = createHealth({
    log,
    down: 'Due timers cannot be handled; they are tried again',
    up: 'Due timers are handled again',
  });
  let paused = true;
  let pauses = 0;
  /** How often it had been paused when a look was last asked for. A look of before the newest pause begins nothing. */
  let askedAt = 0;
  /** Whether the last look left due timers in the table that it could have read. */
  let backlog = false;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let cancelWake = () => {};

  const lookOnce = coalesced(async () => {
    const at = askedAt;
    if (at !== pauses) return;
    lookedAt = clock.now();
    const isOutdated = () => at !== pauses;
    const isFull = await asWork({ pattern: 'timers' }, () =>
      table.readUntil(now() + AHEAD_MS, { enqueue, isOutdated }),
    );
    if (isOutdated()) return;
    backlog = isFull && table.frontier() < now();
    paused = false;
    run();
  });

  function look(): Promise<void> {
    askedAt = pauses;
    return lookOnce();
  }

  /** Returns how many of them were new. */
  const enqueue = (timers: readonly QueuedTimer[]): number =>
    queues
      .map((queue) => queue.add(timers.filter((timer) => queueOf(timer) === queue)))
      .reduce((sum, added) => sum + added);

  /** Begins every timer that can begin now. Called again when one has ended, and when the next one is due. */
  function run(): void {
    cancelWake();
    if (paused) return;
    // One time for all decisions: a timer that becomes due meanwhile is neither taken nor missed.
    const at = now();
    const until = Math.min(at, table.frontier());
    for (const queue of queues) {
      for (let timer = queue.take(until); timer !== undefined; timer = queue.take(until)) {
        begin(timer, queue, alsoTaken(timer, queue, until));
      }
    }
    const due = earliest(
      queues.map((queue) => queue.nextDue()).filter((one) => one !== undefined && one > at),
    );
    if (due !== undefined) cancelWake = clock.after(due - at, run);
    // Places are free, and what they wait for is in the table.
    if (backlog && inside.running < places) {
      backlog = false;
      // The next look of the host says so if the table cannot be read.
      look().catch(() => {});
    }
    // Looks are late, and an announced timer is due after what was read: older ones may be in the table.
    const oldest = earliest(queues.map((queue) => queue.oldestDue()));
    const isUnread = oldest !== undefined && oldest <= at && oldest > table.frontier();
    if (isUnread && clock.now() - lookedAt >= LOOK_EVERY_MS) look().catch(() => {});
  }

  function alsoTaken(timer: QueuedTimer, queue: TimerQueue, until: number): readonly QueuedTimer[] {
    const together = kinds.get(timer.kind ?? '')?.together;
    if (together === undefined) return [];
    const matches = (other: QueuedTimer) => together.isAlike(timer, other);
    return queue.takeAlso(timer, { until, max: together.max, matches });
  }

  function begin(timer: QueuedTimer, queue: TimerQueue, also: readonly QueuedTimer[]): void {
    const kind = kinds.get(timer.kind ?? '');
    const pattern = kind === undefined ? 'timers' : `timer: ${kind.name}`;
    const work: Work = { pattern, span: tracer?.begin(pattern) };
    const handling = asWork(work, () => handle(timer, also))
      .then(
        (failure) => {
          endSpan(work, failure);
          health.worked();
        },
        // It is still in the table, and the next look finds it.
        (error: unknown) => {
          endSpan(work, error);
          health.failed(error);
        },
      )
      .finally(() => {
        running.delete(handling);
        queue.done(timer);
        run();
      });
    running.add(handling);
  }

  /** Resolves to the error of its handler, if that has failed. Rejects if the database cannot be reached. */
  async function handle(queued: QueuedTimer, also: readonly QueuedTimer[]): Promise<unknown> {
    const item = await dynamo.get(timerKey(queued));
    if (item === undefined) return undefined; // It was moved or cancelled.
    const timer = timerOf(queued, item);
    const unchanged = ifNotSetAgain(item);
    const lateMs = Math.max(0, now() - timer.due);
    const kind = kinds.get(timer.kind);
    try {
      if (kind === undefined) throw new UnknownKind(`There is no timer kind named ${timer.kind}.`);
      const ended = await endsWithin(kind.handle(timer, runOf(kind, also)), HANDLER_MS);
      if (!ended) throw new Error(`It was not handled within ${HANDLER_MS} ms.`);
    } catch (error) {
      if (error instanceof OutageError) throw error;
      onOutcome?.(await retryLater(timer, { error, kind, unchanged }), timer, lateMs);
      return error;
    }
    // If it was cancelled and set again meanwhile, its handler may have found it cancelled. The next look finds it.
    await ifConditionHolds(dynamo.remove(timerKey(timer), unchanged));
    onOutcome?.('handled', timer, lateMs);
    return undefined;
  }

  const runOf = ({ name, outside: isOutside }: TimerKind, also: TimerRun['also']): TimerRun => ({
    shouldYield: () => paused || (isOutside === true ? outside : inside).isCrowded(name, now()),
    also,
    add,
  });

  function add(timer: QueuedTimer): void {
    if (!paused && enqueue([timer]) > 0) run();
  }

  /** Whether it ends within the time. Undefined: waits for it. Rejects if it rejects before. */
  async function endsWithin(work: Promise<unknown>, ms: number | undefined): Promise<boolean> {
    const end = work.then(() => true);
    return ms === undefined ? end : inTime(clock, ms, end, false);
  }

  return {
    look,
    add,
    async pause(withinMs) {
      pauses++;
      paused = true;
      backlog = false;
      cancelWake();
      for (const queue of queues) queue.clear();
      // What was read is forgotten, so the next look reads from the beginning.
      table.forget();
      return running.size === 0 || endsWithin(Promise.all(running), withinMs);
    },
    state() {
      const oldest = earliest(queues.map((queue) => queue.oldestDue()));
      return {
        running: inside.running + outside.running,
        waiting: inside.waiting + outside.waiting,
        overdue: inside.dueBy(now()) + outside.dueBy(now()),
        overdueMs: oldest === undefined ? 0 : Math.max(0, now() - oldest),
      };
    },
  };
}

const earliest = (times: ReadonlyArray<number | undefined>): number | undefined =>
  times.reduce((first, time) => (first === undefined || (time ?? first) < first ? time : first), undefined);
