import type { Item } from '../dynamo/item.ts';
import type { ConsistentLoader, ItemLoader } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';

/** What a stream does after a membership was read again. */
export interface GuardedReader {
  readonly user: string;
  /** The user is a member: the room is open again. `item` is the user's membership, read after the last `recheck`. */
  onMember(room: string, item: Item): void;
  /** The user is not a member any more. The room stays closed until `forget`. */
  onFormer(room: string): void;
  /** The table did not answer: the room stays closed. */
  onUnknown(room: string, error: unknown): void;
}

/** A room that is closed to a reader. Each time is a new object, so `settle` can distinguish them. */
interface Doubt {
  readonly room: string;
  state: 'reading' | 'former' | 'unknown';
  /** Someone left while the membership was being read: the answer may be too old. */
  again: boolean;
}

export interface ReaderGuard {
  /**
   * Someone has left the room, maybe this user: closes the room at once, and reads the membership. One read at a time
   * for each room; if it is called during a read, one more follows, and only the last one counts.
   */
  recheck(room: string): void;
  /** Whether something of the room may be sent to this user now. */
  isOpen(room: string): boolean;
  /** The rooms that are closed because the table did not answer. */
  unknown(): readonly Doubt[];
  /** All memberships were read after `unknown()` returned these doubts: opens those rooms, unless they were closed again in the meantime. */
  settle(doubts: readonly Doubt[]): void;
  /** The user's membership was ended and all of the room was dropped: what comes next is a new membership. */
  forget(room: string): void;
}

export type MembershipGuard = ReturnType<typeof createMembershipGuard>;

/**
 * Former members receive nothing. This is the only place that decides it for live streams:
 *
 *   someone leaves ── the room's `membershipEpoch` rises ── each reader's room is closed ── their membership is read
 *     ──▶ member: open · former: never · unknown: closed
 *
 * A stream asks `isOpen` at the moment when it sends, so nothing that was prepared earlier is sent by mistake.
 * A room that no member has left costs neither a read nor memory.
 */
export function createMembershipGuard(items: ConsistentLoader) {
  const membershipOf = (user: string, room: string, from: Pick<ItemLoader, 'load'> = items) =>
    from.load(keys.membership(user, room));

  function createReader({ user, onMember, onFormer, onUnknown }: GuardedReader): ReaderGuard {
    const doubts = new Map<string, Doubt>();

    async function read(doubt: Doubt): Promise<void> {
      const { room } = doubt;
      try {
        let item: Item | undefined;
        do {
          doubt.again = false;
          item = await membershipOf(user, room);
        } while (doubt.again);
        if (doubts.get(room) !== doubt) return;
        if (item === undefined) {
          doubt.state = 'former';
          onFormer(room);
        } else {
          doubts.delete(room);
          onMember(room, item);
        }
      } catch (error) {
        if (doubts.get(room) !== doubt) return;
        doubt.state = 'unknown';
        onUnknown(room, error);
      }
    }

    return {
      recheck(room) {
        const doubt = doubts.get(room);
        if (doubt?.state === 'reading') {
          doubt.again = true;
          return;
        }
        const fresh: Doubt = { room, state: 'reading', again: false };
        doubts.set(room, fresh);
        void read(fresh);
      },
      isOpen: (room) => !doubts.has(room),
      unknown: () => [...doubts.values()].filter(({ state }) => state === 'unknown'),
      settle(settled) {
        for (const doubt of settled) {
          if (doubts.get(doubt.room) === doubt) doubts.delete(doubt.room);
        }
      },
      forget: (room) => void doubts.delete(room),
    };
  }

  return {
    createReader,

    /** For streams that ask about each event when it is sent: read with the request's other items. Rejects: UNAVAILABLE. */
    isMember: async (user: string, room: string, from: Pick<ItemLoader, 'load'>): Promise<boolean> =>
      (await membershipOf(user, room, from)) !== undefined,
  };
}

declare module '../graphql/context.ts' {
  interface Services {
    readonly membershipGuard: MembershipGuard;
  }
}
