import { defined } from '../core/defined.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { NotificationKind } from '../dynamo/keys.ts';
import { createJobs, type JobKind } from '../jobs/jobs.ts';
import { createNotifier } from '../notifications/derive/notifier.ts';
import { createReplies } from '../notifications/derive/replies.ts';
import type { Retention } from '../notifications/notification.ts';
import { createReadCleanup } from '../notifications/read/readCleanup.ts';
import { REACTIONS } from '../reactions/registry.ts';

export interface AppJobsOptions {
  readonly dynamo: Dynamo;
  /** How long read notifications are kept. */
  readonly retention: Retention;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called for every notification that was made or has changed. */
  readonly onNotification?: (kind: NotificationKind) => void;
}

export type AppJobs = ReturnType<typeof createAppJobs>;

/** All background work, and what begins it: once per process. A feature that has a job kind has its line here. */
export function createAppJobs({ dynamo, retention, now, onNotification }: AppJobsOptions) {
  const jobs = createJobs({ dynamo, now });
  const notifier = createNotifier({
    ...{ dynamo, retention, now },
    ...defined({ onChange: onNotification }),
  });
  const replies = createReplies({ dynamo, notifier, jobs });
  const readCleanup = createReadCleanup({ dynamo, jobs, retention });
  const cleanups = REACTIONS.map(({ createCleanup }) => createCleanup({ dynamo, now }));
  const kinds: readonly JobKind[] = [
    replies.remainingFollowersJob,
    ...readCleanup.kinds,
    ...cleanups.map(({ kind }) => kind),
  ];
  return { jobs, kinds, notifier, replies, readCleanup, cleanups };
}
