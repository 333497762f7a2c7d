import type { Bus, Unsubscribe } from '../bus/bus.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { createItemLoader } from '../dynamo/itemLoader.ts';
import { isId, keys } from '../dynamo/keys.ts';
import { badUserInput, notFound, unavailable } from '../errors.ts';
import { memberAccess } from '../rooms/access.ts';
import { personTopic } from '../rooms/topics.ts';
import type { RoomEvent } from './event.ts';
import type { History, Numbered } from './history.ts';
import type { Occurrence } from './occurrence.ts';
import type { OpenRooms, RoomListener } from './openRooms.ts';
import { createTypers, typingTopic } from './typing.ts';

/** Changes that wait for a slow reader; beyond it they are told to read the room again. */
export const BUFFER_MAX = 256;

export interface RoomSubscriptionsOptions {
  readonly dynamo: Dynamo;
  readonly bus: Bus;
  readonly rooms: OpenRooms;
  readonly history: History;
}

export interface Opening {
  readonly user: string;
  readonly room: string;
  /** The number of the last change the reader knows of; absent: they begin now. */
  readonly after: number | undefined;
}

export type RoomSubscriptions = ReturnType<typeof createRoomSubscriptions>;

/**
 * What happens in a room, to one reader, without a hole:
 *
 *   attach to the bus ── read the counter (N) ── replay after…N from the log ── Synced(N) ── N+1, N+2 …
 *         │                                                                                   ▲
 *         └── what arrives meanwhile waits in the buffer ─────────────────────────────────────┘
 *
 * Every change has its number. One that is known already is dropped; where a number is missing, the log
 * has what lies between. Pulled, not pushed: a reader who does not drain holds at most BUFFER_MAX changes.
 */
export function createRoomSubscriptions({ dynamo, bus, rooms, history }: RoomSubscriptionsOptions) {
  /** Throws NOT_FOUND, FORBIDDEN, BAD_USER_INPUT for a number the room has not reached, UNAVAILABLE. */
  async function open({ user, room, after }: Opening): Promise<AsyncIterableIterator<Occurrence>> {
    if (!isId(room)) throw notFound();
    // Who is told nothing of removals is told nothing at all.
    if (!bus.up) throw unavailable();
    const subscription = createSubscription(user, room);
    try {
      await subscription.begin(after);
      return subscription.iterator;
    } catch (error) {
      subscription.close();
      throw error;
    }
  }

  function createSubscription(user: string, room: string) {
    const ready: Occurrence[] = [];
    const stops: Unsubscribe[] = [];
    let buffer: RoomEvent[] = [];
    let buffered = 0;
    let overflown = false;
    /** The bus may have lost something: compare with the counter. */
    let compare = false;
    /** Somebody has left the room: nothing more is told before it is known that it was not this reader. */
    let verify = false;
    let typingChanged = false;
    let closed = false;
    let last = 0;
    let wake = () => {};

    const typers = createTypers(user, () => {
      typingChanged = true;
      wake();
    });

    const listener: RoomListener = (_open, event, removalsRose) => {
      if (removalsRose) verify = true;
      if (event === undefined || (event.entries.length === 0 && event.changeCount > last)) compare = true;
      else if (!overflown) keep(event);
      wake();
    };

    function keep(event: RoomEvent): void {
      buffer.push(event);
      buffered += event.entries.length;
      if (buffered <= BUFFER_MAX) return;
      overflown = true;
      buffer = [];
    }

    async function begin(after: number | undefined): Promise<void> {
      stops.push(bus.onDown(close));
      stops.push(await bus.subscribe(typingTopic(room), (news) => typers.take(news)));
      stops.push(
        await bus.subscribe(personTopic(user), (news) => {
          if (news.type !== 'left' || news.room !== room) return;
          verify = true;
          wake();
        }),
      );
      await rooms.acquire([room], listener);
      stops.push(() => rooms.release(room, listener));
      // Only now: who is removed from here on is told of by the bus.
      await memberAccess(room, user, createItemLoader(dynamo));
      const now = await history.lastNumber(room);
      if (after !== undefined && after > now) throw badUserInput('after', 'This cursor is not of this room.');
      last = after ?? now;
      await catchUp(now);
      ready.push(synced());
    }

    const synced = (): Occurrence => ({ type: 'Synced', room, cursor: last });

    /** Everything up to number `to`, from the log. False where it cannot be told; that is said. */
    async function catchUp(to: number): Promise<boolean> {
      if (to <= last) return true;
      const missed = await history.changes(room, last + 1, to);
      if (missed === null) ready.push({ type: 'ResyncRequired', room, cursor: to });
      else ready.push(...(await history.occurrences(room, news(missed))));
      last = to;
      return missed !== null;
    }

    async function startOver(): Promise<void> {
      buffer = [];
      buffered = 0;
      overflown = false;
      last = await history.lastNumber(room);
      ready.push({ type: 'ResyncRequired', room, cursor: last }, synced());
    }

    async function takeEvent(event: RoomEvent): Promise<void> {
      if (event.changeCount <= last) return;
      const before = event.changeCount - event.entries.length;
      if (!(await catchUp(before))) ready.push(synced());
      const occurrences = await history.occurrencesOf(event);
      ready.push(...occurrences.filter(({ cursor }) => cursor > last));
      last = event.changeCount;
    }

    async function compareNow(): Promise<void> {
      if (!(await catchUp(await history.lastNumber(room)))) ready.push(synced());
    }

    async function isMember(): Promise<boolean> {
      try {
        return (await dynamo.get(keys.membership(user, room))) !== undefined;
      } catch {
        // Unknown is no.
        return false;
      }
    }

    async function next(): Promise<IteratorResult<Occurrence>> {
      while (!closed) {
        if (verify) {
          verify = false;
          if (!(await isMember())) close();
          continue;
        }
        const occurrence = ready.shift();
        if (occurrence !== undefined) return { done: false, value: occurrence };
        try {
          await work();
        } catch {
          // What was not read now cannot be left out: the reader comes again with their cursor.
          close();
        }
      }
      return { done: true, value: undefined };
    }

    /** One step towards something to tell; waits where there is nothing to do. */
    async function work(): Promise<void> {
      if (overflown) return startOver();
      const event = buffer.shift();
      if (event !== undefined) {
        buffered -= event.entries.length;
        return takeEvent(event);
      }
      if (compare) {
        compare = false;
        return compareNow();
      }
      if (typingChanged) {
        typingChanged = false;
        ready.push({ type: 'TypingChanged', room, cursor: last, users: typers.users });
        return;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }

    function close(): void {
      if (closed) return;
      closed = true;
      buffer = [];
      ready.length = 0;
      typers.close();
      for (const stop of stops) stop();
      wake();
    }

    const iterator: AsyncIterableIterator<Occurrence> = {
      next,
      return() {
        close();
        return Promise.resolve({ done: true, value: undefined });
      },
      throw(error) {
        close();
        return Promise.reject(error);
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return { begin, close, iterator };
  }

  return { open };
}

/**
 * What is worth telling of a stretch of the log: a message is told as it is now, so of its changes in the
 * stretch only the last says anything that its creation has not said. (The reader may see some twice.)
 */
function news(changes: readonly Numbered[]): Numbered[] {
  const lastChange = new Map<string, number>();
  for (const { number, entry } of changes) {
    if (entry.type === 'message' && entry.added === undefined)
      lastChange.set(`${entry.t}:${entry.c}`, number);
  }
  return changes.filter(
    ({ number, entry }) =>
      entry.type !== 'message' ||
      entry.added !== undefined ||
      lastChange.get(`${entry.t}:${entry.c}`) === number,
  );
}
