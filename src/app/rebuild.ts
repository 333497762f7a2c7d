import type { Publisher } from '../bus/publisher.ts';
import type { Log } from '../core/log.ts';
import { createTimestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { createJobsVisitor } from '../jobs/jobs.ts';
import { createBackfillVisitor } from '../notifications/derive/backfill.ts';
import type { Retention } from '../notifications/notification.ts';
import { createCleanupVisitor } from '../reactions/cleanup.ts';
import { type Findings, rebuild } from '../rebuild/rebuild.ts';
import { createRoomsVisitor } from '../roomEvents/rebuildVisitor.ts';
import { createRoomLog } from '../roomEvents/roomLog.ts';
import { createWaitlistProcessor } from '../rooms/membership/waitlistProcessor.ts';
import { type AppJobs, createAppJobs } from './jobs.ts';

export interface BackfillOptions {
  readonly dynamo: Dynamo;
  /** How long read notifications are kept. */
  readonly retention: Retention;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with every item that was read. */
  readonly onItem?: () => void;
}

export interface CreateRebuildOptions extends BackfillOptions {
  /** Those of the process, if it has handlers. Default: new ones. */
  readonly jobs?: AppJobs;
  readonly publisher: Publisher;
  readonly log: Log;
}

/** Derives only the missing notifications. Reads the table once. Resolves to how many were created or changed. */
export async function backfillNotifications(options: BackfillOptions): Promise<number> {
  const { notifier, replies } = createAppJobs(options);
  const { notifications = 0 } = await rebuild({
    ...options,
    visitors: [createBackfillVisitor({ ...options, notifier, replies })],
  });
  return notifications;
}

/**
 * Rebuilds from the items what trimmed stream records had not delivered. Then all clients reload what they show. A
 * feature that derives something from the stream has its visitor here. Reads the table once. Idempotent.
 */
export function createRebuild({ publisher, log, ...options }: CreateRebuildOptions) {
  const { dynamo, now } = options;
  const { jobs, notifier, replies, cleanups } = options.jobs ?? createAppJobs(options);

  async function run(signal: AbortSignal): Promise<Findings> {
    const found = await rebuild({
      ...options,
      signal,
      visitors: [
        createRoomsVisitor({ log: createRoomLog({ dynamo, now }) }),
        createWaitlistProcessor({ dynamo, timestamps: createTimestamps(now) }).visitor,
        createCleanupVisitor(jobs, cleanups),
        createBackfillVisitor({ ...options, notifier, replies }),
        createJobsVisitor(jobs),
      ],
    });
    log.warn(found, 'Rebuilt from the table what trimmed stream records had not delivered');
    publisher.resync('The stream has trimmed records that no consumer read');
    return found;
  }

  // Several shards may turn out to be trimmed at the same time. One rebuild serves all of them: lost records are at
  // least a day old. If it fails or is aborted, each caller tries again.
  let running: Promise<Findings> | undefined;
  return (signal: AbortSignal): Promise<Findings> => {
    running ??= run(signal).finally(() => {
      running = undefined;
    });
    return running;
  };
}
