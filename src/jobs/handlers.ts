import pLimit from 'p-limit';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import type { Change, StreamHandler } from '../stream/change.ts';
import { type JobKind, jobOf, moveJob, waitForKind } from './jobs.ts';

const JOBS_AT_ONCE = 4;

export interface JobsHandlerOptions {
  readonly dynamo: Dynamo;
  readonly kinds: readonly JobKind[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Runs one step of a job for each change of its item, and moves its cursor, which is the next change. So a job
 * continues until it is done, in whichever process reads the stream. If the process dies before the cursor is moved,
 * the step is repeated. A job that has to wait (`runAt`) is left to its timer, and so is a job of an unknown kind.
 */
export function createJobsHandler({ dynamo, kinds, now }: JobsHandlerOptions): StreamHandler {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));

  async function continueJob({ key, new: item }: Change): Promise<void> {
    if (key.type !== 'job' || item === undefined) return;
    const job = jobOf(key.id, item);
    if (job.runAt !== undefined && job.runAt > now()) return;
    // A record that is older than the job was read again: its step is done.
    const current = await dynamo.get(keys.job(key.id));
    if (current?.rev !== job.version) return;
    const kind = byName.get(job.kind);
    if (kind === undefined) await waitForKind(dynamo, job, now());
    else await moveJob(dynamo, job, await kind.step(job.about, job.cursor));
  }

  return {
    name: 'jobs',
    itemTypes: ['job'],
    async handle(changes) {
      await pLimit(JOBS_AT_ONCE).map(changes, continueJob);
    },
  };
}
