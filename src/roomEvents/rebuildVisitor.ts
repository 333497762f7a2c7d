import { mapAtMost } from '../core/mapAtMost.ts';
import type { Timestamp } from '../core/timestamps.ts';
import type { Visitor } from '../rebuild/rebuild.ts';
import type { PendingEntry } from './logTransaction.ts';
import type { ReadMark } from './readMarks.ts';
import type { RoomLog } from './roomLog.ts';

/** How many rooms and roots are collected before they are written. */
const CHUNK = 1_000;
const ROOMS_AT_ONCE = 16;

/**
 * Rebuilds the rooms after the stream has trimmed records that no consumer read. Counts the rooms (each log has a gap
 * then) and the roots that had no position.
 *
 * Roots without a position get one, in the order of their timestamps. Then marks of members who have read everything
 * are replaced by the position of the last root. Other changes (replies, edits, memberships) are in the table, but
 * cannot be recognised as new. So each room's log gets a gap: no cursor from before it counts as complete, and a client
 * that reads the room after it sees everything. More records may be trimmed in the meantime. They are a day old, so
 * their changes were in the table before the gap was made.
 *
 * Costs two write units for each room, and the writes of the positions.
 */
export function createRoomsVisitor({ log }: { readonly log: RoomLog }): Visitor {
  const found = { rooms: 0, roots: 0 };
  let rooms: string[] = [];
  let roots = new Map<string, Timestamp[]>();
  /** All of the table: only those of members who have marked a room as read while no consumer ran, and not since. */
  const marks = new Map<string, ReadMark[]>();
  let collected = 0;

  async function write(): Promise<void> {
    await mapAtMost(ROOMS_AT_ONCE, rooms, (room) => log.leaveGap(room));
    await mapAtMost(ROOMS_AT_ONCE, roots, ([room, timestamps]) =>
      log.append(room, timestamps.sort().map(added)),
    );
    rooms = [];
    roots = new Map();
    collected = 0;
  }

  /** After all roots. */
  async function writeMarks(): Promise<void> {
    await mapAtMost(ROOMS_AT_ONCE, marks, ([room, ofRoom]) =>
      log.append(
        room,
        ofRoom.map((mark) => ({ mark })),
      ),
    );
    marks.clear();
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
      } else if (key.type === 'membership' && typeof item.readMark === 'number') {
        const mark = { user: key.user, number: item.readMark };
        const ofRoom = marks.get(key.room);
        if (ofRoom === undefined) marks.set(key.room, [mark]);
        else ofRoom.push(mark);
        return;
      } else return;
      if (++collected >= CHUNK) await write();
    },
    async finish() {
      await write();
      await writeMarks();
    },
    result: () => found,
  };
}

const added = (threadTs: Timestamp): PendingEntry => ({
  entry: { type: 'message', threadTs, ts: threadTs, version: 1, added: true },
});
