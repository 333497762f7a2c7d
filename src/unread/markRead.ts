import { defined } from '../core/defined.ts';
import { notFound } from '../core/errors.ts';
import { microsOf, type Timestamp, toTimestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ifConditionHolds } from '../dynamo/errors.ts';
import { createItemLoader, type ItemLoader } from '../dynamo/itemLoader.ts';
import { keyOf, keys, parseKey, ranges } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import { type MessageKey, messageOf } from '../messages/message.ts';
import { memberAccess } from '../rooms/access.ts';
import { counterOf, type Membership, membershipOf } from '../rooms/room.ts';
import { createExplain } from './explain.ts';
import { currentReadPosition, isFurther, type ReadPosition } from './readPosition.ts';

export type ReadPositions = ReturnType<typeof createReadPositions>;

/** A read position, and the approximate time at which the last root that it covers was created. */
interface Target extends ReadPosition {
  readonly lastReadTs: Timestamp;
}

/** Moves users' read positions and mutes rooms. */
export function createReadPositions({ dynamo }: { readonly dynamo: Dynamo }) {
  /**
   * Advances the read position to a message (for a reply, to its root), or to the newest root. Never moves it back.
   * Throws NOT_FOUND and FORBIDDEN.
   */
  function markRead(user: string, room: string, upTo?: MessageKey): Promise<Membership> {
    return changePosition(user, room, {
      read: (items) => (upTo === undefined ? newestRoot(room, items) : rootTarget(room, upTo, items)),
      decide: (target, current) => {
        if (!isFurther(target, current)) return null;
        return { ...target, position: Math.max(target.position, current.position) };
      },
    });
  }

  /** Moves the read position back so that this root (for a reply, its root) and all roots after it are unread. */
  function markUnread(user: string, { room, threadTs }: MessageKey): Promise<Membership> {
    return changePosition(user, room, {
      read: (items, current) => beforeRoot({ room, threadTs, items, current }),
      decide: (target, current) => {
        if (!isFurther(current, target)) return null;
        // Before a pending root, only the positions up to the current one are known to be read.
        return target.pendingReadRoot === null ? target : { ...target, position: current.position };
      },
    });
  }

  /** A muted room keeps its count, but does not count towards the total. Idempotent. */
  async function mute(user: string, room: string, muted: boolean): Promise<Membership> {
    await memberAccess(room, user, createItemLoader(dynamo));
    const item = await ifConditionHolds(
      dynamo.update(keys.membership(user, room), {
        update: 'SET muted = :muted, rev = rev + :one',
        condition: 'muted = :other',
        values: { ':muted': muted, ':other': !muted, ':one': 1 },
      }),
    );
    if (item !== undefined) return membershipOf(user, room, item);
    // It has that setting already, or the user has left since.
    const { membership } = await memberAccess(room, user, createItemLoader(dynamo));
    return membership;
  }

  interface PositionChange {
    /**
     * The position that the user asks for. Null if the message does not exist. `current` resolves to the present
     * position, which is read at its first call.
     */
    read(items: ItemLoader, current: () => Promise<ReadPosition>): Promise<Target | null>;
    /** The position to write; null if nothing changes. */
    decide(target: Target, current: ReadPosition): Target | null;
  }

  /** One batch of reads, in parallel with a query for the newest root, and one conditional write. */
  const changePosition = (
    user: string,
    room: string,
    { read, decide }: PositionChange,
  ): Promise<Membership> =>
    dynamo.optimistic(async () => {
      const items = createItemLoader(dynamo);
      const access = memberAccess(room, user, items);
      let loading: Promise<ReadPosition> | undefined;
      const current = () => {
        loading ??= access.then(({ membership }) => currentReadPosition(membership, items));
        return loading;
      };
      const [{ membership }, wanted] = await Promise.all([access, read(items, current)]);
      // Not before the access is checked: users outside the room must not learn which messages exist.
      if (wanted === null) throw notFound();
      const target = decide(wanted, await current());
      if (target === null) return membership;
      const { position, pendingReadRoot, lastReadTs } = target;
      const item = await ifConditionHolds(
        dynamo.update(keys.membership(user, room), {
          update: `SET readPosition = :position, readAt = :at, rev = :next${
            pendingReadRoot === null ? ' REMOVE readTo' : ', readTo = :pending'
          }`,
          condition: 'rev = :rev',
          values: {
            ':position': position,
            ':at': lastReadTs,
            ':rev': membership.version,
            ':next': membership.version + 1,
            ...defined({ ':pending': pendingReadRoot ?? undefined }),
          },
        }),
      );
      return item === undefined ? AGAIN : membershipOf(user, room, item);
    });

  async function rootTarget(
    room: string,
    { room: of, threadTs }: MessageKey,
    items: ItemLoader,
  ): Promise<Target | null> {
    if (of !== room) return null;
    const item = await items.load(keys.root(room, threadTs));
    if (item === undefined) return null;
    const { position } = messageOf({ room, threadTs, ts: threadTs }, item);
    return position === null
      ? { position: 0, pendingReadRoot: threadTs, lastReadTs: threadTs }
      : { position, pendingReadRoot: null, lastReadTs: threadTs };
  }

  interface Before {
    readonly room: string;
    readonly threadTs: Timestamp;
    readonly items: ItemLoader;
    readonly current: () => Promise<ReadPosition>;
  }

  /** The position right before a root: that root and all after it are unread. */
  async function beforeRoot({ room, threadTs, items, current }: Before): Promise<Target | null> {
    const key = keys.root(room, threadTs);
    const lastReadTs = toTimestamp(microsOf(threadTs) - 1);
    const root = await items.load(key);
    if (root === undefined) return null;
    if (root.position !== undefined)
      return { position: (root.position as number) - 1, pendingReadRoot: null, lastReadTs };

    // It has no position yet, so the roots that have one, and the root right before it, count as read. The order of
    // the reads matters. The present position is read first, so that it is never ahead of what is found later. The root
    // is read last: if it still has no position then, its position will be higher than those that were found.
    await current();
    const [counter, { items: found }] = await Promise.all([
      dynamo.get(keys.counter(room)),
      dynamo.query(ranges.roots(room), { limit: 1, reverse: true, after: key.sk }),
    ]);
    const { position } = (await dynamo.get(key)) ?? {};
    if (typeof position === 'number') return { position: position - 1, pendingReadRoot: null, lastReadTs };
    const [previous] = found;
    const previousKey = previous === undefined ? undefined : parseKey(keyOf(previous));
    if (previous !== undefined && previous.position === undefined && previousKey?.type === 'root') {
      return { position: 0, pendingReadRoot: previousKey.threadTs, lastReadTs: previousKey.threadTs };
    }
    const counted = counter === undefined ? 0 : counterOf(counter).lastPosition;
    return {
      position: Math.max(counted, Number(previous?.position ?? 0)),
      pendingReadRoot: null,
      lastReadTs,
    };
  }

  async function newestRoot(room: string, items: ItemLoader): Promise<Target | null> {
    const [counter, { items: newest }] = await Promise.all([
      items.load(keys.counter(room)),
      dynamo.query(ranges.roots(room), { limit: 1, reverse: true }),
    ]);
    if (counter === undefined) return null;
    const { lastPosition } = counterOf(counter);
    const [last] = newest;
    const key = last === undefined ? undefined : parseKey(keyOf(last));
    if (last === undefined || key?.type !== 'root')
      return { position: lastPosition, pendingReadRoot: null, lastReadTs: toTimestamp(0) };
    // The newest root may not have a position yet, but it exists.
    if (last.position === undefined)
      return { position: lastPosition, pendingReadRoot: key.threadTs, lastReadTs: key.threadTs };
    // Counter and root are two reads, and the root may have received its position in between.
    return {
      position: Math.max(lastPosition, last.position as number),
      pendingReadRoot: null,
      lastReadTs: key.threadTs,
    };
  }

  return { markRead, markUnread, mute, explain: createExplain({ dynamo }).explain };
}
