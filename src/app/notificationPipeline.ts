import type { Dynamo } from '../dynamo/dynamo.ts';
import type { NotificationKind } from '../dynamo/keys.ts';
import { createJobs } from '../jobs/jobs.ts';
import { createNotifier } from '../notifications/derive/notifier.ts';
import { createReplies } from '../notifications/derive/replies.ts';
import type { Retention } from '../notifications/notification.ts';
import { createReadCleanup } from '../notifications/read/readCleanup.ts';

export interface NotifyingOptions {
  readonly dynamo: Dynamo;
  /** How long read notifications are kept. */
  readonly retention: Retention;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told of every notification that was made or has changed. */
  readonly onNotification?: (kind: NotificationKind) => void;
}

/** The parts that tell people what others did, wherever that is learned: from the stream or from a repair. */
export function createNotifying({ dynamo, retention, now, onNotification }: NotifyingOptions) {
  const jobs = createJobs({ dynamo });
  const notifier = createNotifier({
    ...{ dynamo, retention, now },
    ...(onNotification === undefined ? {} : { onChange: onNotification }),
  });
  const replies = createReplies({ dynamo, notifier, jobs });
  const readCleanup = createReadCleanup({ dynamo, jobs, retention });
  return { notifier, replies, readCleanup };
}
