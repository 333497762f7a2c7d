import { keys } from '../dynamo/keys.ts';
import type { Counter } from '../verify/counter.ts';
import { isOpen, jobOf } from './job.ts';

/** How many jobs of each user are open. */
export const openJobsCounter: Counter = {
  name: 'openJobs',
  stored: (key, item) =>
    key.type === 'openJobs'
      ? { counts: { open: (item.open as readonly string[]).length }, version: String(item.rev) }
      : undefined,
  contributions: (key, item) =>
    key.type === 'personJob' && isOpen(jobOf(key, item))
      ? [{ in: keys.openJobs(key.user), name: 'open' }]
      : [],
};
