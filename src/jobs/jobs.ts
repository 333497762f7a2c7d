import { defined } from '../core/defined.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { keyOf, keys, parseKey, waitingJobs } from '../dynamo/keys.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import type { Visitor } from '../rebuild/rebuild.ts';
import {
  changeJob,
  goesOn,
  inState,
  type Job,
  type JobState,
  jobOf,
  refOfKey,
  setTimerOfJob,
  withAge,
} from './job.ts';

/**
 * The cursor of the next step, which begins at once, or not before `runAt` (milliseconds since 1970). Null: the job is
 * done.
 */
export type NextStep = string | { readonly cursor: string; readonly runAt: number } | null;

/** How a kind of the system's own work is done, one bounded step after the other. */
export interface JobKind<About extends Item = Item> {
  readonly name: string;
  /**
   * One step. A cursor of null begins. Repeated for the same cursor after a crash, and possibly run twice at the same
   * time, so every step must be idempotent. If it rejects, it is tried again after growing pauses, for a day. Then the
   * job ends as FAILED.
   */
  step(about: About, cursor: string | null): Promise<NextStep>;
}

export interface NewJob {
  /** Made from what the job is about, so that the same work begun twice is one job. */
  readonly id: string;
  /** The name of its kind. */
  readonly kind: string;
  readonly about: Item;
  readonly cursor: string;
  /** The next step does not begin before this time (milliseconds since 1970). Absent: at once. */
  readonly runAt?: number;
}

export type Jobs = ReturnType<typeof createJobs>;

const PAGE = 25;

export interface JobsOptions {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** The system's own jobs. */
export function createJobs({ dynamo, now = Date.now }: JobsOptions) {
  /**
   * Stores a job and its timer: one transaction. A job of this id that is open already continues instead, and one that
   * has failed begins again. One that an operator has cancelled begins again only if `evenCancelled`, because an
   * operator asks for it: nothing that happens may undo what they did. That is known for seven days.
   */
  async function add(
    { id, kind, about, cursor, runAt }: NewJob,
    { evenCancelled = false }: { readonly evenCancelled?: boolean } = {},
  ): Promise<void> {
    const createdAt = now();
    const due = runAt ?? createdAt;
    const item = {
      ...keys.job(id),
      v: FIRST_SHAPE,
      kind,
      about,
      cursor,
      runAt: due,
      done: 0,
      // Not one, so that what still runs for an earlier job of this id cannot change the new one.
      rev: createdAt,
      ...inState({ id, createdAt }, 'QUEUED'),
    };
    await dynamo.tryTransact({
      job: {
        put: item,
        ...(evenCancelled
          ? { condition: 'attribute_not_exists(pk) OR attribute_exists(finishedAt)' }
          : {
              condition:
                'attribute_not_exists(pk) OR (attribute_exists(finishedAt) AND #state <> :cancelled)',
              names: { '#state': 'state' },
              values: { ':cancelled': 'CANCELLED' satisfies JobState },
            }),
      },
      timer: setTimerOfJob({ id }, due),
    });
  }

  /**
   * Runs the first step at once, because most work needs only one; the rest, if there is any, as a job. If that job
   * was cancelled, it does not begin again.
   */
  async function begin<About extends Item>(kind: JobKind<About>, id: string, about: About): Promise<void> {
    const next = await kind.step(about, null);
    if (next !== null) await add({ id, kind: kind.name, about, ...positionOf(next) });
  }

  /**
   * Runs all steps at once, for a rebuild; never in a handler. A step that must wait is left to a job. Resolves to
   * whether everything is done.
   */
  async function runToEnd<About extends Item>(
    kind: JobKind<About>,
    id: string,
    about: About,
  ): Promise<boolean> {
    for (let cursor: string | null = null; ; ) {
      const next: NextStep = await kind.step(about, cursor);
      if (next === null) return true;
      if (typeof next !== 'string') {
        await add({ id, kind: kind.name, about, ...next });
        return false;
      }
      cursor = next;
    }
  }

  /**
   * Gives a timer to a job that has none: one that an earlier release has stored or moved, whose stream record
   * continued it. Nothing happens if someone has changed the job.
   */
  async function adopt(job: Job): Promise<void> {
    const at = now();
    const queued = inState(withAge(job, at), 'QUEUED');
    await dynamo.tryTransact({
      job: changeJob(job, { ...queued, runAt: at }, ['since', 'unknownKind']),
      timer: setTimerOfJob(job, at),
    });
  }

  /**
   * Adopts the jobs that an earlier release left waiting in the index. Half a read unit if there are none. Resolves to
   * the number of jobs that got a timer.
   */
  async function adoptWaiting(): Promise<number> {
    const { items } = await dynamo.queryIndex(waitingJobs, { limit: PAGE });
    const adopted = await Promise.all(
      items.map(async (found) => {
        const key = parseKey(keyOf(found));
        // The index lags behind the table, and has keys only.
        const item = key.type === 'job' ? await dynamo.get(keys.job(key.id)) : undefined;
        if (key.type !== 'job' || item?.gsi1pk !== waitingJobs) return 0;
        const job = jobOf({ id: key.id }, item);
        const due = job.runAt ?? now();
        const failed = await dynamo.tryTransact({
          job: changeJob(job, { ...inState(job, 'QUEUED'), runAt: due }),
          timer: setTimerOfJob(job, due),
        });
        return failed === undefined ? 1 : 0;
      }),
    );
    return adopted.reduce<number>((sum, one) => sum + one, 0);
  }

  /** For a rebuild: sets the timer of an open job once more, because it may have been lost with a stream record. */
  async function restart(job: Job): Promise<void> {
    if (!goesOn(job)) return;
    if (job.runAt === undefined) await adopt(job);
    else await dynamo.transact([setTimerOfJob(job, job.runAt)]);
  }

  return { add, begin, runToEnd, adopt, adoptWaiting, restart };
}

/** The version of a job that `newJob` has stored and no server has begun. */
export const NEW_JOB_VERSION = 1;

/**
 * Stores a job, for a transaction with the change that it follows from. Fails if there is a job of this id. The
 * stream's handler gives it its timer, as to jobs of an earlier release.
 */
export const newJob = ({ id, kind, about, cursor }: Omit<NewJob, 'runAt'>) => ({
  put: { ...keys.job(id), v: FIRST_SHAPE, kind, about, cursor, rev: NEW_JOB_VERSION },
  condition: 'attribute_not_exists(pk)',
});

/** For a rebuild: sets the timers of all jobs. */
export const createJobsVisitor = (jobs: Jobs): Visitor => ({
  async visit(key, item) {
    const ref = refOfKey(key);
    if (ref !== undefined) await jobs.restart(jobOf(ref, item));
  },
});

const positionOf = (next: Exclude<NextStep, null>): { readonly cursor: string; readonly runAt?: number } =>
  typeof next === 'string' ? { cursor: next } : defined(next);
