import { conflict, notFound, unavailable } from '../core/errors.ts';
import { ConditionsFailed } from '../dynamo/errors.ts';
import { createItemLoader } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';
import type { Write } from '../dynamo/write.ts';
import { memberAccess } from './access.ts';
import { ATTEMPTS, type MembersOptions } from './membership/entering.ts';
import { resize } from './membership/seats.ts';
import { assertMay } from './policy.ts';
import { type Room, roomOf, stillInRole } from './room.ts';

/** Absent: stays as it is. */
export interface RoomChanges {
  readonly name?: string;
  /** Null: none. */
  readonly topic?: string | null;
  /** Null: no limit. */
  readonly capacity?: number | null;
}

export function createUpdating({ dynamo, seats }: MembersOptions) {
  /**
   * One read, one transaction, one read of what it has become. Throws NOT_FOUND, FORBIDDEN, and CONFLICT for a
   * capacity under the number of people who are in the room.
   */
  async function update(by: string, room: string, changes: RoomChanges): Promise<Room> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { room: found, membership } = await memberAccess(room, by, createItemLoader(dynamo));
      const { name, topic, capacity } = changes;
      const renamed = name !== undefined || topic !== undefined;
      if (renamed) assertMay('rename', found, membership);
      if (capacity !== undefined) assertMay('changeCapacity', found, membership);
      if (!renamed && capacity === undefined) return found;
      try {
        const writes = [
          stillInRole(membership),
          ...(renamed ? [recordWrite(room, changes)] : []),
          ...(capacity === undefined ? [] : [resize(room, capacity)]),
        ];
        await seats.run(room, () => dynamo.transact(writes));
        return await asItIsNow(room);
      } catch (error) {
        if (!(error instanceof ConditionsFailed)) throw error;
        // What is refused besides the role is the capacity, which is the last of them.
        if (error.failed[0] === undefined) {
          throw conflict('More people than that are in the room: remove some first.');
        }
      }
    }
    throw unavailable();
  }

  async function asItIsNow(room: string): Promise<Room> {
    const item = await dynamo.get(keys.room(room));
    if (item === undefined) throw notFound();
    return roomOf(room, item);
  }

  return { update };
}

/** Name and topic, those that are to change. */
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
      ...(name === undefined ? {} : { ':name': name }),
      ...(typeof topic === 'string' ? { ':topic': topic } : {}),
    },
  };
}
