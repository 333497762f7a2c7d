import { defined } from '../../core/defined.ts';
import type { Timestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import { keyName, keyOf, keys, parseKey, ranges } from '../../dynamo/keys.ts';
import { FIRST_SHAPE } from '../../dynamo/shapes.ts';
import { ifVersion, type Write } from '../../dynamo/write.ts';
import { BoundedMap } from '../../live/boundedMap.ts';
import { type Membership, membershipOf } from '../../rooms/room.ts';
import { type Badge, badgeOf, reachOf } from '../../unread/badge/badge.ts';
import { blockCountOf, blockedAmong } from '../../users/blocks/block.ts';
import { countedBy, mentionedWrite } from '../mentionedRoots.ts';
import {
  ACTORS_SHOWN,
  type Actor,
  applyReadAll,
  type Notification,
  notificationItem,
  notificationOf,
  type Retention,
  type Subject,
  withReadAt,
} from '../notification.ts';
import type { Activity } from './activity.ts';
import { type ActorRecord, type NotificationState, newestActors, type ReduceContext } from './reducer.ts';

/** How many actor records are read to find other actors for a notification that has too few. */
const ACTORS_READ_MAX = 500;
/** Unread notifications whose ids a process remembers: 0.5 kB each. */
const REMEMBERED_MAX = 1_000;

/** What was read from the table. The conditions of a write require that it is still the same. */
export interface Snapshot {
  readonly user: string;
  readonly subject: Subject;
  readonly badge: Badge;
  /** Whether the recipient has an endpoint of their own for deliveries; or that this is in the bell only. */
  readonly reach: ReturnType<typeof reachOf> | { readonly bellOnly: true };
  /** The recipient's membership of the room; null if they are not in it. */
  readonly membership: Membership | null;
  readonly state: NotificationState;
  /** The id that the pointer names. */
  readonly pointerId: string | null;
  /**
   * The notification that the pointer names, if "mark all read" already covers it but its item has not been updated.
   * Holds the updated version.
   */
  readonly staleNotification: Notification | null;
}

/** Whether the recipient is notified at all. */
interface RecipientStatus extends Pick<ReduceContext, 'muted' | 'leftRoom'> {
  /** The actors that the recipient has blocked. */
  readonly blocked: ReadonlySet<string>;
}

export interface NotificationStoreOptions {
  readonly dynamo: Dynamo;
  readonly retention: Retention;
}

/** Reads and writes the state that notifications are computed from. */
export function createNotificationStore({ dynamo, retention }: NotificationStoreOptions) {
  /**
   * The ids that pointers named last: probably they still do, so a notification is read together with its pointer.
   * If not, that cost a read unit, and the right one is read.
   */
  const remembered = new BoundedMap<string, string>(REMEMBERED_MAX);

  /**
   * All activities are of one recipient, kind and message. One round trip, and a second if the recipient has blocked
   * anyone, or one is unread that is not remembered. The items may have been read at different moments: a write
   * requires that each is still the same.
   */
  async function load(
    activities: readonly [Activity, ...Activity[]],
  ): Promise<{ before: Snapshot } & RecipientStatus> {
    const [{ user, kind, room, threadTs, ts, isBellOnly }] = activities;
    const subject: Subject = { kind, room, threadTs, ts };
    const actors = [...new Set(activities.map(({ actor }) => actor))];
    const pointerKey = keys.pointer(user, subject);
    const likelyId = remembered.get(keyName(pointerKey));
    const [badgeItem, blockCount, membership, pointer, likely, ...records] = await dynamo.batchGet([
      keys.badge(user),
      keys.blockCount(user),
      keys.membership(user, room),
      pointerKey,
      // No key is read twice.
      likelyId === undefined ? pointerKey : keys.notification(user, likelyId),
      ...actors.map((actor) => keys.notified(user, subject, actor)),
    ]);
    const badge = badgeOf(badgeItem);
    const pointerId = (pointer?.id as string | undefined) ?? null;
    remember(user, subject, pointerId);
    const find = async (id: string): Promise<Notification | null> => {
      const item = id === likelyId ? likely : await dynamo.get(keys.notification(user, id));
      return item === undefined ? null : notificationOf(user, id, item);
    };
    const [found, blocked] = await Promise.all([
      pointerId === null ? null : find(pointerId),
      blockCountOf(blockCount) === 0 ? new Set<string>() : blockedAmong(dynamo, user, actors),
    ]);
    const isRead = found !== null && applyReadAll(found, badge, retention).readAt !== null;
    const { readAllAt } = badge;
    const before: Snapshot = {
      user,
      subject,
      badge,
      pointerId,
      reach: isBellOnly === true ? { bellOnly: true } : reachOf(badgeItem),
      membership: membership === undefined ? null : membershipOf(user, room, membership),
      state: {
        current: isRead ? null : found,
        actors: new Map(
          actors.flatMap((actor, i): Array<[string, ActorRecord]> => {
            const item = records[i];
            return item === undefined ? [] : [[actor, actorRecordOf(item)]];
          }),
        ),
      },
      staleNotification:
        isRead && found.readAt === null && readAllAt !== null ? asRead(found, readAllAt, retention) : null,
    };
    // A mention notifies its user in a muted room as well, and a reminder everywhere: the user asked for it.
    const muted =
      kind !== 'REMINDER' && (membership === undefined || (membership.muted === true && kind !== 'MENTION'));
    return { before, muted, leftRoom: membership === undefined, blocked };
  }

  /** One transaction. Resolves to false, with nothing written, if something changed since it was read. */
  async function save(before: Snapshot, after: NotificationState): Promise<boolean> {
    const { current } = after;
    const isSame = current === before.state.current;
    const complete = current === null || isSame ? current : await withActors(before, after, current);
    const failed = await dynamo.tryTransact({
      actors: actorWrites(before, after),
      notification: complete === before.state.current ? [] : stateWrites(before, complete),
    });
    if (failed === undefined) remember(before.user, before.subject, complete?.id ?? null);
    return failed === undefined;
  }

  function remember(user: string, subject: Subject, id: string | null): void {
    const pointer = keyName(keys.pointer(user, subject));
    if (id === null) remembered.delete(pointer);
    else remembered.set(pointer, id);
  }

  /**
   * After actors were removed, adds others until there are ACTORS_SHOWN, if one page of records has them. Reads only in
   * that case.
   */
  async function withActors(
    before: Snapshot,
    after: NotificationState,
    current: Notification,
  ): Promise<Notification> {
    if (current.actors.length >= Math.min(ACTORS_SHOWN, current.count)) return current;
    const found: Actor[] = [];
    const { items } = await dynamo.query(ranges.notified(before.user, before.subject), {
      limit: ACTORS_READ_MAX,
    });
    for (const item of items) {
      const key = parseKey(keyOf(item));
      if (key.type !== 'notified') continue;
      const record = after.actors.get(key.actor) ?? actorRecordOf(item);
      if (record.notificationId === current.id) found.push({ user: key.actor, at: record.at });
    }
    return found.length > current.actors.length ? { ...current, actors: newestActors(found) } : current;
  }

  return { load, save };
}

/** The notification after it was read. */
export const asRead = (one: Notification, readAt: Timestamp, retention: Retention): Notification => ({
  ...withReadAt(one, readAt, retention),
  version: one.version + 1,
});

/** Writes a notification that `asRead` returned, on condition that it has not changed. */
export const markReadWrite = (read: Notification): Write => ({
  put: notificationItem(read),
  condition: 'rev = :before AND attribute_not_exists(readAt)',
  values: { ':before': read.version - 1 },
});

/** Deletes the pointer that names this notification as the unread one. Fails if the pointer names another. */
export const deletePointerWrite = (one: Notification): Write => ({
  delete: keys.pointer(one.user, one),
  condition: 'attribute_not_exists(pk) OR #id = :id',
  names: { '#id': 'id' },
  values: { ':id': one.id },
});

/** The condition that not all were read meanwhile. `:epoch` is the one that was seen; a user's first is 0. */
export const sameEpoch = (epoch: number): string =>
  epoch === 0 ? 'attribute_not_exists(epoch) OR epoch = :epoch' : 'epoch = :epoch';

/**
 * Adds `change` to the badge's total, unless all were read meanwhile. The condition need not include the total: the
 * other writes of the transaction check the notifications that it is the sum of.
 */
export const badgeChangeWrite = (user: string, epoch: number, change: number): Write => ({
  key: keys.badge(user),
  update:
    'SET #total = if_not_exists(#total, :none) + :change, rev = if_not_exists(rev, :none) + :one, epoch = :epoch, v = :v',
  condition: sameEpoch(epoch),
  names: { '#total': 'total' },
  values: { ':change': change, ':none': 0, ':one': 1, ':epoch': epoch, ':v': FIRST_SHAPE },
});

const epochCheck = (user: string, epoch: number): Write => ({
  check: keys.badge(user),
  condition: sameEpoch(epoch),
  values: { ':epoch': epoch },
});

/** The records that the activities changed. */
const actorWrites = ({ user, subject, state }: Snapshot, after: NotificationState): Write[] =>
  [...after.actors].flatMap(([actor, now]): Write[] => {
    const before = state.actors.get(actor);
    if (before === now) return [];
    // If the same notification still counts the actor, the cleanup may be writing `expiresAt` at this moment.
    const writesExpiry = before?.notificationId !== now.notificationId || before.expiresAt !== now.expiresAt;
    const expiry = now.expiresAt === null ? ' REMOVE expiresAt' : ', expiresAt = :expiresAt';
    const variants = now.variants === null ? '' : ', counted = :counted, earlier = :earlier';
    return [
      {
        key: keys.notified(user, subject, actor),
        update: `SET #last = :last, #in = :in, #at = :at, v = :v${variants}${writesExpiry ? expiry : ''}`,
        condition: before === undefined ? 'attribute_not_exists(pk)' : '#last = :before',
        names: { '#last': 'last', '#in': 'in', '#at': 'at' },
        values: {
          ':last': now.lastSequence,
          ':in': now.notificationId,
          ':at': now.at,
          ':v': FIRST_SHAPE,
          ...defined({
            ':before': before?.lastSequence,
            ':counted': now.variants?.counted,
            ':earlier': now.variants?.earlier,
            ':expiresAt': writesExpiry ? (now.expiresAt ?? undefined) : undefined,
          }),
        },
      },
    ];
  });

/** The notification, the pointer to it and the badge, which change together. */
function stateWrites(snapshot: Snapshot, now: Notification | null): Write[] {
  const { user, subject, badge, pointerId, reach, staleNotification } = snapshot;
  const before = snapshot.state.current;
  const change = (now?.count ?? 0) - (before?.count ?? 0);
  const replaced = before !== null && before.id !== now?.id;
  const { membership } = snapshot;
  const mentioned = membership === null ? 0 : countedBy(membership, now) - countedBy(membership, before);
  return [
    ...(replaced ? [deleteNotification(before)] : []),
    ...(staleNotification === null ? [] : [markReadWrite(staleNotification)]),
    ...(now === null ? [] : [notificationWrite(now, replaced ? null : before, reach)]),
    ...(now?.id === pointerId ? [] : [pointerWrite(user, subject, { from: pointerId, to: now?.id ?? null })]),
    change === 0 ? epochCheck(user, badge.epoch) : badgeChangeWrite(user, badge.epoch, change),
    ...(membership === null || mentioned === 0 ? [] : [mentionedWrite(membership, badge.epoch, mentioned)]),
  ];
}

const deleteNotification = ({ user, id, version }: Notification): Write => ({
  delete: keys.notification(user, id),
  condition: 'rev = :rev',
  values: { ':rev': version },
});

/**
 * `before`: the version that it replaces; null if the notification is new. `reach`: whether its change is gathered
 * for a delivery and a digest.
 */
const notificationWrite = (
  now: Notification,
  before: Notification | null,
  reach: Snapshot['reach'],
): Write => ({
  put: { ...notificationItem(now), ...reach },
  ...ifVersion(before?.version ?? 0),
});

interface PointerChange {
  readonly from: string | null;
  readonly to: string | null;
}

function pointerWrite(user: string, subject: Subject, { from, to }: PointerChange): Write {
  const key = keys.pointer(user, subject);
  const guard =
    from === null
      ? { condition: 'attribute_not_exists(pk)' }
      : { condition: '#id = :from', names: { '#id': 'id' }, values: { ':from': from } };
  return to === null ? { delete: key, ...guard } : { put: { ...key, v: FIRST_SHAPE, id: to }, ...guard };
}

/** The stored attributes have shorter names. */
const actorRecordOf = (item: Item): ActorRecord => ({
  lastSequence: item.last as string,
  notificationId: item.in as string,
  at: item.at as Timestamp,
  expiresAt: (item.expiresAt as number | undefined) ?? null,
  variants:
    item.counted === undefined
      ? null
      : { counted: item.counted as string[], earlier: (item.earlier as string[] | undefined) ?? [] },
});
