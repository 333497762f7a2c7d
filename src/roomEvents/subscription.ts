import { type Bus, userTopic } from '../bus/bus.ts';
import { badUserInput, notFound, unavailable } from '../core/errors.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { createItemLoader } from '../dynamo/itemLoader.ts';
import { isId } from '../dynamo/keys.ts';
import type { MembershipGuard } from '../live/membershipGuard.ts';
import { createSubscription } from '../live/subscription.ts';
import { memberAccess } from '../rooms/access.ts';
import type { MembershipEvent } from '../rooms/topics.ts';
import type { RoomCache, RoomListener } from './roomCache.ts';
import { createRoomEventQueue } from './roomEventQueue.ts';
import type { RoomEvent, RoomLogReader } from './roomLogReader.ts';
import { createTypers, type TypingUpdate, typingTopic } from './typing.ts';

export interface RoomSubscriptionsOptions {
  readonly dynamo: Dynamo;
  readonly bus: Bus;
  readonly rooms: RoomCache;
  readonly guard: MembershipGuard;
  readonly log: RoomLogReader;
}

export interface Opening {
  readonly user: string;
  readonly room: string;
  /** The number of the last change that the client knows of. Undefined: it begins now. */
  readonly after: number | undefined;
}

export type RoomSubscriptions = ReturnType<typeof createRoomSubscriptions>;

/**
 * What happens in a room, for one reader, without a gap:
 *
 *   attach to the bus ── read the counter (N) ── replay after…N from the log ── Synced(N) ── N+1, N+2 …
 *         │                                                                                   ▲
 *         └── what arrives meanwhile waits ───────────────────────────────────────────────────┘
 *
 * `roomEventQueue.ts` puts it in order. Here it is attached, and sent only while the reader is a member: when that is
 * not certain, the subscription completes and the client comes back with its last cursor.
 */
export function createRoomSubscriptions({ dynamo, bus, rooms, guard, log }: RoomSubscriptionsOptions) {
  /** Throws NOT_FOUND, FORBIDDEN, BAD_USER_INPUT for a number that the room has not reached, UNAVAILABLE. */
  async function open({ user, room, after }: Opening): Promise<AsyncIterableIterator<RoomEvent>> {
    if (!isId(room)) throw notFound();
    // A server that would not learn of removals must not send anything.
    if (!bus.up) throw unavailable();
    const queue = createRoomEventQueue({ room, rooms, log });
    let typingChanged = false;

    const typers = createTypers(user, () => {
      typingChanged = true;
      subscription.wake();
    });

    const subscription = createSubscription<RoomEvent>({
      take() {
        if (!reader.isOpen(room)) return undefined;
        const event = queue.shift();
        if (event !== undefined || !typingChanged || !queue.idle) return event;
        typingChanged = false;
        return { type: 'TypingChanged', room, cursor: queue.last, users: typers.users };
      },
      work: () => (reader.isOpen(room) ? queue.work() : undefined),
      close: typers.close,
    });

    const reader = guard.createReader({
      user,
      onMember: subscription.wake,
      onFormer: subscription.close,
      onUnknown: subscription.close,
    });

    const receiveRoom: RoomListener = (_room, update, { epochRose }) => {
      if (epochRose) reader.recheck(room);
      if (update === undefined) queue.compare();
      else queue.add(update);
      subscription.wake();
    };

    function receivePersonal(event: MembershipEvent): void {
      if (event.type === 'left' && event.room === room) reader.recheck(room);
    }

    function receiveTyping(news: TypingUpdate): void {
      // Like every event of the room it carries `membershipEpoch`, and it may be the first one after a removal.
      if (news.membershipEpoch > (rooms.get(room)?.counter.membershipEpoch ?? 0)) reader.recheck(room);
      typers.take(news);
    }

    async function begin(): Promise<void> {
      const { hold } = subscription;
      hold(bus.onDown(subscription.close));
      await Promise.all([
        bus.subscribe(typingTopic(room), receiveTyping).then(hold),
        bus.subscribe(userTopic<MembershipEvent>(user), receivePersonal).then(hold),
        rooms.acquire([room], receiveRoom).then(() => hold(() => rooms.release(room, receiveRoom))),
      ]);
      // Not before: from here on the bus announces every removal.
      const { counter } = await memberAccess(room, user, createItemLoader(dynamo));
      const now = counter.lastSequence;
      if (after !== undefined && after > now) throw badUserInput('after', 'This cursor is not of this room.');
      await queue.begin(after, now);
      if (subscription.closed) throw unavailable();
    }

    try {
      await begin();
      return subscription.events;
    } catch (error) {
      subscription.close();
      throw error;
    }
  }

  return { open };
}
