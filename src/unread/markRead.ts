import { notFound } from '../core/errors.ts';
import { microsOf, type Timestamp, toTimestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ifConditionHolds } from '../dynamo/errors.ts';
import { createItemLoader } from '../dynamo/itemLoader.ts';
import { keyOf, keys, parseKey, ranges } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import type { MessageKey } from '../messages/message.ts';
import { memberAccess } from '../rooms/access.ts';
import { type PendingRead, pendingReadAttributes, pendingReadsOf, toStored } from '../rooms/pendingReads.ts';
import { type Membership, membershipOf } from '../rooms/room.ts';
import { createExplain } from './explain.ts';
import {
  afterRead,
  isSamePosition,
  type ReadPosition,
  readPositionOf,
  readPositions,
  rootsNamed,
} from './readPosition.ts';

export type ReadPositions = ReturnType<typeof createReadPositions>;

/** A read position, and the approximate time at which the last root that it covers was created. */
interface Target extends ReadPosition {
  readonly lastReadTs: Timestamp;
}

/** Moves users' read positions and mutes rooms. */
export function createReadPositions({ dynamo }: { readonly dynamo: Dynamo }) {
  /**
   * Advances the read position to a message (for a reply, to its root), or to everything that is in the room. Never
   * moves it back. Throws NOT_FOUND and FORBIDDEN.
   */
  function markRead(user: string, room: string, upTo?: MessageKey): Promise<Membership> {
    if (upTo === undefined) return markAllRead(user, room);
    return changePosition(user, room, { key: upTo, read: { to: upTo.threadTs }, lastReadTs: upTo.threadTs });
  }

  /** Moves the read position back so that this root (for a reply, its root) and all roots after it are unread. */
  function markUnread(user: string, key: MessageKey): Promise<Membership> {
    const lastReadTs = toTimestamp(microsOf(key.threadTs) - 1);
    return changePosition(user, key.room, { key, read: { from: key.threadTs }, lastReadTs });
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
    readonly key: MessageKey;
    readonly read: PendingRead;
    readonly lastReadTs: Timestamp;
  }

  /**
   * One batch of reads and one conditional write. Another read, of the roots that are named and have no position, if
   * that of this one has to be compared with theirs.
   */
  const changePosition = (user: string, room: string, change: PositionChange): Promise<Membership> =>
    dynamo.optimistic(async () => {
      const { key, read, lastReadTs } = change;
      const items = createItemLoader(dynamo);
      const [{ membership }, root] = await Promise.all([
        memberAccess(room, user, items),
        items.load(keys.root(room, key.threadTs)),
      ]);
      // Not before the access is checked: users outside the room must not learn which messages exist.
      if (key.room !== room || root === undefined) throw notFound();
      const before = pendingReadsOf(membership);
      const position = root.position as number | undefined;
      let known: ReadonlyMap<Timestamp, number> = new Map(
        position === undefined ? [] : [[key.threadTs, position]],
      );
      if (before.length > 0 || (position === undefined && 'from' in read)) {
        const roots = rootsNamed([...before, read]);
        known = await readPositions(room, roots, { source: dynamo, known });
      }
      const current = readPositionOf(membership, known);
      const next = afterRead(current, read, known);
      if (isSamePosition(next, current)) return membership;
      const item = await ifConditionHolds(
        dynamo.update(keys.membership(user, room), positionUpdate(membership, { ...next, lastReadTs })),
      );
      return item === undefined ? AGAIN : membershipOf(user, room, item);
    });

  /**
   * Which roots are in the room is known where the stream has their order, not here: some may have no position yet, and
   * not be the newest by their timestamps. So the mark is written to the room's partition as well, and the consumer
   * replaces it. One batch of reads, in parallel with a query for the newest root, and one transaction.
   */
  const markAllRead = (user: string, room: string): Promise<Membership> =>
    dynamo.optimistic(async () => {
      const items = createItemLoader(dynamo);
      const [{ membership, counter }, { items: newest }] = await Promise.all([
        memberAccess(room, user, items),
        dynamo.query(ranges.roots(room), { limit: 1, reverse: true }),
      ]);
      const mark = membership.version + 1;
      const [last] = newest;
      const key = last === undefined ? undefined : parseKey(keyOf(last));
      const newestTs = key?.type === 'root' ? key.threadTs : null;
      const pending: PendingRead[] = [{ mark }];
      // A large room may be in two shards. If the mark is ahead of this root there, the root is still read.
      if (newestTs !== null && last?.position === undefined) pending.push({ to: newestTs });
      const next: Target = {
        // Roots of which the positions are known. The consumer never moves it back.
        position: Math.max(membership.readPosition, counter.lastPosition, Number(last?.position ?? 0)),
        pending,
        lastReadTs: newestTs ?? membership.lastReadTs,
      };
      const failed = await dynamo.tryTransact({
        membership: { key: keys.membership(user, room), ...positionUpdate(membership, next) },
        member: {
          key: keys.member(room, user),
          update: 'SET readMark = :mark',
          condition: 'attribute_exists(pk)',
          values: { ':mark': mark },
        },
      });
      if (failed !== undefined) return AGAIN;
      const { position, lastReadTs } = next;
      return { ...membership, ...toStored(pending), readPosition: position, lastReadTs, version: mark };
    });

  return { markRead, markUnread, mute, explain: createExplain({ dynamo }).explain };
}

/** On the condition that the membership is still the one that was read. */
function positionUpdate({ version }: Membership, { position, pending, lastReadTs }: Target) {
  const stored = pendingReadAttributes(toStored(pending));
  const absent = (['readMark', 'readSteps', 'readTo'] as const).filter((name) => stored[name] === undefined);
  const present = Object.keys(stored);
  return {
    update: [
      `SET readPosition = :position, readAt = :at, rev = :next`,
      ...present.map((name) => `, ${name} = :${name}`),
      ...(absent.length === 0 ? [] : [` REMOVE ${absent.join(', ')}`]),
    ].join(''),
    condition: 'rev = :rev',
    values: {
      ':position': position,
      ':at': lastReadTs,
      ':rev': version,
      ':next': version + 1,
      ...Object.fromEntries(Object.entries(stored).map(([name, value]) => [`:${name}`, value])),
    },
  };
}
