import type { Publisher } from '../bus/publisher.ts';
import { mapAtMost } from '../core/mapAtMost.ts';
import type { Timestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { keys } from '../dynamo/keys.ts';
import { lastChangeOf } from '../messages/lastChange.ts';
import { roomOf, type Seats, seatsOf } from '../rooms/room.ts';
import type { Change, StreamHandler } from '../stream/change.ts';
import type { AuthorsPositions, PositionedRoot } from './authorsPositions.ts';
import type { PendingEntry } from './logTransaction.ts';
import { readMarkOf, repeatMark } from './readMarks.ts';
import type { RoomLog } from './roomLog.ts';
import { endedUpdate, type LogEntry, type RoomUpdate, roomTopic } from './roomUpdate.ts';

const ROOMS_AT_ONCE = 16;

export interface RoomEventsHandlerOptions {
  readonly dynamo: Dynamo;
  readonly log: RoomLog;
  readonly publisher: Publisher;
  readonly authors: Pick<AuthorsPositions, 'settle'>;
}

/**
 * Writes what happened in the rooms into their logs, with positions, and publishes it on the bus. A record that it
 * cannot handle leaves a gap in the room's log.
 */
export function createRoomEventsHandler(options: RoomEventsHandlerOptions): StreamHandler {
  const { dynamo, log, publisher, authors } = options;

  async function handleRoom(room: string, changes: readonly Change[]): Promise<void> {
    // The request that deleted it has published this as well. Its readers must not depend on that.
    if (changes.some(({ key, kind }) => key.type === 'room' && kind === 'REMOVE')) {
      await publisher.publish(roomTopic(room), endedUpdate(room));
    }
    for (const { key, new: item } of changes) {
      if (key.type === 'counter' && item !== undefined) log.learn(room, item);
    }
    const pending = changes.flatMap((change): PendingEntry[] => {
      const what = pendingOf(change);
      if (what === undefined) return [];
      const { stream, shard, sequence } = change;
      return shard === undefined ? [what] : [{ source: { stream, shard, sequence }, ...what }];
    });
    const state = await latestState(room, changes);
    if (pending.length === 0 && Object.keys(state).length === 0) return;
    const updates = await log.append(room, pending);
    const roots = rootsIn(room, changes);
    const positioned = positionedRoots(roots, updates);
    const settled = new Set(positioned.map(({ threadTs }) => threadTs));
    await Promise.all([
      authors.settle(positioned),
      settleAgain(roots.filter(({ threadTs }) => !settled.has(threadTs))),
      // With the first update, so that a server that receives the entries has the new values by then.
      ...updates.map((update, i) =>
        publisher.publish(roomTopic(room), i === 0 ? { ...update, ...state } : update),
      ),
    ]);
  }

  /**
   * For roots that were in the log already. Their positions may not have been published, because the response to the
   * log's transaction was lost. Then the badges of their authors learn them from the memberships.
   */
  async function settleAgain(roots: readonly PostedRoot[]): Promise<void> {
    const items = await dynamo.batchGet(roots.map(({ room, threadTs }) => keys.root(room, threadTs)));
    await authors.settle(
      roots.flatMap((root, i): PositionedRoot[] => {
        const position: unknown = items[i]?.position;
        return typeof position === 'number' ? [{ ...root, position }] : [];
      }),
    );
  }

  /** The new values of the room itself, if the batch has any. */
  async function latestState(
    room: string,
    changes: readonly Change[],
  ): Promise<Pick<RoomUpdate, 'record' | 'seats'>> {
    const state: { record?: NonNullable<RoomUpdate['record']>; seats?: NonNullable<RoomUpdate['seats']> } =
      {};
    for (const { key, kind, new: item } of changes) {
      if (kind !== 'MODIFY' || item === undefined) continue;
      if (key.type === 'room') {
        const { name, topic, version } = roomOf(room, item);
        state.record = { name, topic, version };
      } else if (key.type === 'seats') {
        state.seats = seatsState(seatsOf(item));
      }
    }
    // Joining and leaving change the seats in the same transaction, but its records may arrive in two batches.
    const moved = changes.some(({ key, kind }) => key.type === 'member' && kind !== 'MODIFY');
    if (!moved || changes.some(({ key }) => key.type === 'seats')) return state;
    const item = await dynamo.get(keys.seats(room));
    return item === undefined ? state : { ...state, seats: seatsState(seatsOf(item)) };
  }

  return {
    // The name is stored in dead letters.
    name: 'events',
    itemTypes: ['root', 'reply', 'member', 'room', 'seats', 'counter'],
    async handle(changes) {
      await mapAtMost(ROOMS_AT_ONCE, byRoom(changes), ([room, ofRoom]) => handleRoom(room, ofRoom));
    },
    async onSkipped(change) {
      const { key, kind } = change;
      if (!('room' in key) || key.type === 'counter') return;
      // None of these keeps the others from being done.
      const [gap, repeated] = await Promise.allSettled([
        log.leaveGap(key.room),
        change.unreadable !== undefined && kind === 'MODIFY'
          ? repeatMark(dynamo, key.room, change)
          : undefined,
      ]);
      // A root without a position would be unread for no one, and for its author neither would all later ones. The same
      // is true of a mark.
      const mark = readMarkOf(change);
      const marks: PendingEntry[] = mark === undefined ? [] : [{ mark }];
      const added: PendingEntry[] =
        key.type === 'root' && kind === 'INSERT'
          ? [
              {
                entry: { type: 'message', threadTs: key.threadTs, ts: key.threadTs, version: 1, added: true },
                isAwaited: true,
              },
            ]
          : [];
      for (const event of await log.append(key.room, [...added, ...marks])) {
        await publisher.publish(roomTopic(key.room), event);
      }
      for (const done of [gap, repeated]) if (done.status === 'rejected') throw done.reason;
    },
  };
}

type PostedRoot = Omit<PositionedRoot, 'position'>;

/** The roots that were posted. */
const rootsIn = (room: string, changes: readonly Change[]): PostedRoot[] =>
  changes.flatMap(({ key, kind, new: root }) =>
    key.type === 'root' && kind === 'INSERT'
      ? [{ room, author: root?.author as string, threadTs: key.threadTs }]
      : [],
  );

/** Those that have got their positions, in the order of these. */
function positionedRoots(roots: readonly PostedRoot[], updates: readonly RoomUpdate[]): PositionedRoot[] {
  const byTs = new Map(roots.map((root) => [root.threadTs, root]));
  return updates.flatMap(({ entries }) =>
    entries.flatMap((entry): PositionedRoot[] => {
      if (entry.type !== 'message' || entry.position === undefined) return [];
      const root = byTs.get(entry.threadTs);
      return root === undefined ? [] : [{ ...root, position: entry.position }];
    }),
  );
}

const seatsState = ({ taken, capacity, waiting, version }: Seats) => ({ taken, capacity, waiting, version });

function byRoom(changes: readonly Change[]): Map<string, Change[]> {
  const rooms = new Map<string, Change[]>();
  for (const change of changes) {
    if (!('room' in change.key)) continue;
    const list = rooms.get(change.key.room);
    if (list === undefined) rooms.set(change.key.room, [change]);
    else list.push(change);
  }
  return rooms;
}

function pendingOf(change: Change): PendingEntry | undefined {
  const mark = readMarkOf(change);
  if (mark !== undefined) return { mark };
  const entry = entryOf(change);
  if (entry === undefined) return undefined;
  // Its mentions are compared with what was read, when it has its position.
  const { key, kind, new: now } = change;
  const isAwaited = key.type === 'root' && kind === 'INSERT' && now?.mentions !== undefined;
  return isAwaited ? { entry, isAwaited: true } : { entry };
}

/** The log's entry for a change; undefined if the room's readers do not need it. */
function entryOf({ key, kind, old, new: now }: Change): LogEntry | undefined {
  switch (key.type) {
    case 'root':
    case 'reply': {
      if (now === undefined) return undefined;
      const message = {
        type: 'message',
        threadTs: key.threadTs,
        ts: key.ts,
        version: now.rev as number,
        ...usersOf(now),
      } as const;
      if (kind === 'INSERT') return { ...message, added: true };
      // The log gave it a position: that is part of the change that created the message.
      const assigned = old?.position === undefined && now.position !== undefined;
      return assigned || old?.rev === now.rev ? undefined : message;
    }
    case 'member':
      // Another attribute has changed: for example, the handle that the index has.
      if (kind === 'MODIFY' && old?.role === now?.role) return undefined;
      if (kind === 'REMOVE') return { type: 'member', user: key.user, left: true };
      return {
        type: 'member',
        user: key.user,
        ...(kind === 'INSERT' && now !== undefined ? { joined: now.joinedAt as Timestamp } : {}),
      };
    case 'room':
      return kind === 'MODIFY' && now !== undefined
        ? { type: 'room', version: now.rev as number }
        : undefined;
    case 'seats':
      return kind === 'MODIFY' && old?.capacity !== now?.capacity ? { type: 'room', version: 0 } : undefined;
    default:
      return undefined;
  }
}

/** Readers are probably shown them with the message, so their server reads their profiles together with it. */
function usersOf(message: Item): { readonly author: string; readonly actor?: string } {
  const author = message.author as string;
  const actor = lastChangeOf(message)?.actor;
  return actor === undefined || actor === author ? { author } : { author, actor };
}
