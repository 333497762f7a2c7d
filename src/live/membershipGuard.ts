import type { Item } from '../dynamo/item.ts';
import type { ConsistentLoader, ItemLoader } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';

/** What a stream does after its user's membership was read again. */
export interface MembershipListener {
  readonly user: string;
  /** The user is a member: the room is open again. `item` is the user's membership, read after the last `recheck`. */
  onMember(room: string, item: Item): void;
  /** The user is not a member any more. The room stays closed until `forget`. */
  onFormer(room: string): void;
  /** The table did not respond: the room stays closed. */
  onUnknown(room: string, error: unknown): void;
}

/** A room that is closed to a user. Each time is a new object, so `settle` can distinguish them. */
interface Doubt {
  readonly room: string;
  state: 'reading' | 'former' | 'unknown';
  /** Someone left while the membership was being read: the result may be too old. */
  again: boolean;
}

/** Closes and opens the rooms of one stream. */
export interface RoomGate {
  /**
   * Someone has left the room, maybe this user: closes the room at once, and reads the membership. One read at a time
   * for each room; if it is called during a read, one more follows, and only the last one counts.
   */
  recheck(room: string): void;
  /** Whether something of the room may be sent to this user now. */
  isOpen(room: string): boolean;
  /** The rooms that are closed because the table did not respond. */
  unknown(): readonly Doubt[];
  /**
   * All memberships were read after `unknown()` returned these doubts: opens those rooms, unless they were closed again
   * in the meantime.
   */
  settle(doubts: readonly Doubt[]): void;
  /** The user's membership was ended and all of the room was dropped: what comes next is a new membership. */
  forget(room: string): void;
}

export type MembershipGuard = ReturnType<typeof createMembershipGuard>;

/**
 * Former members receive nothing. This is the only place that decides it for live streams:
 *
 *   someone leaves, or the room is deleted ── its `membershipEpoch` rises ── the room is closed to each user ── their membership is read
 *     ──▶ member: open · former: never · unknown: closed
 *
 * A stream asks `isOpen` when it takes a value and again when the value's result is ready, so nothing that was prepared
 * earlier is sent by mistake.
 * A room that no member has left costs neither a read nor memory.
 */
export function createMembershipGuard(items: ConsistentLoader) {
  return {
    createGate: (listener: MembershipListener): RoomGate => new Gate(listener, items),

    /**
     * For streams that ask about each event when it is sent: read with the request's other items. Rejects: UNAVAILABLE.
     */
    isMember: async (user: string, room: string, from: Pick<ItemLoader, 'loadMany'>): Promise<boolean> =>
      (await currentMembership(user, room, from)) !== undefined,
  };
}

/** The user's membership. The memberships of a deleted room still exist for a while, and count for nothing. */
async function currentMembership(
  user: string,
  room: string,
  items: Pick<ItemLoader, 'loadMany'>,
): Promise<Item | undefined> {
  const [membership, roomItem] = await items.loadMany([keys.membership(user, room), keys.room(room)]);
  return roomItem === undefined ? undefined : membership;
}

class Gate implements RoomGate {
  readonly #listener: MembershipListener;
  readonly #items: ConsistentLoader;
  /** Undefined before the first one: nearly all readers never have one. */
  #doubts: Map<string, Doubt> | undefined = undefined;

  constructor(listener: MembershipListener, items: ConsistentLoader) {
    this.#listener = listener;
    this.#items = items;
  }

  recheck(room: string): void {
    this.#doubts ??= new Map();
    const doubt = this.#doubts.get(room);
    if (doubt?.state === 'reading') {
      doubt.again = true;
      return;
    }
    const fresh: Doubt = { room, state: 'reading', again: false };
    this.#doubts.set(room, fresh);
    void this.#read(fresh);
  }

  isOpen(room: string): boolean {
    return this.#doubts?.has(room) !== true;
  }

  unknown(): readonly Doubt[] {
    return [...(this.#doubts?.values() ?? [])].filter(({ state }) => state === 'unknown');
  }

  settle(settled: readonly Doubt[]): void {
    for (const doubt of settled) if (this.#isCurrent(doubt)) this.#doubts?.delete(doubt.room);
  }

  forget(room: string): void {
    this.#doubts?.delete(room);
  }

  #isCurrent(doubt: Doubt): boolean {
    return this.#doubts?.get(doubt.room) === doubt;
  }

  async #read(doubt: Doubt): Promise<void> {
    const { room } = doubt;
    const { user } = this.#listener;
    try {
      let item: Item | undefined;
      do {
        doubt.again = false;
        item = await currentMembership(user, room, this.#items);
      } while (doubt.again);
      if (!this.#isCurrent(doubt)) return;
      if (item === undefined) {
        doubt.state = 'former';
        this.#listener.onFormer(room);
      } else {
        this.#doubts?.delete(room);
        this.#listener.onMember(room, item);
      }
    } catch (error) {
      if (!this.#isCurrent(doubt)) return;
      doubt.state = 'unknown';
      this.#listener.onUnknown(room, error);
    }
  }
}

declare module '../graphql/context.ts' {
  interface Services {
    readonly membershipGuard: MembershipGuard;
  }
}
