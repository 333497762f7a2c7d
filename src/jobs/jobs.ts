import { defined } from '../core/defined.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ifConditionHolds } from '../dynamo/errors.ts';
import type { Item } from '../dynamo/item.ts';
import { keyOf, keys, parseKey, waitingJobs } from '../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../dynamo/table.ts';
import type { Write } from '../dynamo/write.ts';
import type { Visitor } from '../rebuild/rebuild.ts';
import { setTimer, type TimerKind } from '../timers/timer.ts';

/** Work that is too much for one call of a handler. It is stored in the table and continues itself: see `handlers.ts`. */
export interface Job<About extends Item = Item> {
  /** Made from what the job is about, so that the same work begun twice is one job. */
  readonly id: string;
  /** The name of the `JobKind` that does it. */
  readonly kind: string;
  /** What the job is about: bounded and small. */
  readonly about: About;
  /** The position of the next step, in the kind's own terms. */
  readonly cursor: string;
  /** Rises with every step. */
  readonly version: number;
  /** The next step does not begin before this time (milliseconds since 1970). Absent: at once. */
  readonly runAt?: number;
  /** How often it has waited for a worker that knows its kind. */
  readonly unknownKind?: number;
}

/** The cursor of the next step, which begins at once, or not before `runAt` (milliseconds since 1970). Null: the job is done. */
export type NextStep = string | { readonly cursor: string; readonly runAt: number } | null;

/** How a kind of work is done, one bounded step after the other. */
export interface JobKind<About extends Item = Item> {
  readonly name: string;
  /**
   * One step. A cursor of null begins. Repeated for the same cursor after a crash, and possibly run twice at the same
   * time, so every step must be idempotent. If it rejects, the job's change is repeated and then becomes a dead
   * letter, as with any handler.
   */
  step(about: About, cursor: string | null): Promise<NextStep>;
}

export type Jobs = ReturnType<typeof createJobs>;

const TIMER_KIND = 'job';
const PAGE = 25;
/** How long a job of an unknown kind waits, and how often: an hour in total. */
const UNKNOWN_KIND_WAIT_MS = 60_000;
const UNKNOWN_KIND_MAX = 60;

export interface JobsOptions {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export function createJobs({ dynamo, now = Date.now }: JobsOptions) {
  /**
   * Stores a job, for the stream's consumer to run, and a timer if it has to wait. One write or one transaction. A job
   * of this id that exists already continues.
   */
  async function add({ id, kind, about, cursor, runAt }: Omit<Job, 'version'>): Promise<void> {
    const { put, ...isNew } = newJob({ id, kind, about, cursor, ...defined({ runAt }) });
    if (runAt === undefined) await ifConditionHolds(dynamo.put(put, isNew));
    else await dynamo.tryTransact({ job: { put, ...isNew }, timer: timerOfJob(id, runAt) });
  }

  /** Runs the first step at once, because most work needs only one; the rest, if there is any, as a job. */
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
   * Gives a timer to the jobs that an earlier release left waiting in the index. Half a read unit if there are none.
   * Resolves to the number of jobs that got one.
   */
  async function adoptWaiting(): Promise<number> {
    const { items } = await dynamo.queryIndex(waitingJobs, { limit: PAGE });
    const adopted = await Promise.all(
      items.map(async (found) => {
        const key = parseKey(keyOf(found));
        // The index lags behind the table, and may have keys only.
        const item = key.type === 'job' ? await dynamo.get(keys.job(key.id)) : undefined;
        if (key.type !== 'job' || item?.gsi1pk === undefined) return 0;
        const { version, runAt = now() } = jobOf(key.id, item);
        const failed = await dynamo.tryTransact({
          job: {
            key: keys.job(key.id),
            update: 'REMOVE gsi1pk, gsi1sk',
            condition: 'rev = :rev',
            values: { ':rev': version },
          },
          timer: timerOfJob(key.id, runAt),
        });
        return failed === undefined ? 1 : 0;
      }),
    );
    return adopted.reduce<number>((sum, one) => sum + one, 0);
  }

  /** Causes a stream record for the job, unless it has to wait longer. */
  async function start(job: Job): Promise<void> {
    if ((job.runAt ?? 0) <= now()) await moveJob(dynamo, job, job.cursor);
  }

  /** Starts a job when its wait is over. One that has moved since has a timer of its own. */
  const timerKind: TimerKind<{ readonly job: string }> = {
    name: TIMER_KIND,
    async handle({ about: { job: id } }) {
      const item = await dynamo.get(keys.job(id));
      if (item?.runAt !== undefined) await start(jobOf(id, item));
    },
  };

  /** For a rebuild: the job's stream record may have been trimmed, and its timer may have failed. */
  async function restart(job: Job): Promise<void> {
    if ((job.runAt ?? 0) <= now()) await start(job);
    else await dynamo.transact([timerOfJob(job.id, job.runAt ?? 0)]);
  }

  return { add, begin, runToEnd, adoptWaiting, start, restart, timerKind };
}

/** Stores a job, for a transaction with the change that it follows from. Fails if there is a job of this id. */
export const newJob = ({ id, kind, about, cursor, runAt }: Omit<Job, 'version'>) => ({
  put: { ...keys.job(id), v: SCHEMA_VERSION, kind, about, cursor, rev: 1, ...defined({ runAt }) },
  condition: 'attribute_not_exists(pk)',
});

/** The timer that ends a job's wait. */
const timerOfJob = (id: string, runAt: number): Write =>
  setTimer({ id: `job:${id}`, kind: TIMER_KIND, due: runAt, about: { job: id }, owner: `job:${id}` });

/** For a rebuild: starts every job, or sets its timer. */
export const createJobsVisitor = (jobs: Jobs): Visitor => ({
  async visit(key, item) {
    if (key.type === 'job') await jobs.restart(jobOf(key.id, item));
  },
});

export const jobOf = (id: string, item: Item): Job => ({
  id,
  kind: item.kind as string,
  about: item.about as Item,
  cursor: item.cursor as string,
  version: item.rev as number,
  ...defined({
    runAt: item.runAt as number | undefined,
    unknownKind: item.unknownKind as number | undefined,
  }),
});

/**
 * Leaves a job of an unknown kind to a worker that knows it: during a rolling update, old workers receive jobs of new
 * kinds. After an hour it is a mistake, and throws.
 */
export async function waitForKind(dynamo: Dynamo, job: Job, now: number): Promise<void> {
  const { kind, cursor, unknownKind = 0 } = job;
  if (unknownKind >= UNKNOWN_KIND_MAX) throw new Error(`There is no job kind named ${kind}.`);
  const next = { cursor, runAt: now + UNKNOWN_KIND_WAIT_MS };
  await moveJob(dynamo, { ...job, unknownKind: unknownKind + 1 }, next);
}

/** Stores the next step, or deletes the job (null). A job that has moved in the meantime is left alone. */
export async function moveJob(
  dynamo: Dynamo,
  { id, version, unknownKind }: Job,
  next: NextStep,
): Promise<void> {
  const unmoved = { condition: 'rev = :rev', values: { ':rev': version } };
  if (next === null) {
    await ifConditionHolds(dynamo.remove(keys.job(id), unmoved));
    return;
  }
  const { cursor, runAt } = positionOf(next);
  const change = {
    update:
      `SET #cursor = :cursor, rev = :next${unknownKind === undefined ? '' : ', unknownKind = :unknownKind'}` +
      // An earlier release kept waiting jobs in the index.
      (runAt === undefined ? ' REMOVE runAt, gsi1pk, gsi1sk' : ', runAt = :runAt REMOVE gsi1pk, gsi1sk'),
    condition: unmoved.condition,
    names: { '#cursor': 'cursor' },
    values: {
      ...unmoved.values,
      ...{ ':cursor': cursor, ':next': version + 1 },
      ...defined({ ':runAt': runAt, ':unknownKind': unknownKind }),
    },
  };
  if (runAt === undefined) await ifConditionHolds(dynamo.update(keys.job(id), change));
  else await dynamo.tryTransact({ job: { key: keys.job(id), ...change }, timer: timerOfJob(id, runAt) });
}

const positionOf = (next: Exclude<NextStep, null>): { readonly cursor: string; readonly runAt?: number } =>
  typeof next === 'string' ? { cursor: next } : next;
