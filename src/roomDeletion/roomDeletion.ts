import type { Publisher } from '../bus/publisher.ts';
import type { Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { createItemLoader } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import { newJob } from '../jobs/jobs.ts';
import { endedUpdate, roomTopic } from '../roomEvents/roomUpdate.ts';
import { memberAccess } from '../rooms/access.ts';
import { assertCan } from '../rooms/policy.ts';
import { roleUnchanged } from '../rooms/room.ts';
import { createDeletionJob, deletionJobId, MEMBERS } from './deletionJob.ts';

export interface RoomDeletionOptions {
  readonly dynamo: Dynamo;
  readonly publisher: Publisher;
  readonly timestamps: Timestamps;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** How long a request ends memberships itself. The job ends the others. */
const REQUEST_MS = 2_000;

export type RoomDeletion = ReturnType<typeof createRoomDeletion>;

/**
 * Deletes rooms. One transaction deletes the three items without which a room does not exist (`accessTo`, seats for
 * joining, a counter for its log and what is unread), and stores the job that deletes the rest.
 */
export function createRoomDeletion({ publisher, ...options }: RoomDeletionOptions) {
  const { dynamo } = options;
  const job = createDeletionJob(options);

  /**
   * When it resolves, the room is gone for everyone, and all servers were sent the message that ends its subscriptions.
   * One read, one transaction, and for up to REQUEST_MS the ends of the memberships, so that members of all but very
   * large rooms can write nothing any more. Throws NOT_FOUND and FORBIDDEN.
   */
  async function deleteRoom(user: string, room: string): Promise<void> {
    const exists = { condition: 'attribute_exists(pk)' };
    await dynamo.optimistic(async () => {
      const { room: found, membership } = await memberAccess(room, user, createItemLoader(dynamo));
      assertCan('delete', found, membership);
      const failed = await dynamo.tryTransact({
        actor: roleUnchanged(membership),
        room: { delete: keys.room(room), ...exists },
        seats: { delete: keys.seats(room), ...exists },
        counter: { delete: keys.counter(room), ...exists },
        job: newJob({ id: deletionJobId(room), kind: job.name, about: { room }, cursor: MEMBERS }),
      });
      return failed === undefined ? undefined : AGAIN;
    });
    await publisher.publish(roomTopic(room), endedUpdate(room));
    await endMemberships(room);
  }

  async function endMemberships(room: string): Promise<void> {
    const until = performance.now() + REQUEST_MS;
    try {
      for (let more = true; more && performance.now() < until; ) {
        more = (await job.step({ room }, MEMBERS)) === MEMBERS;
      }
    } catch {
      // The room is deleted. The job ends the memberships, and reports what fails again.
    }
  }

  return { deleteRoom };
}
