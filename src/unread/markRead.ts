import { notFound } from '../core/errors.ts';
import { microsOf, type Timestamp, toTimestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ConditionFailed } from '../dynamo/errors.ts';
import { createItemLoader, type ItemLoader } from '../dynamo/itemLoader.ts';
import { keys, parseKey, ranges } from '../dynamo/keys.ts';
import { AGAIN, optimistic } from '../dynamo/optimistic.ts';
import { type MessageKey, messageOf } from '../messages/message.ts';
import { memberAccess } from '../rooms/access.ts';
import { counterOf, type Membership, membershipOf } from '../rooms/room.ts';
import { createExplain } from './explain.ts';
import { currentMark, isFurther, type ReadMark } from './readPosition.ts';

export type Reading = ReturnType<typeof createReading>;

/** A mark, and about when what it names was created. */
interface Target extends ReadMark {
  readonly at: Timestamp;
}

/** How far people have read, and what they say about it. */
export function createReading({ dynamo }: { readonly dynamo: Dynamo }) {
  /**
   * Moves the read position up to a message (a reply stands for its root), or over all there is. What is
   * not further than what was read before changes nothing. Throws NOT_FOUND, FORBIDDEN.
   */
  function markRead(user: string, room: string, upTo?: MessageKey): Promise<Membership> {
    return changing(user, room, {
      read: (items) => (upTo === undefined ? everything(room, items) : rootTarget(room, upTo, items)),
      decide: (target, current) => {
        if (!isFurther(target, current)) return null;
        return { ...target, position: Math.max(target.position, current.position) };
      },
    });
  }

  /** Moves the read position down so that this root (a reply stands for its root) and all after it are unread. */
  function markUnread(user: string, { room, t }: MessageKey): Promise<Membership> {
    return changing(user, room, {
      read: (items, current) => placeBefore({ room, t, items, current }),
      decide: (target, current) => {
        if (!isFurther(current, target)) return null;
        // Of what is pending, nothing below it is known but what had a position when it was named.
        return target.pending === null ? target : { ...target, position: current.position };
      },
    });
  }

  /** A muted room keeps its count, but is left out of the total. */
  async function mute(user: string, room: string, muted: boolean): Promise<Membership> {
    await memberAccess(room, user, createItemLoader(dynamo));
    try {
      const item = await dynamo.update(keys.membership(user, room), {
        update: 'SET muted = :muted, rev = rev + :one',
        condition: 'muted = :other',
        values: { ':muted': muted, ':other': !muted, ':one': 1 },
      });
      return membershipOf(user, room, item);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // It is so already, or the person has left since.
      const { membership } = await memberAccess(room, user, createItemLoader(dynamo));
      return membership;
    }
  }

  interface Plan {
    /**
     * Where the person wants to be; null where there is no such message. `current`: where they are, as it is
     * when it is first asked for, here or else afterwards.
     */
    read(items: ItemLoader, current: () => Promise<ReadMark>): Promise<Target | null>;
    /** Where that leads from where they are; null: nothing to write. */
    decide(target: Target, current: ReadMark): Target | null;
  }

  /** One batch of reads (and the newest root beside it), one write on the condition that it is still so. */
  const changing = (user: string, room: string, { read, decide }: Plan): Promise<Membership> =>
    optimistic(async () => {
      const items = createItemLoader(dynamo);
      const access = memberAccess(room, user, items);
      let asked: Promise<ReadMark> | undefined;
      const current = () => {
        asked ??= access.then(({ membership }) => currentMark(membership, items));
        return asked;
      };
      const [{ membership }, wanted] = await Promise.all([access, read(items, current)]);
      // Only now: who is not in the room does not hear which messages there are.
      if (wanted === null) throw notFound();
      const target = decide(wanted, await current());
      if (target === null) return membership;
      const { position, pending, at } = target;
      try {
        const item = await dynamo.update(keys.membership(user, room), {
          update: `SET readPosition = :position, readAt = :at, rev = :next${
            pending === null ? ' REMOVE readTo' : ', readTo = :pending'
          }`,
          condition: 'rev = :rev',
          values: {
            ':position': position,
            ':at': at,
            ':rev': membership.rev,
            ':next': membership.rev + 1,
            ...(pending === null ? {} : { ':pending': pending }),
          },
        });
        return membershipOf(user, room, item);
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        return AGAIN;
      }
    });

  async function rootTarget(
    room: string,
    { room: of, t }: MessageKey,
    items: ItemLoader,
  ): Promise<Target | null> {
    if (of !== room) return null;
    const item = await items.load(keys.root(room, t));
    if (item === undefined) return null;
    const { position } = messageOf({ room, t, c: t }, item);
    return position === null ? { position: 0, pending: t, at: t } : { position, pending: null, at: t };
  }

  interface Before {
    readonly room: string;
    readonly t: Timestamp;
    readonly items: ItemLoader;
    readonly current: () => Promise<ReadMark>;
  }

  /** Just before a root: where everything but it and what comes after it is read. */
  async function placeBefore({ room, t, items, current }: Before): Promise<Target | null> {
    const key = keys.root(room, t);
    const at = toTimestamp(microsOf(t) - 1);
    const root = await items.load(key);
    if (root === undefined) return null;
    if (root.position !== undefined) return { position: (root.position as number) - 1, pending: null, at };

    // It has no position yet: what had one, or comes right before it, is read. In this order: where they are,
    // lest it seem to be before what is found later; and the root last, for as long as it still has none then,
    // its own will be above what was found.
    await current();
    const [counter, { items: found }] = await Promise.all([
      dynamo.get(keys.counter(room)),
      dynamo.query(ranges.roots(room), { limit: 1, reverse: true, after: key.sk }),
    ]);
    const { position } = (await dynamo.get(key)) ?? {};
    if (typeof position === 'number') return { position: position - 1, pending: null, at };
    const [previous] = found;
    const previousKey = previous === undefined ? undefined : parseKey(previous as { pk: string; sk: string });
    if (previous !== undefined && previous.position === undefined && previousKey?.type === 'root') {
      return { position: 0, pending: previousKey.t, at: previousKey.t };
    }
    const counted = counter === undefined ? 0 : counterOf(counter).messageCount;
    return { position: Math.max(counted, Number(previous?.position ?? 0)), pending: null, at };
  }

  async function everything(room: string, items: ItemLoader): Promise<Target | null> {
    const [counter, { items: newest }] = await Promise.all([
      items.load(keys.counter(room)),
      dynamo.query(ranges.roots(room), { limit: 1, reverse: true }),
    ]);
    if (counter === undefined) return null;
    const { messageCount } = counterOf(counter);
    const [last] = newest;
    const key = last === undefined ? undefined : parseKey(last as { pk: string; sk: string });
    if (last === undefined || key?.type !== 'root')
      return { position: messageCount, pending: null, at: toTimestamp(0) };
    // The newest root may be too young for a position; it is there all the same.
    if (last.position === undefined) return { position: messageCount, pending: key.t, at: key.t };
    // Counter and root are two reads: the root may have got its position in between.
    return { position: Math.max(messageCount, last.position as number), pending: null, at: key.t };
  }

  return { markRead, markUnread, mute, explain: createExplain({ dynamo }).explain };
}
