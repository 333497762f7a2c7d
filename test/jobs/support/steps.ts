import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import type { Item } from '../../../src/dynamo/item.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import {
  type JobRef,
  jobOf,
  keyOfJob,
  PERSON_TIMERS,
  SYSTEM_TIMERS,
  timerOfJob,
} from '../../../src/jobs/job.ts';
import type { JobKind, NextStep } from '../../../src/jobs/jobs.ts';
import { createJobRunner, type JobRunnerOptions } from '../../../src/jobs/runner.ts';
import type { TimerRun } from '../../../src/timers/timer.ts';
import { Killed } from '../../support/database/killedAt.ts';

/** Ends a slice after its first step. */
export const oneStep: TimerRun = { shouldYield: () => true, also: [], add() {} };

/**
 * Runs one step of a job, as its timer does at its time. Resolves to whether the job exists. The clock of `options`
 * must be ahead of that of an app on the same table, because the app runs due jobs too.
 */
export async function stepOf(
  options: JobRunnerOptions & { readonly dynamo: Dynamo },
  ref: JobRef,
): Promise<boolean> {
  const { dynamo } = options;
  const item = await dynamo.get(keyOfJob(ref));
  if (item === undefined) return false;
  const timer = timerOfJob(ref, Number(item.runAt));
  await handlerOf(options, ref).handle(timer, oneStep);
  await dynamo.remove(keys.timer(timer.due, timer.id));
  return true;
}

/**
 * Runs the steps of a job from a cursor on. Resolves to the cursor of the step in which its process was killed (see
 * `killedAt`), and to null if the job has ended.
 */
export async function runSteps<About extends Item>(
  job: JobKind<About>,
  about: About,
  from: string,
): Promise<string | null> {
  for (let cursor = from; ; ) {
    let next: NextStep;
    try {
      next = await job.step(about, cursor);
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      return cursor;
    }
    if (next === null) return null;
    cursor = typeof next === 'string' ? next : next.cursor;
  }
}

/** What runs jobs as this one. */
export function handlerOf(options: JobRunnerOptions, { user }: JobRef) {
  const name = user === undefined ? SYSTEM_TIMERS : PERSON_TIMERS;
  const kind = createJobRunner(options).find((one) => one.name === name);
  if (kind === undefined) throw new Error(`There is no kind of timers named ${name}.`);
  return kind;
}

/** A job as it is stored. Undefined if there is none. */
export async function storedJob(dynamo: Pick<Dynamo, 'get'>, ref: JobRef) {
  const item = await dynamo.get(keyOfJob(ref));
  return item === undefined ? undefined : jobOf(ref, item);
}
