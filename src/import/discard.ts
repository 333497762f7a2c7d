/** Gives up an import of a room that was ended and will not be continued, so that another one can begin. */
import { type Clock, sleep, systemClock } from '../core/clock.ts';
import { createTimestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import { newJob } from '../jobs/jobs.ts';
import { createDeletionJob, deletionJobId, MEMBERS } from '../roomDeletion/deletionJob.ts';
import { type LockOptions, lockImports } from './lock.ts';
import { changedMeanwhile, roomStateOf } from './newRoom.ts';

export interface DiscardOptions extends Pick<LockOptions, 'onWait'> {
  readonly dynamo: Dynamo;
  /** The table's id. */
  readonly room: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly clock?: Clock;
}

/**
 * `NONE`: no import of the room is open. `KEPT`: the room was there already; it stays, with the members who are in by then.
 * `REMOVED`: no one has seen the room; what was written of it is deleted, as of a deleted room. If this is ended before that is done, the
 * servers' job does the rest. Throws `ImportRunning` and `ImportStopped`.
 */
export async function discardImport(options: DiscardOptions): Promise<'NONE' | 'KEPT' | 'REMOVED'> {
  const { dynamo, room, now, clock = systemClock, onWait } = options;
  const lock = await lockImports({ dynamo, ...(onWait === undefined ? {} : { onWait }) });
  try {
    const item = await dynamo.get(keys.roomImport(room));
    if (item === undefined) return 'NONE';
    const { digest, members } = roomStateOf(item);
    const isThere = members !== undefined;
    const job = createDeletionJob({ dynamo, timestamps: createTimestamps(now), now });
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
            job: newJob({ id: deletionJobId(room), kind: job.name, about: { room }, cursor: MEMBERS }),
          }),
    });
    if (failed !== undefined) throw changedMeanwhile({ name: room });
    if (isThere) return 'KEPT';
    // A server may do the same steps at the same time.
    for (let cursor: string | null = MEMBERS; cursor !== null; ) {
      const next = await job.step({ room }, cursor);
      if (next !== null && typeof next === 'object') await sleep(clock, Math.max(0, next.runAt - now()));
      cursor = next === null || typeof next === 'string' ? next : next.cursor;
    }
    await dynamo.remove(keys.job(deletionJobId(room)));
    return 'REMOVED';
  } finally {
    await lock.release();
  }
}
