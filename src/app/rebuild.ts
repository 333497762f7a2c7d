import type { Publisher } from '../bus/publisher.ts';
import type { Log } from '../core/log.ts';
import { createTimestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { createJobsVisitor } from '../jobs/jobs.ts';
import { createBackfillVisitor } from '../notifications/derive/backfill.ts';
import type { Retention } from '../notifications/notification.ts';
import { createCleanupVisitor } from '../reactions/cleanup.ts';
import { type Findings, rebuild } from '../rebuild/rebuild.ts';
import { createRoomsVisitor } from '../roomEvents/repair.ts';
import { createRoomLog } from '../roomEvents/roomLog.ts';
import { createWaitlistProcessor } from '../rooms/membership/waitlistProcessor.ts';
import { createAppJobs } from './jobs.ts';

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
  readonly publisher: Publisher;
  readonly log: Log;
}

/** Derives missing notifications alone. Reads the table once. Resolves to how many were made or have changed. */
export async function backfillNotifications(options: BackfillOptions): Promise<number> {
  const { notifier, replies } = createAppJobs(options);
  const { notifications = 0 } = await rebuild({
    ...options,
    visitors: [createBackfillVisitor({ ...options, notifier, replies })],
  });
  return notifications;
}

/**
 * Derives from the items themselves what trimmed stream records would have led to, and has all clients read again
 * what they show. A feature that derives something from the stream has its visitor here. Reads the table once.
 * Idempotent.
 */
export function createRebuild({ publisher, log, ...options }: CreateRebuildOptions) {
  const { dynamo, now } = options;
  const { jobs, notifier, replies, cleanups } = createAppJobs(options);

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
    log.warn(found, 'What trimmed stream records would have led to was derived from the table');
    publisher.resync('The stream has trimmed records that no consumer read');
    return found;
  }

  // Several shards may turn out to be trimmed at the same time. One rebuild does for all of them, because what each
  // has lost is a day old. If it fails or is aborted, each caller tries again.
  let running: Promise<Findings> | undefined;
  return (signal: AbortSignal): Promise<Findings> => {
    running ??= run(signal).finally(() => {
      running = undefined;
    });
    return running;
  };
}
