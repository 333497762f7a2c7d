import pLimit from 'p-limit';
import type { Timestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { keys, MAX_SUFFIX, parseKey } from '../dynamo/keys.ts';
import type { PendingEntry, RoomLog } from './roomLog.ts';

/** How many rooms and roots are collected before they are written. */
const CHUNK = 1_000;
const ROOMS_AT_ONCE = 16;

export interface RepairOptions {
  readonly dynamo: Dynamo;
  readonly log: RoomLog;
  readonly signal?: AbortSignal;
}

/** What was found. */
export interface Repaired {
  /** Rooms whose log has a gap now. */
  readonly rooms: number;
  /** Roots that had no position. */
  readonly roots: number;
}

/**
 * Corrects the rooms after the stream has dropped records that no consumer had read.
 *
 * Roots without a position get one, in the order of their timestamps. Everything else that was dropped (replies, edits,
 * memberships) is in the rooms, but no record says that it is new. So each room's log gets a gap: a cursor from before
 * it does not count as complete, and a client that has read the room since has seen everything. It does not matter that
 * the stream may drop more meanwhile: what it drops is a day old, so it was in the table before the gap.
 *
 * Reads the whole table once, so it is not for requests; writes two units for each room, and what the positions cost.
 * Safe while the system runs. Idempotent.
 */
export async function repairRooms({ dynamo, log, signal }: RepairOptions): Promise<Repaired> {
  const limit = pLimit(ROOMS_AT_ONCE);
  const found = { rooms: 0, roots: 0 };
  let rooms: string[] = [];
  let roots = new Map<string, Timestamp[]>();
  let waiting = 0;

  async function settle(): Promise<void> {
    await limit.map(rooms, (room) => log.leaveGap(room));
    await limit.map([...roots], ([room, stamps]) => log.append(room, stamps.sort().map(added)));
    rooms = [];
    roots = new Map();
    waiting = 0;
  }

  for await (const item of dynamo.scan(COUNTERS_AND_LOST_ROOTS)) {
    signal?.throwIfAborted();
    const key = parseKey(keyOf(item));
    if (key.type === 'counter') {
      rooms.push(key.room);
      found.rooms++;
    } else if (key.type === 'root') {
      const known = roots.get(key.room);
      if (known === undefined) roots.set(key.room, [key.t]);
      else known.push(key.t);
      found.roots++;
    } else continue;
    if (++waiting >= CHUNK) await settle();
  }
  await settle();
  return found;
}

const COUNTERS_AND_LOST_ROOTS = {
  condition: 'sk = :counter OR (sk BETWEEN :from AND :to AND attribute_not_exists(#position))',
  names: { '#position': 'position' },
  values: { ':counter': keys.counter('').sk, ':from': 'ROOT#', ':to': `ROOT#${MAX_SUFFIX}` },
};

const keyOf = ({ pk, sk }: Item) => ({ pk: String(pk), sk: String(sk) });

const added = (t: Timestamp): PendingEntry => ({ entry: { type: 'message', t, c: t, rev: 1, added: true } });
