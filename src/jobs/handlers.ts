import pLimit from 'p-limit';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import type { Change, StreamHandler } from '../stream/change.ts';
import { type JobKind, jobOf, moveJob } from './jobs.ts';

const JOBS_AT_ONCE = 4;

export interface JobsHandlerOptions {
  readonly dynamo: Dynamo;
  readonly kinds: readonly JobKind[];
}

/**
 * Does one step of a job for each change of it in the stream, and moves its cursor, which is the next change:
 * so a job goes on by itself until it is done, whoever reads the stream by then. Killed before the cursor is
 * moved, the step is done again.
 */
export function createJobsHandler({ dynamo, kinds }: JobsHandlerOptions): StreamHandler {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));

  async function goOn({ key, new: item }: Change): Promise<void> {
    if (key.type !== 'job' || item === undefined) return;
    const told = jobOf(key.id, item);
    // An older record than the job is, told again: that step is done.
    const now = await dynamo.get(keys.job(key.id));
    if (now?.rev !== told.rev) return;
    const kind = byName.get(told.kind);
    if (kind === undefined) throw new Error(`Nobody knows how to do a job of the kind ${told.kind}.`);
    await moveJob(dynamo, told, await kind.step(told.about, told.cursor));
  }

  return {
    name: 'jobs',
    itemTypes: ['job'],
    async handle(changes) {
      await pLimit(JOBS_AT_ONCE).map(changes, goOn);
    },
  };
}
