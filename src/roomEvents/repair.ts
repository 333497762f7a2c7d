import pLimit from 'p-limit';
import type { Timestamp } from '../core/timestamps.ts';
import type { Visitor } from '../rebuild/rebuild.ts';
import type { PendingEntry, RoomLog } from './roomLog.ts';

/** How many rooms and roots are collected before something is written. */
const CHUNK = 1_000;
const ROOMS_AT_ONCE = 16;

/**
 * Repairs the rooms after the stream has trimmed records that no consumer read. Counts the rooms, whose log has a
 * gap now, and the roots that had no position.
 *
 * Roots without a position get one, in the order of their timestamps. All other changes (replies, edits,
 * memberships) can be seen in the rooms, but nothing says that they are new. So each room's log gets a gap: no cursor
 * from before it counts as complete, and a client that has read the room since has seen everything. If the stream
 * trims more in the meantime, it does no harm: trimmed records are a day old, so their changes were in the table
 * before the gap was made.
 *
 * Two write units for each room, and what the positions cost.
 */
export function createRoomsVisitor({ log }: { readonly log: RoomLog }): Visitor {
  const limit = pLimit(ROOMS_AT_ONCE);
  const found = { rooms: 0, roots: 0 };
  let rooms: string[] = [];
  let roots = new Map<string, Timestamp[]>();
  let collected = 0;

  async function write(): Promise<void> {
    await limit.map(rooms, (room) => log.leaveGap(room));
    await limit.map([...roots], ([room, timestamps]) => log.append(room, timestamps.sort().map(added)));
    rooms = [];
    roots = new Map();
    collected = 0;
  }

  return {
    async visit(key, item) {
      if (key.type === 'counter') {
        rooms.push(key.room);
        found.rooms++;
      } else if (key.type === 'root' && item.position === undefined) {
        const known = roots.get(key.room);
        if (known === undefined) roots.set(key.room, [key.threadTs]);
        else known.push(key.threadTs);
        found.roots++;
      } else return;
      if (++collected >= CHUNK) await write();
    },
    finish: write,
    result: () => found,
  };
}

const added = (threadTs: Timestamp): PendingEntry => ({
  entry: { type: 'message', threadTs, ts: threadTs, version: 1, added: true },
});
