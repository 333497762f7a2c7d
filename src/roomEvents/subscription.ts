import DataLoader from 'dataloader';
import type { Bus, Unsubscribe } from '../bus/bus.ts';
import { userTopic } from '../bus/userTopic.ts';
import { badUserInput, notFound, unavailable } from '../core/errors.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { createItemLoader } from '../dynamo/itemLoader.ts';
import { isId, type Key, keys } from '../dynamo/keys.ts';
import type { RoomCache, RoomListener } from '../live/roomCache.ts';
import { subscriptionEvents } from '../live/subscriptionEvents.ts';
import { memberAccess } from '../rooms/access.ts';
import type { MembershipEvent } from '../rooms/topics.ts';
import { createFeed } from './feed.ts';
import type { History } from './history.ts';
import type { RoomEvent } from './occurrence.ts';
import { createTypers, type TypingNews, typingTopic } from './typing.ts';

export interface RoomSubscriptionsOptions {
  readonly dynamo: Dynamo;
  readonly bus: Bus;
  readonly rooms: RoomCache;
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
 *         └── what arrives meanwhile waits ───────────────────────────────────────────────────┘
 *
 * `feed.ts` puts it in order; here it is attached, and told only while the reader is a member.
 */
export function createRoomSubscriptions({ dynamo, bus, rooms, history }: RoomSubscriptionsOptions) {
  /** All readers who have to be checked at one moment are read together; nothing is remembered. */
  const strongly = new DataLoader<Key, Item | undefined>((wanted) => dynamo.batchGet(wanted), {
    cache: false,
  });

  /** Throws NOT_FOUND, FORBIDDEN, BAD_USER_INPUT for a number the room has not reached, UNAVAILABLE. */
  async function open({ user, room, after }: Opening): Promise<AsyncIterableIterator<RoomEvent>> {
    if (!isId(room)) throw notFound();
    // Who is told nothing of removals is told nothing at all.
    if (!bus.up) throw unavailable();
    const subscription = createSubscription(user, room);
    try {
      await subscription.begin(after);
      return subscription.events;
    } catch (error) {
      subscription.close();
      throw error;
    }
  }

  function createSubscription(user: string, room: string) {
    const feed = createFeed({ room, rooms, history });
    const stops: Unsubscribe[] = [];
    /** Somebody has left the room: nothing more is told before it is known that it was not this reader. */
    let verify = false;
    let typingChanged = false;
    let closed = false;
    let wake = () => {};

    const typers = createTypers(user, () => {
      typingChanged = true;
      wake();
    });

    const takeRoom: RoomListener = (_open, event, removalsRose) => {
      if (removalsRose) verify = true;
      if (event === undefined) feed.compare();
      else feed.take(event);
      wake();
    };

    function takePersonal(news: MembershipEvent): void {
      if (news.type !== 'left' || news.room !== room) return;
      verify = true;
      wake();
    }

    function takeTyping(news: TypingNews): void {
      // As every event of the room it tells of removals, and it may be the first to do so.
      if (news.removals > (rooms.get(room)?.counter.removals ?? 0)) verify = true;
      typers.take(news);
    }

    /** To be called when this ends; at once where it has. */
    function hold(stop: Unsubscribe): void {
      if (closed) stop();
      else stops.push(stop);
    }

    async function begin(after: number | undefined): Promise<void> {
      hold(bus.onDown(close));
      await Promise.all([
        bus.subscribe(typingTopic(room), takeTyping).then(hold),
        bus.subscribe(userTopic<MembershipEvent>(user), takePersonal).then(hold),
        rooms.acquire([room], takeRoom).then(() => hold(() => rooms.release(room, takeRoom))),
      ]);
      // Only now: who is removed from here on is told of by the bus.
      const { counter } = await memberAccess(room, user, createItemLoader(dynamo));
      const now = counter.changeCount;
      if (after !== undefined && after > now) throw badUserInput('after', 'This cursor is not of this room.');
      await feed.begin(after, now);
      if (closed) throw unavailable();
    }

    async function isMember(): Promise<boolean> {
      try {
        return (await strongly.load(keys.membership(user, room))) !== undefined;
      } catch {
        // Unknown is no.
        return false;
      }
    }

    async function next(): Promise<IteratorResult<RoomEvent>> {
      while (!closed) {
        if (verify) {
          verify = false;
          if (!(await isMember())) close();
          continue;
        }
        const value = feed.shift();
        if (value !== undefined) return { done: false, value };
        // What could not be read cannot be left out either: the reader comes again with their cursor.
        if (!feed.idle) await feed.work().catch(close);
        else if (typingChanged) return { done: false, value: typing() };
        else await something();
      }
      return { done: true, value: undefined };
    }

    function typing(): RoomEvent {
      typingChanged = false;
      return { type: 'TypingChanged', room, cursor: feed.last, users: typers.users };
    }

    const something = () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      });

    function close(): void {
      if (closed) return;
      closed = true;
      typers.close();
      for (const stop of stops) stop();
      wake();
    }

    return { begin, close, events: subscriptionEvents({ next, close }) };
  }

  return { open };
}
