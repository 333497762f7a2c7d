import { defined } from '../core/defined.ts';
import { DAY_S, secondsOf } from '../core/timestamps.ts';
import type { Item } from '../dynamo/item.ts';
import { jobList, type Key, keys, type ParsedKey } from '../dynamo/keys.ts';
import type { Write } from '../dynamo/write.ts';
import { setTimer, type Timer } from '../timers/timer.ts';

export const OPEN_STATES = ['QUEUED', 'RUNNING', 'PAUSED'] as const;
export const ENDED_STATES = ['DONE', 'FAILED', 'CANCELLED'] as const;
export type EndedState = (typeof ENDED_STATES)[number];
export type JobState = (typeof OPEN_STATES)[number] | EndedState;

/** Names a job: one of the system, or one that a user asked for. */
export interface JobRef {
  readonly id: string;
  /** Absent: a job of the system. */
  readonly user?: string;
}

/** Work that is too much for one request or one handler. It is stored in the table, and timers continue it. */
export interface Job<About extends Item = Item> extends JobRef {
  /** The name of the kind that does it. */
  readonly kind: string;
  /** What the job is about: bounded and small. */
  readonly about: About;
  /** The position of the next step, in the kind's own terms. Null: the first step. */
  readonly cursor: string | null;
  readonly state: JobState;
  /** Rises with every change. Every write of the job's requires the one that was read. */
  readonly version: number;
  /** The due time of the timer that continues it (milliseconds since 1970). Absent: written by an earlier release. */
  readonly runAt?: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** What is done, in the kind's own units; steps, if the job belongs to the system. */
  readonly done: number;
  /** Absent: unknown. */
  readonly total?: number;
  /** When it began to run, or continued after a pause, and what was done then. Absent until its first step. */
  readonly since?: { readonly at: number; readonly done: number };
  /** Why it has failed: a code of the errors' catalogue. */
  readonly failure?: string;
  /** The reason of a failure that is a CONFLICT. */
  readonly failureReason?: string;
  /** Milliseconds since 1970. */
  readonly finishedAt?: number;
}

const HISTORY_S = 7 * DAY_S;

/** `id`, or `user:id`. */
export const nameOfJob = ({ id, user }: JobRef): string => (user === undefined ? id : `${user}:${id}`);

/** The reverse of `nameOfJob`. */
export function refOfName(name: string): JobRef {
  const [first = '', second] = name.split(':');
  return second === undefined ? { id: first } : { user: first, id: second };
}

export const keyOfJob = ({ id, user }: JobRef): Key =>
  user === undefined ? keys.job(id) : keys.personJob(user, id);

/** Undefined if it is not the key of a job. */
export function refOfKey(key: ParsedKey): JobRef | undefined {
  if (key.type === 'job') return { id: key.id };
  return key.type === 'personJob' ? { user: key.user, id: key.id } : undefined;
}

export const isOpen = ({ state }: Job): boolean => OPEN_STATES.some((open) => open === state);

/** Whether it goes on by itself: a paused one waits for an operator. */
export const goesOn = (job: Job): boolean => isOpen(job) && job.state !== 'PAUSED';

/** One that `newJob` has stored does not say when it was created. `now`: milliseconds since 1970. */
export const withAge = (job: Job, now: number): Job =>
  job.createdAt === 0 ? { ...job, createdAt: now } : job;

/** Items of an earlier release have no state: they were running. */
export const jobOf = ({ id, user }: JobRef, item: Item): Job => ({
  id,
  ...defined({ user }),
  kind: item.kind as string,
  about: item.about as Item,
  cursor: item.cursor as string | null,
  state: (item.state as JobState | undefined) ?? 'RUNNING',
  version: item.rev as number,
  createdAt: Number(item.createdAt ?? item.runAt ?? 0),
  done: Number(item.done ?? 0),
  ...defined({
    runAt: item.runAt as number | undefined,
    total: item.total as number | undefined,
    since: item.since as Job['since'],
    failure: item.failure as string | undefined,
    failureReason: item.failureReason as string | undefined,
    finishedAt: item.finishedAt as number | undefined,
  }),
});

/** Changes a job, on the condition that it is as it was read. */
export function changeJob(job: Job, set: Item, remove: readonly string[] = []) {
  const changed = Object.entries({ ...set, rev: job.version + 1 });
  return {
    key: keyOfJob(job),
    update:
      `SET ${changed.map(([name]) => `#${name} = :${name}`).join(', ')}` +
      (remove.length === 0 ? '' : ` REMOVE ${remove.map((name) => `#${name}`).join(', ')}`),
    condition: '#rev = :was',
    names: Object.fromEntries(['rev', ...Object.keys(set), ...remove].map((name) => [`#${name}`, name])),
    values: {
      ...Object.fromEntries(changed.map(([name, value]) => [`:${name}`, value])),
      ':was': job.version,
    },
  };
}

/** The attributes of a state, with those of the index that lists jobs by it. */
export const inState = (job: JobRef & Pick<Job, 'createdAt'>, state: JobState): Item => ({
  state,
  createdAt: job.createdAt,
  gsi1pk: jobList.pk(state),
  gsi1sk: jobList.sk(job.createdAt, nameOfJob(job)),
});

/** Ends a job. It is kept for seven days. */
export const endJob = (job: Job, state: EndedState, now: number, set: Item = {}): Write =>
  changeJob(job, { ...set, ...inState(job, state), finishedAt: now, expiresAt: secondsOf(now) + HISTORY_S }, [
    'since',
  ]);

/** Names of kinds of timers. They are stored with each timer. */
export const SYSTEM_TIMERS = 'job';
export const PERSON_TIMERS = 'personJob';

/** The timer that continues a job at `due`. */
export function timerOfJob(job: JobRef, due: number): Timer {
  const { id, user } = job;
  const name = `job:${nameOfJob(job)}`;
  return user === undefined
    ? { id: name, kind: SYSTEM_TIMERS, due, about: { job: id }, owner: name }
    : // Not the user alone, so that their other timers have places of their own.
      { id: name, kind: PERSON_TIMERS, due, about: { job: id, user }, owner: `jobs:${user}` };
}

export const setTimerOfJob = (job: JobRef, due: number): Write => setTimer(timerOfJob(job, due));

/** The job that a timer continues. */
export const refOfTimer = ({ about }: Timer): JobRef => ({
  id: about.job as string,
  ...defined({ user: about.user as string | undefined }),
});

/** What remains at the speed so far, in whole seconds. Null if that is not known. */
export function remainingSeconds(job: Job, now: number): number | null {
  const { state, total, done, since } = job;
  if (state !== 'RUNNING' || total === undefined || since === undefined || done <= since.done) return null;
  const msEach = (now - since.at) / (done - since.done);
  return Math.max(0, Math.ceil(((total - done) * msEach) / 1_000));
}
