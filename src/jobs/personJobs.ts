import { defined } from '../core/defined.ts';
import { conflict, notFound } from '../core/errors.ts';
import { secondsOf, toTimestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { keyOf, keys, parseKey, ranges } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import type { Write } from '../dynamo/write.ts';
import { inState, isOpen, type Job, jobOf, setTimerOfJob } from './job.ts';
import { endPersonJob, loadOpenJobs, OPEN_JOBS_MAX, openJobsWrite } from './openJobs.ts';

/** One step of a user's job. */
export interface PersonStep {
  /**
   * What the step writes, on conditions that fail if something that it read has changed: then it is planned again.
   * They are one transaction with the job's own position, so each step is done once, and a job that was cancelled
   * writes nothing. At most `STEP_WRITES_MAX`.
   */
  readonly writes: readonly Write[];
  /** The position of the next step. Null: the job is done. */
  readonly next: string | null;
  /** How much of `total` the step does. */
  readonly done: number;
  /** If it is another number than before. */
  readonly total?: number;
}

/**
 * How work that a user asked for is done. Jobs of a user run one at a time. They share a budget of write units with
 * those of all users.
 */
export interface PersonJobKind<About extends Item = Item> {
  /** Stored with each job. */
  readonly name: string;
  /**
   * Reads what the next step needs, and writes nothing. A cursor of null begins. If it throws an error of the
   * catalogue that cannot pass by itself, the job ends as FAILED, with its code. After any other error it is called
   * again, for a day.
   */
  plan(about: About, cursor: string | null, job: Job): Promise<PersonStep>;
}

/** With the job, the list of open jobs, and two timers: the 100 of a transaction. */
export const STEP_WRITES_MAX = 96;

export interface NewPersonJob {
  /** The name of its kind. */
  readonly kind: string;
  readonly about: Item;
  /** Absent: unknown. */
  readonly total?: number;
}

export interface PersonJobsOptions {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The jobs that users asked for. */
export function createPersonJobs({ dynamo, now }: PersonJobsOptions) {
  /**
   * Stores a job and starts it. One read and one transaction, in which `writes` can store what must be true from then
   * on. Throws CONFLICT if the user has OPEN_JOBS_MAX that have not ended.
   */
  const add = (
    user: string,
    { kind, about, total }: NewPersonJob,
    writes: readonly Write[] = [],
  ): Promise<Job> =>
    dynamo.optimistic(async () => {
      const open = await loadOpenJobs(dynamo, user);
      if (open.ids.length >= OPEN_JOBS_MAX) {
        throw conflict('LIMIT_REACHED', `You can have at most ${OPEN_JOBS_MAX} jobs at the same time.`);
      }
      const newest = open.newest + 1;
      const at = now();
      const ref = { user, id: toTimestamp(newest) };
      const item = {
        v: FIRST_SHAPE,
        kind,
        about,
        cursor: null,
        rev: 1,
        runAt: at,
        done: 0,
        ...inState({ ...ref, createdAt: at }, 'QUEUED'),
        ...defined({ total }),
      };
      const failed = await dynamo.tryTransact({
        job: { put: { ...keys.personJob(user, ref.id), ...item } },
        open: openJobsWrite(open, [...open.ids, ref.id], newest),
        timer: setTimerOfJob(ref, at),
        writes,
      });
      if (failed === undefined) return jobOf(ref, item);
      // The caller's own conditions are the caller's to explain.
      if (failed.open === undefined) throw conflict('LIMIT_REACHED', 'Something changed in the meantime.');
      return AGAIN;
    });

  /** Null if the user has no such job. One read. */
  async function find(user: string, id: string): Promise<Job | null> {
    const item = await dynamo.get(keys.personJob(user, id));
    return item === undefined ? null : jobOf({ user, id }, item);
  }

  /** Cancels a job that has not ended: it writes nothing from then on. Idempotent. Throws NOT_FOUND. */
  const cancel = (user: string, id: string): Promise<Job> =>
    dynamo.optimistic(async () => {
      const job = await find(user, id);
      if (job === null) throw notFound();
      if (!isOpen(job)) return job;
      const at = now();
      const failed = await dynamo.tryTransact(
        await endPersonJob(dynamo, user, job, { state: 'CANCELLED', now: at }),
      );
      return failed === undefined ? { ...job, state: 'CANCELLED', finishedAt: at } : AGAIN;
    });

  /**
   * The user's open jobs and those of the last seven days, newest first. One query. `from`: a job's id to start after.
   */
  async function list(
    user: string,
    { limit, from }: { readonly limit: number; readonly from?: string | undefined },
  ) {
    const after = from === undefined ? {} : { after: keys.personJob(user, from).sk };
    const { items, more } = await dynamo.query(ranges.personJobs(user), { limit, reverse: true, ...after });
    const nodes = items.flatMap((item) => {
      const key = parseKey(keyOf(item));
      // The database deletes ended ones later.
      const isKept = Number(item.expiresAt ?? Number.POSITIVE_INFINITY) > secondsOf(now());
      return key.type === 'personJob' && isKept ? [jobOf({ user, id: key.id }, item)] : [];
    });
    return { nodes, more };
  }

  return { add, find, cancel, list };
}
