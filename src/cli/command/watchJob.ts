import { isOpen, type Job } from '../../jobs/job.ts';
import type { Progress } from './progress.ts';

export interface WatchJobOptions {
  /** Waits, and reads the job again. */
  readonly next: (known: Job) => Promise<Job>;
  readonly progress: Pick<Progress, 'add'>;
}

/** Shows what a job has done, until it has ended. Resolves to the job as it was read last. */
export async function watchJob(first: Job, { next, progress }: WatchJobOptions): Promise<Job> {
  let job = first;
  let shown = 0;
  for (;;) {
    progress.add(job.done - shown);
    shown = job.done;
    if (!isOpen(job)) return job;
    job = await next(job);
  }
}
