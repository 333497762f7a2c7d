import { type Bus, type Unsubscribe, userTopic } from '../bus/bus.ts';
import { type Clock, sleep, systemClock } from '../core/clock.ts';
import { badUserInput, notFound, unavailable } from '../core/errors.ts';
import type { ConsistentLoader } from '../dynamo/itemLoader.ts';
import { isId } from '../dynamo/keys.ts';
import type { MembershipGuard, MembershipListener, RoomGate } from '../live/membershipGuard.ts';
import {
  createSubscription,
  type SharedResults,
  type Subscription,
  type SubscriptionSource,
} from '../live/subscription.ts';
import { memberAccess } from '../rooms/access.ts';
import type { MembershipEvent } from '../rooms/room.ts';
import { createReplays, type Replays } from './replays.ts';
import type { RoomCache } from './roomCache.ts';
import { createRoomEventQueue, type RoomEventQueue } from './roomEventQueue.ts';
import { createRoomFeeds, type RoomFeeds, type RoomReader } from './roomFeed.ts';
import type { RoomEvent, RoomLogReader } from './roomLogReader.ts';
import type { RoomUpdate } from './roomUpdate.ts';
import { Typers, type TypingUpdate, typingTopic } from './typing.ts';

export interface RoomSubscriptionsOptions {
  /** Reads what readers who arrive together need in one request. */
  readonly items: ConsistentLoader;
  readonly bus: Bus;
  readonly rooms: RoomCache;
  readonly guard: MembershipGuard;
  readonly log: RoomLogReader;
  readonly clock?: Clock;
}

/**
 * How long a subscription waits for a bus that is down before it is refused. A client that ignores `retryAfterMs` then
 * makes one attempt in this time, and clients do not notice a shorter outage.
 */
export const BUS_WAIT_MS = 1_000;

export interface Opening {
  readonly user: string;
  readonly room: string;
  /** The number of the last change that the client knows of. Undefined: it begins now. */
  readonly after: number | undefined;
}

export type RoomSubscriptions = ReturnType<typeof createRoomSubscriptions>;

/**
 * The events of a room for one reader, without a gap:
 *
 *   attach to the bus ── read the counter (N) ── replay after…N from the log ── Synced(N) ── N+1, N+2 …
 *         │                                                                                   ▲
 *         └── updates that arrive now wait ────────────────────────────────────────────────────┘
 *
 * `roomEventQueue.ts` orders the events. This file attaches the queue to the bus, and sends events only while the
 * reader is a member. If that is not certain, the subscription completes, and the client subscribes again with its last
 * cursor.
 */
export function createRoomSubscriptions({ clock = systemClock, ...options }: RoomSubscriptionsOptions) {
  const { bus } = options;
  const shared = {
    ...options,
    replays: createReplays(options),
    feeds: createRoomFeeds({ ...options, clock }),
  };

  async function waitForBus(): Promise<void> {
    const back = new AbortController();
    const stop = bus.onGap(() => back.abort());
    await sleep(clock, BUS_WAIT_MS, back.signal);
    stop();
  }

  return {
    /**
     * Throws NOT_FOUND, FORBIDDEN, BAD_USER_INPUT for a number that the room has not reached, and UNAVAILABLE, for a
     * bus that is down after BUS_WAIT_MS.
     */
    async open({ user, room, after }: Opening): Promise<AsyncIterableIterator<RoomEvent>> {
      if (!isId(room)) throw notFound();
      // Without the bus the server would not notice that a member was removed.
      if (!bus.up) await waitForBus();
      if (!bus.up) throw unavailable();
      const stream = new RoomStream(shared, room, user);
      try {
        await stream.begin(after);
        return stream.subscription.events;
      } catch (error) {
        stream.subscription.close();
        throw error;
      }
    },
  };
}

type SharedOptions = RoomSubscriptionsOptions & { readonly replays: Replays; readonly feeds: RoomFeeds };

/** One reader's stream. A class, because a server holds one for each socket that shows a room. */
class RoomStream implements SubscriptionSource<RoomEvent>, MembershipListener, RoomReader {
  readonly user: string;
  readonly #room: string;
  readonly #options: SharedOptions;
  readonly #queue: RoomEventQueue;
  readonly #typers: Typers;
  readonly #gate: RoomGate;
  #typingChanged = false;
  results: SharedResults<RoomEvent> | undefined = undefined;
  readonly subscription: Subscription<RoomEvent>;

  constructor(options: SharedOptions, room: string, user: string) {
    this.user = user;
    this.#room = room;
    this.#options = options;
    const { log, replays } = options;
    this.#queue = createRoomEventQueue({ room, log, replays });
    this.#typers = new Typers(user, () => {
      this.#typingChanged = true;
      this.subscription.wake();
    });
    this.#gate = options.guard.createGate(this);
    this.subscription = createSubscription<RoomEvent>(this);
  }

  async begin(after: number | undefined): Promise<void> {
    const { bus, feeds, items, rooms } = this.#options;
    const { subscription } = this;
    const room = this.#room;
    const hold = (stop: Unsubscribe) => subscription.hold(stop);
    hold(bus.onDown(() => subscription.close()));
    await Promise.all([
      bus.subscribe(typingTopic(room), (update) => this.#receiveTyping(update)).then(hold),
      bus
        .subscribe(userTopic<MembershipEvent>(this.user), (event) => this.#receivePersonal(event))
        .then(hold),
      feeds.join(room, this).then(() => hold(() => feeds.leave(room, this))),
    ]);
    // Only now, because from here on the bus announces every removal.
    const isLoaded = rooms.get(room) !== undefined;
    let { counter } = await memberAccess(room, this.user, items);
    if (!isLoaded) {
      // Others asked for the room before it existed: the id of a direct room is known before. It announces no removal
      // until it is loaded. Those who do not see it are refused above, as fast as for a room that exists.
      await rooms.refresh([room]);
      ({ counter } = await memberAccess(room, this.user, items));
    }
    const now = counter.lastSequence;
    if (after !== undefined && after > now) throw badUserInput('after', 'This cursor is not of this room.');
    await this.#queue.begin(after, now);
    if (subscription.closed) throw unavailable();
  }

  share(results: SharedResults<RoomEvent>): void {
    this.#options.feeds.share(this.#room, this, results);
    this.results = results;
  }

  take(): RoomEvent | undefined {
    if (!this.#gate.isOpen(this.#room)) return undefined;
    const event = this.#queue.shift();
    if (event !== undefined || !this.#typingChanged || !this.#queue.idle) return event;
    this.#typingChanged = false;
    return {
      type: 'TypingChanged',
      room: this.#room,
      cursor: this.#queue.last,
      users: this.#typers.users,
    };
  }

  mayStillSend(event: RoomEvent): boolean {
    if (this.#gate.isOpen(this.#room)) return true;
    if (event.type === 'TypingChanged') this.#typingChanged = true;
    else this.#queue.putBack(event);
    return false;
  }

  sent(event: RoomEvent): void {
    this.#options.log.sent(event);
  }

  work(): Promise<void> | undefined {
    return this.#gate.isOpen(this.#room) ? this.#queue.work() : undefined;
  }

  close(): void {
    this.#typers.close();
  }

  onMember(): void {
    this.subscription.wake();
  }

  onFormer(): void {
    this.subscription.close();
  }

  onUnknown(): void {
    this.subscription.close();
  }

  recheck(): void {
    this.#gate.recheck(this.#room);
  }

  compare(): void {
    this.#queue.compare();
    this.subscription.wake();
  }

  receive(update: RoomUpdate, events?: readonly RoomEvent[]): void {
    this.#queue.add(update, events);
    this.subscription.wake();
  }

  #receivePersonal(event: MembershipEvent): void {
    if (event.type === 'left' && event.room === this.#room) this.#gate.recheck(this.#room);
  }

  #receiveTyping(update: TypingUpdate): void {
    // It may be the first message after a member was removed, so it carries `membershipEpoch` as well.
    const known = this.#options.rooms.get(this.#room)?.counter.membershipEpoch ?? 0;
    if (update.membershipEpoch > known) this.#gate.recheck(this.#room);
    this.#typers.apply(update);
  }
}
