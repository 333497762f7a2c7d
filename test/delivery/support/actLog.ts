/**
 * Which people are notified of each act, by rules that everyone knows: followed threads, muted rooms, rooms that they
 * left.
 */
import type { DeliveryKind } from '../../../src/core/deliveryKinds.ts';
import type { Message } from '../../../src/messages/message.ts';
import type { Act, createActs } from './acts.ts';
import type { Person } from './deliverySystem.ts';

/** What a person has chosen now. */
export interface Choices {
  readonly muted: Set<string>;
  readonly left: Set<string>;
  /** Rooms that they have ever left. */
  readonly wasOut: Set<string>;
  /** Rooms of which they get all messages. */
  readonly listens: Set<string>;
  readonly off: Set<DeliveryKind>;
  /** The users they have blocked now, and those they have ever blocked. */
  readonly blocked: Set<string>;
  readonly wasBlocked: Set<string>;
  pausedUntil: number;
  quiet: { readonly from: number; readonly until: number };
  /** The last time at which one of the above held for a room or a kind. */
  readonly excused: Map<string, number>;
}

interface LogOptions {
  readonly acts: ReturnType<typeof createActs>;
  /** Those who are notified. */
  readonly people: readonly Person[];
  readonly roots: readonly Message[];
  readonly choicesOf: (user: string) => Choices;
}

type Did = Pick<Act, 'to' | 'by' | 'kind' | 'room' | 'about' | 'order'> & Partial<Act>;

export function createLog({ acts, people, roots, choicesOf }: LogOptions) {
  const isTold = (user: string): boolean => people.some(({ id }) => id === user);
  /** The users who follow a thread, and since which of their replies; its author since the root. */
  const followers = new Map(roots.map(({ ts, author }) => [ts, new Map([[author, ts]])]));
  const liked = new Set<string>();
  let likes = 0;
  let isMeanwhile = false;

  /** Whether deliveries of this kind and room are sent to the person now. */
  function isWanted({ to, kind, room }: Pick<Act, 'to' | 'kind' | 'room'>): boolean {
    const { left, muted, listens, off } = choicesOf(to);
    if (left.has(room) || off.has(kind)) return false;
    return listens.has(room) || (kind !== 'MESSAGE' && !muted.has(room));
  }

  function add(did: Did): void {
    const { to, by, kind, room } = did;
    if (by === to) return;
    const { left, wasOut, wasBlocked } = choicesOf(to);
    // What happens to those who are away, and to their threads when they return, is not a subject of this test.
    // The same goes for replies of users who were blocked, if others are deleted.
    const hasGap = kind === 'REPLY' && (wasOut.has(room) || wasBlocked.has(by));
    const certain = did.certain !== false && !left.has(room) && !hasGap;
    acts.add({ ...did, certain, owed: certain && isWanted(did), meanwhile: isMeanwhile });
  }

  /**
   * The bell has nothing of a room that is muted when the stream is read, except for mentions, of no other's room, and
   * of no one who is blocked then.
   */
  function isNever({ to, by, kind, room }: Act): boolean {
    const { left, muted, blocked } = choicesOf(to);
    if (kind === 'MESSAGE') return false;
    return left.has(room) || blocked.has(by) || (muted.has(room) && kind !== 'MENTION');
  }

  const isRoot = ({ kind }: Act): boolean => kind === 'MENTION' || kind === 'MESSAGE';

  return {
    isWanted,
    isRoot,

    /** From now on, or until now, what is done happens during a decision. */
    meanwhile(is: boolean): void {
      isMeanwhile = is;
    },

    /** The stream was read. */
    derived(): void {
      acts.drop((act) => !act.derived && isNever(act));
      for (const act of acts.find(({ derived }) => !derived)) {
        act.derived = true;
        if (!isWanted(act) || choicesOf(act.to).blocked.has(act.by)) act.owed = false;
      }
    },

    /** `mentioned`: the user that all of them mention, unless they have blocked the author. */
    wrote(messages: readonly Message[], mentioned?: string): void {
      for (const { author: by, room, ts, threadTs } of [...messages].sort((a, b) => (a.ts < b.ts ? -1 : 1))) {
        const did = { by, room, order: ts, message: ts };
        if (ts !== threadTs) {
          const follow = followers.get(threadTs) ?? new Map<string, string>();
          for (const to of follow.keys()) if (isTold(to)) add({ ...did, to, kind: 'REPLY', about: threadTs });
          if (!follow.has(by)) follow.set(by, ts);
          continue;
        }
        // A user who writes in a room has read what was written there before.
        for (const act of acts.find((one) => one.to === by && one.room === room && isRoot(one)))
          act.read = true;
        const isMention = mentioned !== undefined && !choicesOf(mentioned).blocked.has(by);
        if (isMention) add({ ...did, to: mentioned, kind: 'MENTION', about: ts });
        for (const { id: to } of people) {
          add({ ...did, to, kind: 'MESSAGE', about: '', names: isMention && to === mentioned });
        }
      }
    },

    /**
     * What they did before is not owed. Of messages, it is not known afterwards whether they were decided while it was
     * so.
     */
    blocked(to: string, by: string, is: boolean): void {
      const { blocked, wasBlocked } = choicesOf(to);
      if (is) blocked.add(by);
      else blocked.delete(by);
      wasBlocked.add(by);
      for (const act of acts.find((one) => one.to === to && one.by === by)) {
        act.owed = false;
        if (!is && act.kind === 'MESSAGE') act.certain = false;
      }
    },

    /** Users in a notification that the author has read do not count again. */
    liked(by: string, { room, ts, author: to }: Message): void {
      if (liked.has(`${by} ${ts}`)) return;
      liked.add(`${by} ${ts}`);
      const before = acts.find((act) => act.kind === 'LIKE' && act.by === by && act.about === ts);
      if (before.some(({ read, undone }) => read && !undone)) return;
      const certain = before.every((act) => act.certain);
      const order = String(++likes).padStart(16, '0');
      add({ to, by, room, order, certain, kind: 'LIKE', about: ts });
    },

    unliked(by: string, { ts }: Message): void {
      liked.delete(`${by} ${ts}`);
      const own = acts.find((act) => act.kind === 'LIKE' && act.by === by && act.about === ts);
      for (const act of own) if (!act.read) act.undone = true;
    },
  };
}
