import type { Bus, Json, Topic } from '../../../src/bus/bus.ts';
import { createMemoryBus } from '../../../src/bus/memory.ts';
import { newId } from '../../../src/core/ids.ts';
import { type Timestamp, toTimestamp } from '../../../src/core/timestamps.ts';
import { bulkWrite } from '../../../src/dynamo/bulkWrite.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { createConsistentLoader } from '../../../src/dynamo/itemLoader.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { createMembershipGuard } from '../../../src/live/membershipGuard.ts';
import { messageItem, newMessage } from '../../../src/messages/message.ts';
import { createRoomCache } from '../../../src/roomEvents/roomCache.ts';
import { createRoomLog } from '../../../src/roomEvents/roomLog.ts';
import { createRoomLogReader, type RoomEvent } from '../../../src/roomEvents/roomLogReader.ts';
import { type LogEntry, type RoomUpdate, roomTopic } from '../../../src/roomEvents/roomUpdate.ts';
import { createRoomSubscriptions } from '../../../src/roomEvents/subscription.ts';
import {
  counterItem,
  firstMembershipVersion,
  memberItem,
  membershipItem,
  roomItem,
  seatsItem,
} from '../../../src/rooms/room.ts';
import { silent } from '../../stream/support/stream.ts';
import { onDynamoDbLocal } from '../../support/database/dynamo.ts';
import { createTestClock } from '../../support/time/clock.ts';

/** A bus with a count of its listeners that a test can break. */
export interface BreakableBus extends Bus {
  readonly listening: number;
  breakDown(): void;
  recover(): void;
}

function createBreakableBus(): BreakableBus {
  const inner = createMemoryBus({ log: silent });
  const down = new Set<() => void>();
  const gaps = new Set<() => void>();
  let listening = 0;
  let up = true;
  const counted = (remove: () => void) => {
    listening++;
    let active = true;
    return () => {
      if (active) listening--;
      active = false;
      remove();
    };
  };
  return {
    publish: (topic, payload) => inner.publish(topic, payload),
    subscribe: async <T extends Json>(topic: Topic<T>, listener: (payload: T) => void) =>
      counted(await inner.subscribe(topic, listener)),
    onGap(listener) {
      gaps.add(listener);
      const stop = inner.onGap(listener);
      return counted(() => {
        gaps.delete(listener);
        stop();
      });
    },
    onDown(listener) {
      down.add(listener);
      return counted(() => down.delete(listener));
    },
    get up() {
      return up;
    },
    close: () => inner.close(),
    get listening() {
      return listening;
    },
    breakDown() {
      up = false;
      for (const listener of [...down]) listener();
    },
    recover() {
      up = true;
      for (const listener of [...gaps]) listener();
    },
  };
}

/** Called before each read, with the number of reads before it. */
type OnRead = (reading: number) => Promise<void> | void;

/**
 * Room subscriptions on a real table, without a server and without a stream: the test decides what is written to the
 * log and what is published on the bus, and when.
 */
export async function createRoomFixture(dynamo: Dynamo) {
  const bus = createBreakableBus();
  const log = createRoomLog({ dynamo });
  const room = newId();
  let readings = 0;
  let onRead: OnRead = () => {};
  const before = async () => {
    await onRead(readings++);
  };
  const watched: Dynamo = {
    ...dynamo,
    get: (key) => before().then(() => dynamo.get(key)),
    batchGet: (wanted) => before().then(() => dynamo.batchGet(wanted)),
    query: (range, page) => before().then(() => dynamo.query(range, page)),
  };
  const rooms = createRoomCache({ dynamo: watched, bus });
  const items = createConsistentLoader(watched);
  const testClock = createTestClock();
  const subscriptions = createRoomSubscriptions({
    bus,
    rooms,
    items,
    clock: testClock,
    guard: createMembershipGuard(items),
    log: createRoomLogReader({ dynamo: watched }),
  });
  const createdAt = toTimestamp(Date.now() * 1000);
  await dynamo.put(
    roomItem({ id: room, name: 'Room', topic: null, visibility: 'PRIVATE', createdAt, version: 1 }),
  );
  await dynamo.put(seatsItem(room, { taken: 0, capacity: null, owners: 1, waiting: 0, version: 1 }));
  await dynamo.put(counterItem(room));

  let clock = Date.now() * 1000;
  const nextTimestamp = (): Timestamp => toTimestamp(++clock);

  async function admit(user: string): Promise<void> {
    const membership = { room, user, role: 'MEMBER' as const, joinedAt: createdAt };
    await dynamo.put(memberItem(membership));
    await dynamo.put(
      membershipItem({
        ...membership,
        muted: false,
        readPosition: 0,
        lastReadTs: createdAt,
        pendingReadRoot: null,
        version: firstMembershipVersion(0),
      }),
    );
  }

  /** Deletes the membership. The room's next update contains the new number of removals. */
  async function expel(user: string): Promise<void> {
    await dynamo.remove(keys.member(room, user));
    await dynamo.remove(keys.membership(user, room));
    await dynamo.update(keys.counter(room), {
      update: 'SET removals = removals + :one',
      values: { ':one': 1 },
    });
  }

  /** New roots, stored and in the log, but not published. Resolves to the updates that would announce them. */
  async function store(...bodies: string[]): Promise<RoomUpdate[]> {
    const roots = bodies.map((body) => ({ threadTs: nextTimestamp(), body }));
    const items = roots.map(({ threadTs, body }) => rootItem(room, threadTs, body));
    await bulkWrite({ dynamo, items, by: onDynamoDbLocal ? 'batches' : 'transactions' });
    return enter(
      roots.map(({ threadTs }) => ({ type: 'message', threadTs, ts: threadTs, version: 1, added: true })),
    );
  }

  /** The new name is stored and in the log, but not published. */
  async function rename(name: string): Promise<void> {
    const { rev } = await dynamo.update(keys.room(room), {
      update: 'SET #name = :name, rev = rev + :one',
      names: { '#name': 'name' },
      values: { ':name': name, ':one': 1 },
    });
    await enter([{ type: 'room', version: Number(rev) }]);
  }

  const enter = (entries: readonly LogEntry[]): Promise<RoomUpdate[]> =>
    log.append(
      room,
      entries.map((entry) => ({ entry })),
    );

  async function publish(events: readonly RoomUpdate[]): Promise<void> {
    for (const event of events) await bus.publish(roomTopic(room), event);
  }

  return {
    bus,
    room,
    rooms,
    subscriptions,
    admit,
    expel,
    rename,
    store,
    enter,
    publish,
    clock: testClock,
    say: async (...bodies: string[]) => publish(await store(...bodies)),
    open: (user: string, after?: number) => subscriptions.open({ user, room, after }),
    /** Resolves to the last change's number. */
    last: async () => Number((await dynamo.get(keys.counter(room)))?.changeCount),
    /** Sets a listener that is called before each read, or removes it. */
    onRead(listener: OnRead = () => {}) {
      readings = 0;
      onRead = listener;
    },
  };
}

export type RoomFixture = Awaited<ReturnType<typeof createRoomFixture>>;

const rootItem = (room: string, threadTs: Timestamp, body: string) =>
  messageItem(newMessage({ room, threadTs, ts: threadTs, author: 'aki', body, mentions: [] }));

type Events = AsyncIterableIterator<RoomEvent>;

/** The next event; undefined if the subscription has completed. */
export async function next(events: Events): Promise<RoomEvent | undefined> {
  const { done, value } = await events.next();
  return done === true ? undefined : value;
}

/** The body of a new message, or the type of another event. */
export const nameOf = (event: RoomEvent): string =>
  event.type === 'MessageAdded' ? (event.message.body ?? '') : event.type;

/** Takes events up to and including `last`. Returns their names. */
export async function upTo(events: Events, last: string): Promise<string[]> {
  const texts: string[] = [];
  while (texts.at(-1) !== last) {
    const event = await next(events);
    if (event === undefined) return [...texts, 'the end'];
    texts.push(nameOf(event));
  }
  return texts;
}
