import { notFound } from '../core/errors.ts';
import { secondsOf } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { jobList, keyOf, parseKey } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import {
  changeJob,
  endJob,
  inState,
  isOpen,
  type Job,
  type JobRef,
  type JobState,
  jobOf,
  keyOfJob,
  OPEN_STATES,
  refOfKey,
  setTimerOfJob,
  withAge,
} from './job.ts';
import { endPersonJob } from './openJobs.ts';

/** How many jobs of a state are counted. A larger number is shown as this one. */
const COUNTED_MAX = 1_000;

export interface JobControlOptions {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface JobCounts {
  /** How many jobs are in each state that an operator watches; at most COUNTED_MAX. */
  readonly states: Readonly<Record<(typeof COUNTED)[number], number>>;
  /** When the oldest open job was created (milliseconds since 1970). Undefined if there is none. */
  readonly oldestAt: number | undefined;
}

const COUNTED = [...OPEN_STATES, 'FAILED'] as const;

export type JobControl = ReturnType<typeof createJobControl>;

/** What operators do with jobs: those of the system, and those of users. */
export function createJobControl({ dynamo, now }: JobControlOptions) {
  /** The oldest jobs in a state, at most `limit`. One query of the index, which lags, and a batch. */
  async function list(state: JobState, limit: number): Promise<Job[]> {
    const { items } = await dynamo.queryIndex(jobList.pk(state), { limit });
    const found = await dynamo.batchGet(items.map(keyOf));
    return found.flatMap((item) => {
      const ref = item === undefined ? undefined : refOfKey(parseKey(keyOf(item)));
      if (ref === undefined || item?.state !== state) return [];
      // The database deletes ended ones later.
      return Number(item.expiresAt ?? Number.POSITIVE_INFINITY) > secondsOf(now()) ? [jobOf(ref, item)] : [];
    });
  }

  /** Four queries of the index: a unit for each hundred jobs or so. */
  async function counts(): Promise<JobCounts> {
    const pages = await Promise.all(
      COUNTED.map(async (state) => {
        const { items } = await dynamo.queryIndex(jobList.pk(state), { limit: COUNTED_MAX });
        return { state, count: items.length, oldest: items[0] };
      }),
    );
    const oldest = pages.flatMap(({ state, oldest: item }) =>
      state === 'FAILED' || item === undefined ? [] : [Number(String(item.gsi1sk).slice(0, 16))],
    );
    const states = Object.fromEntries(pages.map(({ state, count }) => [state, count]));
    return {
      states: states as JobCounts['states'],
      oldestAt: oldest.length === 0 ? undefined : Math.min(...oldest),
    };
  }

  /** Undefined if there is no such job; one of the system's is deleted when it is done. */
  async function find(ref: JobRef): Promise<Job | undefined> {
    const item = await dynamo.get(keyOfJob(ref));
    return item === undefined ? undefined : jobOf(ref, item);
  }

  /** Resolves to the job afterwards. One that has ended stays as it is. Throws NOT_FOUND. */
  const change = (
    ref: JobRef,
    write: (job: Job) => Promise<'unchanged' | 'written' | 'again'>,
  ): Promise<Job> =>
    dynamo.optimistic(async () => {
      const job = await find(ref);
      if (job === undefined) throw notFound();
      const result = isOpen(job) ? await write(job) : 'unchanged';
      if (result === 'again') return AGAIN;
      return (result === 'written' ? await find(ref) : undefined) ?? job;
    });

  /** A step of the system's that runs at this moment is finished, and repeated when the job is resumed. Idempotent. */
  const pause = (ref: JobRef): Promise<Job> =>
    change(ref, async (job) => {
      if (job.state === 'PAUSED') return 'unchanged';
      const failed = await dynamo.tryTransact({
        job: changeJob(job, inState(withAge(job, now()), 'PAUSED'), ['since']),
      });
      return failed === undefined ? 'written' : 'again';
    });

  /** Idempotent. */
  const resume = (ref: JobRef): Promise<Job> =>
    change(ref, async (job) => {
      if (job.state !== 'PAUSED') return 'unchanged';
      // Later than the timer before, which may be handled at this moment and is deleted then.
      const runAt = Math.max(now(), (job.runAt ?? 0) + 1);
      const failed = await dynamo.tryTransact({
        job: changeJob(job, { ...inState(job, 'QUEUED'), runAt }),
        timer: setTimerOfJob(job, runAt),
      });
      return failed === undefined ? 'written' : 'again';
    });

  /** The job writes nothing from then on, except a step of the system's that runs at this moment. Idempotent. */
  const cancel = (ref: JobRef): Promise<Job> =>
    change(ref, async (job) => {
      const ending =
        job.user === undefined
          ? { job: endJob(job, 'CANCELLED', now()) }
          : await endPersonJob(dynamo, job.user, job, { state: 'CANCELLED', now: now() });
      return (await dynamo.tryTransact(ending)) === undefined ? 'written' : 'again';
    });

  return { list, counts, find, pause, resume, cancel };
}
