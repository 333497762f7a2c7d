import { mapAtMost } from '../core/mapAtMost.ts';
import type { StreamHandler } from '../stream/change.ts';
import { goesOn, jobOf } from './job.ts';
import type { Jobs } from './jobs.ts';

const JOBS_AT_ONCE = 4;

/**
 * Gives a timer to each job that has none: those that `newJob` has stored, and those of an earlier release, which their
 * stream records continued. During a rolling update a worker of that release also continues the jobs of this one, and
 * takes their due time away.
 */
export const createJobsHandler = ({ jobs }: { readonly jobs: Pick<Jobs, 'adopt'> }): StreamHandler => ({
  name: 'jobs',
  itemTypes: ['job'],
  async handle(changes) {
    await mapAtMost(JOBS_AT_ONCE, changes, async ({ key, new: item }) => {
      if (key.type !== 'job' || item === undefined) return;
      const job = jobOf({ id: key.id }, item);
      if (job.runAt === undefined && goesOn(job)) await jobs.adopt(job);
    });
  },
});
