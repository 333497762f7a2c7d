/** Gives up an import of a room that was ended and will not be continued, so that another one can begin. */

import { type Clock, sleep, systemClock } from '../core/clock.ts';
import { defined } from '../core/defined.ts';
import { createTimestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ifConditionHolds } from '../dynamo/errors.ts';
import type { Item } from '../dynamo/item.ts';
import { keys } from '../dynamo/keys.ts';
import { encodeId } from '../graphql/ids.ts';
import { isOpen, jobOf } from '../jobs/job.ts';
import { createJobs, NEW_JOB_VERSION, newJob } from '../jobs/jobs.ts';
import { createDeletionJob, DELETION, deletionJobId, MEMBERS } from '../roomDeletion/deletionJob.ts';
import type { LockOptions } from '../stream/lock.ts';
import { lockImports } from './lock.ts';
import { changedMeanwhile, type RoomState, roomStateOf } from './newRoom.ts';

export interface DiscardOptions extends Pick<LockOptions, 'onWait'> {
  readonly dynamo: Dynamo;
  /** The table's id. */
  readonly room: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly clock?: Clock;
}

/**
 * `NONE`: no import of the room is open. `KEPT`: the room was there already; it stays, with the members who are in by
 * then. `REMOVED`: no one has seen the room, or it was deleted and removing what it held has failed; what is left of it
 * is deleted. If this is ended before that is done, the servers' job does the rest. Throws `ImportRunning` and
 * `ImportStopped`.
 */
export async function discardImport(options: DiscardOptions): Promise<'NONE' | 'KEPT' | 'REMOVED'> {
  const { dynamo, room, onWait } = options;
  const lock = await lockImports({ dynamo, ...defined({ onWait }) });
  try {
    const [state, job] = await dynamo.batchGet([keys.roomImport(room), keys.job(deletionJobId(room))]);
    // First, because the import of a room may be open that was deleted since. The deletion removes that as well.
    if (hasFailed(room, job)) await createJobs(options).add(deletionOf(room), { evenCancelled: true });
    else if (state === undefined) return 'NONE';
    else if (await endImport(options, roomStateOf(state))) return 'KEPT';
    await removeRest(options);
    return 'REMOVED';
  } finally {
    await lock.release();
  }
}

const deletionOf = (room: string) => ({
  id: deletionJobId(room),
  kind: DELETION,
  about: { room },
  cursor: MEMBERS,
});

/** Whether the job that removes what a deleted room held has ended before that was done. */
export const hasFailed = (room: string, job: Item | undefined): boolean =>
  job !== undefined && !isOpen(jobOf({ id: deletionJobId(room) }, job));

/** Resolves to whether the room was there already. If not, its deletion begins in the same transaction. */
async function endImport({ dynamo, room }: DiscardOptions, { digest, members }: RoomState): Promise<boolean> {
  const isThere = members !== undefined;
  const failed = await dynamo.tryTransact({
    state: {
      delete: keys.roomImport(room),
      condition: `digest = :digest AND attribute_${isThere ? '' : 'not_'}exists(members)`,
      values: { ':digest': digest },
    },
    ...(isThere
      ? {}
      : {
          room: { check: keys.room(room), condition: 'attribute_not_exists(pk)' },
          job: newJob(deletionOf(room)),
        }),
  });
  if (failed !== undefined) throw changedMeanwhile({ name: encodeId('Room', room) });
  return isThere;
}

/** The steps of the deletion. A server may do the same ones at the same time. */
async function removeRest({ dynamo, room, now, clock = systemClock }: DiscardOptions): Promise<void> {
  const { step } = createDeletionJob({ dynamo, timestamps: createTimestamps(now), now });
  for (let cursor: string | null = MEMBERS; cursor !== null; ) {
    const next = await step({ room }, cursor);
    if (next !== null && typeof next === 'object') await sleep(clock, Math.max(0, next.runAt - now()));
    cursor = next === null || typeof next === 'string' ? next : next.cursor;
  }
  // One that a server has begun stays until the server ends it: what a slow step still deletes must not be what
  // another import of the room has written.
  await ifConditionHolds(
    dynamo.remove(keys.job(deletionJobId(room)), {
      condition: 'rev = :notBegun',
      values: { ':notBegun': NEW_JOB_VERSION },
    }),
  );
}
