import pLimit from 'p-limit';
import type { Publisher } from '../bus/publisher.ts';
import { roomOf, seatsOf } from '../rooms/room.ts';
import type { Change, StreamHandler } from '../stream/change.ts';
import { type LogEntry, type RoomEvent, roomTopic } from './event.ts';
import type { Pending, RoomLog } from './log.ts';

const ROOMS_AT_ONCE = 16;

export interface EventsHandlerOptions {
  readonly log: RoomLog;
  readonly publisher: Publisher;
}

/**
 * Writes what happened in the rooms into their logs, positions included, and tells it on the bus. What it cannot
 * digest leaves a gap in the room's log.
 */
export function createEventsHandler({ log, publisher }: EventsHandlerOptions): StreamHandler {
  async function handleRoom(room: string, changes: readonly Change[]): Promise<void> {
    const pending = changes.flatMap((change): Pending[] => {
      const entry = entryOf(change);
      if (entry === undefined) return [];
      const { stream, shard, sequence } = change;
      return shard === undefined ? [{ entry }] : [{ entry, source: { stream, shard, sequence } }];
    });
    const news = latest(room, changes);
    if (pending.length === 0 && Object.keys(news).length === 0) return;
    const events = await log.append(room, pending);
    // With the first of them, so that whoever is told that something has changed knows it by then.
    await Promise.all(
      events.map((event, i) => publisher.publish(roomTopic(room), i === 0 ? { ...event, ...news } : event)),
    );
  }

  return {
    name: 'events',
    itemTypes: ['root', 'reply', 'member', 'room', 'seats'],
    async handle(changes) {
      const limit = pLimit(ROOMS_AT_ONCE);
      await limit.map([...byRoom(changes)], ([room, ofRoom]) => handleRoom(room, ofRoom));
    },
    async missed({ key }) {
      if (!('room' in key)) return;
      await log.leaveGap(key.room);
      for (const event of await log.append(key.room, [])) await publisher.publish(roomTopic(key.room), event);
    },
  };
}

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

/** The change as the log tells it; undefined for what is no news to a reader of the room. */
function entryOf({ key, kind, old, new: now }: Change): LogEntry | undefined {
  switch (key.type) {
    case 'root':
    case 'reply': {
      if (now === undefined) return undefined;
      const message = { type: 'message', t: key.t, c: key.c, rev: now.rev as number } as const;
      if (kind === 'INSERT') return { ...message, added: true };
      // The log's own work: it is part of the change that created the message.
      const assigned = old?.position === undefined && now.position !== undefined;
      return assigned || old?.rev === now.rev ? undefined : message;
    }
    case 'member':
      return kind === 'REMOVE'
        ? { type: 'member', user: key.user, left: true }
        : { type: 'member', user: key.user };
    case 'room':
      return kind === 'MODIFY' && now !== undefined ? { type: 'room', rev: now.rev as number } : undefined;
    case 'seats':
      return kind === 'MODIFY' && old?.capacity !== now?.capacity ? { type: 'room', rev: 0 } : undefined;
    default:
      return undefined;
  }
}

/** The whole values that the batch has of the room itself. */
function latest(room: string, changes: readonly Change[]): Pick<RoomEvent, 'record' | 'seats'> {
  const news: { record?: NonNullable<RoomEvent['record']>; seats?: NonNullable<RoomEvent['seats']> } = {};
  for (const { key, kind, new: item } of changes) {
    if (kind !== 'MODIFY' || item === undefined) continue;
    if (key.type === 'room') {
      const { name, topic, rev } = roomOf(room, item);
      news.record = { name, topic, rev };
    } else if (key.type === 'seats') {
      const { taken, capacity, waiting, rev } = seatsOf(item);
      news.seats = { taken, capacity, waiting, rev };
    }
  }
  return news;
}
