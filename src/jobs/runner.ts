import { type Clock, sleep, systemClock } from '../core/clock.ts';
import { defined } from '../core/defined.ts';
import { errorCatalogue, TsudoiError } from '../core/errors.ts';
import { asWork } from '../core/work.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ifConditionHolds } from '../dynamo/errors.ts';
import type { Item } from '../dynamo/item.ts';
import { AGAIN, type Again } from '../dynamo/optimistic.ts';
import type { Write } from '../dynamo/write.ts';
import { type Timer, type TimerKind, type TimerRun, UnknownKind } from '../timers/timer.ts';
import { type Budget, createBudget, sumOf } from './budget.ts';
import {
  changeJob,
  type EndedState,
  endJob,
  inState,
  type Job,
  type JobRef,
  jobOf,
  keyOfJob,
  nameOfJob,
  PERSON_TIMERS,
  refOfTimer,
  SYSTEM_TIMERS,
  setTimerOfJob,
  timerOfJob,
} from './job.ts';
import type { JobKind } from './jobs.ts';
import { endPersonJob, loadOpenJobs } from './openJobs.ts';
import { type PersonJobKind, type PersonStep, STEP_WRITES_MAX } from './personJobs.ts';

export interface JobRunnerOptions {
  readonly dynamo: Dynamo;
  readonly kinds: ReadonlyArray<JobKind | PersonJobKind>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly clock?: Clock;
  /** For the jobs of users. */
  readonly budget?: Budget;
  /** Called when a job has ended. */
  readonly onEnded?: (kind: string, state: EndedState) => void;
}

/** How long a job runs before it sets a timer for the rest. Between two steps, so other jobs get its place. */
const SLICE_MS = 5_000;
/** A job that has to wait longer for its budget gives its place to another one. */
const WAIT_MAX_MS = 1_000;
/** After a step that neither wrote nor moved on. */
const IDLE_MS = 1_000;
/** What a step that writes nothing takes of the budget: it has read about a page. */
const READING_UNITS = 24;
/** How many jobs of the system run at once, and how many of users. */
const PLACES = 8;

const ALONE: TimerRun = { shouldYield: () => false, also: [], add() {} };

/** What a slice does next. */
type Outcome = 'continues' | 'over';

/** One call of a handler: the steps of one job from one timer to the next. */
interface Slice {
  readonly ref: JobRef;
  readonly timer: Timer;
  readonly run: TimerRun;
  /** Whether its time is over. */
  readonly isOver: () => boolean;
}

/**
 * Runs jobs, step by step, as the handler of their timers. A step's position is stored on the condition that no one has
 * changed the job: so a process that is killed loses one step at most, two processes cannot both advance a job, and one
 * that was paused or cancelled stays so. A job that is open has exactly one timer that may continue it, the one that it
 * names (`runAt`); the timer is deleted after the next one was set.
 */
export function createJobRunner(options: JobRunnerOptions): readonly TimerKind[] {
  const { dynamo, now, clock = systemClock, onEnded, budget = createBudget({ now }) } = options;
  const kinds = new Map(options.kinds.map((kind) => [kind.name, kind]));

  async function handle(timer: Timer, run: TimerRun = ALONE): Promise<void> {
    const until = clock.now() + SLICE_MS;
    const isOver = () => clock.now() >= until || run.shouldYield();
    const slice: Slice = { ref: refOfTimer(timer), timer, run, isOver };
    for (let outcome: Outcome = 'continues'; outcome === 'continues'; ) {
      outcome = await dynamo.optimistic(() => advance(slice));
    }
  }

  /** One step. `AGAIN`: someone has changed the job, or what the step wanted to write. */
  async function advance(slice: Slice): Promise<Outcome | Again> {
    const job = await load(slice.ref);
    if (job === undefined || !(await mayRun(job, slice.timer))) return 'over';
    const kind = kinds.get(job.kind);
    if (kind === undefined) throw new UnknownKind(`There is no job kind named ${job.kind}.`);
    const { user } = job;
    return asWork({ pattern: `job: ${kind.name}` }, () =>
      user === undefined ? systemStep(job, kind, slice) : personStep({ ...job, user }, kind, slice),
    );
  }

  async function load(ref: JobRef): Promise<Job | undefined> {
    const item = await dynamo.get(keyOfJob(ref));
    return item === undefined ? undefined : jobOf(ref, item);
  }

  /** Whether this timer is the one that continues the job. Any timer starts a user's job if it is the job's turn. */
  async function mayRun(job: Job, timer: Timer): Promise<boolean> {
    const isTheirs = job.runAt === (timer.failures?.setFor ?? timer.due);
    if (job.user === undefined) return (job.state === 'QUEUED' || job.state === 'RUNNING') && isTheirs;
    if (job.state === 'RUNNING') return isTheirs;
    if (job.state !== 'QUEUED') return false;
    return (await loadOpenJobs(dynamo, job.user)).ids[0] === job.id;
  }

  async function systemStep(job: Job, kind: JobKind | PersonJobKind, slice: Slice): Promise<Outcome | Again> {
    if (!('step' in kind)) throw new UnknownKind(`${job.kind} is not a kind of the system's jobs.`);
    const next = await kind.step(job.about, job.cursor);
    if (next === null) {
      // There may be thousands a day, so only what went wrong has a history.
      const unchanged = { condition: 'rev = :was', values: { ':was': job.version } };
      const removed = dynamo.remove(keyOfJob(job), unchanged).then(() => true);
      if ((await ifConditionHolds(removed)) !== true) return AGAIN;
      onEnded?.(job.kind, 'DONE');
      return 'over';
    }
    const { cursor, runAt } = typeof next === 'string' ? { cursor: next, runAt: undefined } : next;
    const at = runAt ?? (slice.isOver() ? now() : undefined);
    return proceed(job, { cursor, done: job.done + 1 }, slice, at);
  }

  async function personStep(
    job: Job & { readonly user: string },
    kind: JobKind | PersonJobKind,
    slice: Slice,
  ): Promise<Outcome | Again> {
    if (!('plan' in kind)) throw new UnknownKind(`${job.kind} is not a kind of users' jobs.`);
    const name = nameOfJob(job);
    let step: PersonStep;
    try {
      step = await kind.plan(job.about, job.cursor, job);
    } catch (error) {
      const isFinal = error instanceof TsudoiError && !errorCatalogue[error.code].retryable;
      if (!isFinal) throw error;
      return end(job, 'FAILED', { failure: error.code, ...defined({ failureReason: error.details.reason }) });
    }
    const { writes, next, done, total } = step;
    if (writes.length > STEP_WRITES_MAX) throw new Error(`A step of ${job.kind} writes too much.`);
    const units = writes.length > 0 ? unitsOf(writes) : new Map([[keyOfJob(job).pk, READING_UNITS]]);
    if (writes.length > 0 || next !== null) {
      const waitMs = budget.reserve(name, units) - now();
      if (waitMs > WAIT_MAX_MS || (waitMs > 0 && slice.isOver())) {
        return proceed(job, {}, slice, now() + waitMs);
      }
      if (waitMs > 0) {
        await sleep(clock, waitMs);
        // What the step is based on may have changed: the conditions of its writes say so.
      }
    }
    const set = { done: job.done + done, ...defined({ total }) };
    let charged: number | undefined;
    const onUnits = (of: number) => {
      charged = of;
    };
    try {
      // Some may have come or gone since it began.
      if (next === null) return await end(job, 'DONE', { ...set, total: set.done }, writes, onUnits);
      // What it read is being changed, or is wrong: it would find the same again at once.
      const isIdle = writes.length === 0 && next === job.cursor;
      const at = isIdle ? now() + IDLE_MS : slice.isOver() ? now() : undefined;
      return await proceed(job, { ...set, cursor: next }, slice, at, writes, onUnits);
    } finally {
      budget.settle(name, writes.length > 0 && charged !== undefined ? charged : sumOf(units));
    }
  }

  /** Stores a position, and the next timer if the slice ends here. */
  async function proceed(
    job: Job,
    set: Item,
    { timer, run }: Slice,
    at: number | undefined,
    writes: readonly Write[] = [],
    onUnits?: (units: number) => void,
  ): Promise<Outcome | Again> {
    const begins = job.since === undefined && 'cursor' in set;
    const started = begins ? { ...inState(job, 'RUNNING'), since: { at: now(), done: job.done } } : {};
    // Not the timer that is being handled, which will be deleted.
    const due = at === undefined ? undefined : Math.max(Math.ceil(at), timer.due + 1, (job.runAt ?? 0) + 1);
    // Any timer may start a user's job. This one is the job's from now on, so it must exist.
    const runAt = due ?? timer.failures?.setFor ?? timer.due;
    const timerAt = due ?? (runAt === job.runAt ? undefined : runAt);
    const { key, ...change } = changeJob(job, { ...started, ...set, runAt });
    if (timerAt === undefined && writes.length === 0) {
      return (await ifConditionHolds(dynamo.update(key, change))) === undefined ? AGAIN : 'continues';
    }
    const failed = await dynamo.tryTransact(
      {
        writes,
        job: { key, ...change },
        timer: timerAt === undefined ? undefined : setTimerOfJob(job, timerAt),
      },
      defined({ onUnits }),
    );
    if (failed !== undefined) return AGAIN;
    if (due === undefined) return 'continues';
    run.add(timerOfJob(job, due));
    return 'over';
  }

  async function end(
    job: Job,
    state: EndedState,
    set: Item,
    writes: readonly Write[] = [],
    onUnits?: (units: number) => void,
  ): Promise<Outcome | Again> {
    const { user } = job;
    const ending =
      user === undefined
        ? { job: endJob(job, state, now(), set) }
        : await endPersonJob(dynamo, user, job, { state, now: now(), set });
    const failed = await dynamo.tryTransact({ writes, ...ending }, defined({ onUnits }));
    if (failed !== undefined) return AGAIN;
    onEnded?.(job.kind, state);
    return 'over';
  }

  /** Its timer has failed for a day. */
  const givenUp = async (timer: Timer): Promise<void> => {
    await dynamo.optimistic(async () => {
      const job = await load(refOfTimer(timer));
      if (job === undefined || !(await mayRun(job, timer))) return 'over';
      return end(job, 'FAILED', { failure: 'INTERNAL' });
    });
  };

  const kindOf = (name: string): TimerKind => ({ name, places: PLACES, handle, givenUp });
  return [kindOf(SYSTEM_TIMERS), kindOf(PERSON_TIMERS)];
}

/** In a transaction: two units for each kilobyte, and two more if the item is in the index. */
function unitsOf(writes: readonly Write[]): Map<string, number> {
  const units = new Map<string, number>();
  for (const write of writes) {
    const { pk } =
      'put' in write
        ? write.put
        : 'key' in write
          ? write.key
          : 'delete' in write
            ? write.delete
            : write.check;
    const bytes = 'put' in write ? Buffer.byteLength(JSON.stringify(write.put)) : 0;
    const indexed = 'put' in write && write.put.gsi1pk !== undefined ? 1 : 0;
    units.set(pk, (units.get(pk) ?? 0) + 2 * (Math.max(1, Math.ceil(bytes / 1_024)) + indexed));
  }
  return units;
}
