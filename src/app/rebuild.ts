import type { Publisher } from '../bus/publisher.ts';
import type { Log } from '../core/log.ts';
import { createTimestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { wakeJobs } from '../jobs/jobs.ts';
import { backfillNotifications } from '../notifications/derive/backfill.ts';
import type { Retention } from '../notifications/notification.ts';
import { clearLeftovers } from '../reactions/cleanup.ts';
import { clearLikes } from '../reactions/likes/clearing.ts';
import { clearStamps } from '../reactions/stamps/clearing.ts';
import { type Repaired, repairRooms } from '../roomEvents/repair.ts';
import { createRoomLog } from '../roomEvents/roomLog.ts';
import { createWaitlistProcessor } from '../rooms/membership/waitlistProcessor.ts';
import { createNotifying } from './notificationPipeline.ts';

export interface CreateRepairOptions {
  readonly dynamo: Dynamo;
  readonly publisher: Publisher;
  readonly log: Log;
  /** How long read notifications are kept. */
  readonly retention: Retention;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Derives from the items themselves what forgotten stream records would have led to, and has everybody read
 * again what they show. Each feature that derives something has its part in here. To be repeated at will.
 */
export function createRepair({ dynamo, publisher, log, retention, now }: CreateRepairOptions) {
  const roomLog = createRoomLog({ dynamo, now });
  const notifying = createNotifying({ dynamo, retention, now });

  async function repair(signal: AbortSignal): Promise<Repaired> {
    const found = await repairRooms({ dynamo, log: roomLog, signal });
    await createWaitlistProcessor({ dynamo, timestamps: createTimestamps(now) }).assignAllFreeSeats(signal);
    const uncleared = await clearLeftovers({ dynamo, clear: [clearStamps, clearLikes], signal });
    const notifications = await backfillNotifications({ ...notifying, dynamo, retention, now, signal });
    await wakeJobs({ dynamo, signal });
    log.warn(
      { ...found, uncleared, notifications },
      'What forgotten stream records would have led to was derived from the table',
    );
    publisher.resync('The stream has forgotten records');
    return found;
  }

  // Several shards may be found gone at one moment. One under way will do for all: what each of them has lost is
  // a day old. Where it fails, or is cut short, whoever asked asks again.
  let underWay: Promise<Repaired> | undefined;
  return (signal: AbortSignal): Promise<Repaired> => {
    underWay ??= repair(signal).finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}
