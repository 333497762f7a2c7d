import { TsudoiError } from '../core/errors.ts';
import { mapAtMost } from '../core/mapAtMost.ts';
import { firstTimestampOf } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keyOf, parseKey, ranges } from '../dynamo/keys.ts';
import type { ReadPositions } from './markRead.ts';
import type { Unread } from './unread.ts';

const ROOMS_AT_ONCE = 16;
/**
 * No root that is older waits for its position: a stream keeps its records for 24 hours. The rest is how far the clocks
 * of two servers may differ.
 */
const SETTLED_MS = 25 * 3_600_000;

export interface MarkAllRoomsOptions {
  readonly dynamo: Dynamo;
  readonly unread: Pick<Unread, 'state'>;
  readonly markRead: ReadPositions['markRead'];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function createMarkAllRooms({ dynamo, unread, markRead, now }: MarkAllRoomsOptions) {
  /**
   * Marks everything in all of the user's rooms as read. Idempotent. Reads the badge, then one root of each room
   * without unread roots. Leaves out only rooms in which the consumer has counted all roots for sure.
   */
  return async function markAllRooms(user: string): Promise<void> {
    const { rooms } = await unread.state(user);
    await mapAtMost(ROOMS_AT_ONCE, rooms, async ({ membership: { room }, unreadCount }) => {
      if (unreadCount > 0 || (await mayHaveUncounted(room))) await unlessLeft(markRead(user, room));
    });
  };

  /**
   * If the newest root by its timestamp was counted, others may not have been: a server whose clock is behind stores
   * later roots with earlier timestamps. So nothing but the age of the newest one says that there are none.
   */
  async function mayHaveUncounted(room: string): Promise<boolean> {
    const {
      items: [newest],
    } = await dynamo.query(ranges.roots(room), { limit: 1, reverse: true });
    if (newest === undefined) return false;
    const key = parseKey(keyOf(newest));
    if (key.type !== 'root' || newest.position === undefined) return true;
    return key.threadTs > firstTimestampOf(new Date(now() - SETTLED_MS));
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
