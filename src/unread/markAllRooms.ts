import pLimit from 'p-limit';
import { TsudoiError } from '../core/errors.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ranges } from '../dynamo/keys.ts';
import type { ReadPositions } from './markRead.ts';
import type { Unread } from './unread.ts';

const ROOMS_AT_ONCE = 16;

export interface MarkAllRoomsOptions {
  readonly dynamo: Dynamo;
  readonly unread: Pick<Unread, 'state'>;
  readonly markRead: ReadPositions['markRead'];
}

export function createMarkAllRooms({ dynamo, unread, markRead }: MarkAllRoomsOptions) {
  /**
   * Marks everything in all of the user's rooms as read. Idempotent. Reads the badge, then one root of each room without
   * unread roots: the consumer may not have counted the newest one yet. Writes only rooms that have something to mark.
   */
  return async function markAllRooms(user: string): Promise<void> {
    const { rooms } = await unread.state(user);
    await pLimit(ROOMS_AT_ONCE).map(rooms, async ({ membership: { room }, unreadCount }) => {
      if (unreadCount > 0 || (await hasUncounted(room))) await unlessLeft(markRead(user, room));
    });
  };

  async function hasUncounted(room: string): Promise<boolean> {
    const { items } = await dynamo.query(ranges.roots(room), { limit: 1, reverse: true });
    return items[0] !== undefined && items[0].position === undefined;
  }
}

/** The user may leave a room in the meantime. Then there is nothing left to mark. */
async function unlessLeft(marked: Promise<unknown>): Promise<void> {
  try {
    await marked;
  } catch (error) {
    const left = error instanceof TsudoiError && ['NOT_FOUND', 'FORBIDDEN'].includes(error.code);
    if (!left) throw error;
  }
}
