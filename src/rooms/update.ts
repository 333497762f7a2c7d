import { defined } from '../core/defined.ts';
import { conflict, notFound } from '../core/errors.ts';
import { createItemLoader } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import type { Write } from '../dynamo/write.ts';
import { memberAccess } from './access.ts';
import type { MembershipOptions } from './membership/membership.ts';
import { resize } from './membership/seats.ts';
import { assertCan } from './policy.ts';
import { type Room, roleUnchanged, roomOf } from './room.ts';

/** An absent property stays as it is. */
export interface RoomChanges {
  readonly name?: string;
  /** Null: none. */
  readonly topic?: string | null;
  /** Null: no limit. */
  readonly capacity?: number | null;
}

export function createRoomUpdate({ dynamo, seatsMutex }: MembershipOptions) {
  /**
   * Takes one read, one transaction and one read of the result. Throws NOT_FOUND, FORBIDDEN, and CONFLICT if the
   * capacity is less than the number of members.
   */
  const update = (by: string, room: string, changes: RoomChanges): Promise<Room> =>
    dynamo.optimistic(async () => {
      const { room: found, membership } = await memberAccess(room, by, createItemLoader(dynamo));
      const { name, topic, capacity } = changes;
      const renamed = name !== undefined || topic !== undefined;
      if (renamed) assertCan('rename', found, membership);
      if (capacity !== undefined) assertCan('changeCapacity', found, membership);
      if (!renamed && capacity === undefined) return found;
      const failed = await seatsMutex.run(room, () =>
        dynamo.tryTransact({
          actor: roleUnchanged(membership),
          record: renamed ? recordWrite(room, changes) : undefined,
          capacity: capacity === undefined ? undefined : resize(room, capacity),
        }),
      );
      if (failed === undefined) return await currentRoom(room);
      if (failed.actor === undefined && failed.capacity?.item !== undefined) {
        throw conflict('CAPACITY_BELOW_MEMBERS', 'The room has more members than that. Remove some first.');
      }
      return AGAIN;
    });

  async function currentRoom(room: string): Promise<Room> {
    const item = await dynamo.get(keys.room(room));
    if (item === undefined) throw notFound();
    return roomOf(room, item);
  }

  return { update };
}

/** Sets the name and the topic, if they change. */
function recordWrite(room: string, { name, topic }: RoomChanges): Write {
  const set = ['rev = rev + :one'];
  if (name !== undefined) set.push('#name = :name');
  if (typeof topic === 'string') set.push('topic = :topic');
  return {
    key: keys.room(room),
    update: `SET ${set.join(', ')}${topic === null ? ' REMOVE topic' : ''}`,
    condition: 'attribute_exists(pk)',
    ...(name === undefined ? {} : { names: { '#name': 'name' } }),
    values: {
      ':one': 1,
      ...defined({ ':name': name, ':topic': topic ?? undefined }),
    },
  };
}
