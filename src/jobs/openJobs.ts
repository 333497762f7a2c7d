import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { type Key, keys } from '../dynamo/keys.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import { ifVersion, type Write } from '../dynamo/write.ts';
import { type EndedState, endJob, type Job, setTimerOfJob } from './job.ts';

/** How many jobs of one user are open at the same time. */
export const OPEN_JOBS_MAX = 20;

/** A user's jobs that have not ended. They run one at a time, in the order in which the user asked for them. */
export interface OpenJobs {
  readonly key: Key;
  /** Ids, the oldest first. Only that one runs. */
  readonly ids: readonly string[];
  /** The number of the newest job that the user ever had. */
  readonly newest: number;
  /** 0: there is no item yet. */
  readonly version: number;
}

export async function loadOpenJobs(dynamo: Pick<Dynamo, 'get'>, user: string): Promise<OpenJobs> {
  const key = keys.openJobs(user);
  const { open = [], newest = 0, rev = 0 } = (await dynamo.get(key)) ?? {};
  return { key, ids: open as string[], newest: Number(newest), version: Number(rev) };
}

/** Stores a new list, on the condition that it is as it was read. */
export const openJobsWrite = ({ key, version }: OpenJobs, ids: readonly string[], newest: number) =>
  ({
    put: { ...key, v: FIRST_SHAPE, open: [...ids], newest, rev: version + 1 },
    ...ifVersion(version),
  }) satisfies Write;

export interface Ending {
  readonly state: EndedState;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Other attributes. */
  readonly set?: Item;
}

/**
 * Ends a user's job, and starts the next one: for a transaction, which fails if another job was added or has ended in
 * the meantime. One read.
 */
export async function endPersonJob(
  dynamo: Pick<Dynamo, 'get'>,
  user: string,
  job: Job,
  { state, now, set = {} }: Ending,
) {
  const open = await loadOpenJobs(dynamo, user);
  const ids = open.ids.filter((id) => id !== job.id);
  const [next] = ids;
  return {
    job: endJob(job, state, now, set),
    open: openJobsWrite(open, ids, open.newest),
    next: next === undefined ? undefined : setTimerOfJob({ id: next, user }, now),
  };
}
