import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { createItemLoader, type ItemLoader } from '../dynamo/itemLoader.ts';
import { keyOf, keys, parseKey, ranges } from '../dynamo/keys.ts';
import {
  type Actor,
  applyReadAll,
  isAboutMessage,
  type Notification,
  notificationOf,
} from '../notifications/notification.ts';
import { type Membership, membershipOf, type Room, roomOf } from '../rooms/room.ts';
import { badgeOf } from '../unread/badge/badge.ts';
import { currentReadPosition, readUpTo } from '../unread/readPosition.ts';
import { blockCountOf } from '../users/blocks/block.ts';
import { type User, userOf } from '../users/user.ts';
import { type Blocked, createBlocked } from './blocked.ts';
import type { DeliveryChannel, DeliveryOutcome } from './delivery.ts';
import { createRoomNews, type Deliverable, roomNewsOf } from './rooms/roomNews.ts';
import { type DeliverySettings, isLeftOut, settingsOf } from './settings/settings.ts';

/** What of a delivery is still worth sending. */
export interface Remaining {
  readonly user: User;
  /** Unread, wanted and visible: the newest first. */
  readonly notifications: readonly Deliverable[];
  /** The rooms that they are in. */
  readonly rooms: ReadonlyMap<string, Room>;
  /** Why there is none; null if there is one. */
  readonly reason: DeliveryOutcome | null;
  readonly settings: DeliverySettings;
  /** The number of unread notifications. */
  readonly badge: number;
  /** The current state of all that exist and are unread, wanted or not. */
  readonly unread: readonly Deliverable[];
  /** There never was anything to send: no one but the person has written, or a direct room was opened, for example. */
  readonly isEmpty: boolean;
  /** All notifications that exist, read or unread, without news of rooms. */
  readonly known: readonly Notification[];
  /** Those of these actors that they have not blocked. Reads only if they have blocked anyone. */
  readonly withoutBlocked: Blocked['without'];
}

/** If the notifications of one delivery have different reasons, the first of these is given. */
const REASONS = ['NOT_ENTITLED', 'SWITCHED_OFF', 'MUTED', 'READ_BEFORE', 'STALE', 'NOTHING_LEFT'] as const;
type Reason = (typeof REASONS)[number];

/** The most replies of a thread that are read to find one that is left. */
const REPLIES_MAX = 25;

export interface RemainingOptions {
  readonly dynamo: Pick<Dynamo, 'batchGet' | 'query'>;
}

interface ReadingOptions {
  readonly isStale?: (one: Deliverable) => boolean;
  /** Default: everything is read now. */
  readonly items?: ItemLoader;
  /** What it is read for. Default: all channels. */
  readonly channel?: DeliveryChannel | undefined;
}

export type ReadRemaining = ReturnType<typeof createRemaining>;

/** Checks at the moment of deciding or sending what a person should still be sent. */
export function createRemaining({ dynamo }: RemainingOptions) {
  const readRoomNews = createRoomNews({ dynamo });

  /**
   * Strongly consistent reads. Two round trips: the notifications, then their rooms, memberships and messages. A third
   * one if a mention's room has pending reads, or if a named reply was deleted; and two more if the person has blocked
   * anyone, for a notification that does not name all of its actors. For news of rooms, one more each if roots are
   * left, and if others wrote them. `isStale` says what is too old: a decision knows when it was due.
   */
  return async function readRemaining(
    userId: string,
    wanted: readonly string[],
    { isStale = () => false, items = createItemLoader(dynamo), channel }: ReadingOptions = {},
  ): Promise<Remaining> {
    const ids = wanted.filter((id) => roomNewsOf(id) === undefined);
    const [profile, badgeItem, blockCount, settingsItem, ...found] = await items.loadMany([
      keys.user(userId),
      keys.badge(userId),
      keys.blockCount(userId),
      keys.deliverySettings(userId),
      ...ids.map((id) => keys.notification(userId, id)),
    ]);
    if (profile === undefined) throw new Error(`The profile of ${userId} is missing.`);
    const badge = badgeOf(badgeItem);
    const settings = settingsOf(settingsItem);
    const user = userOf(userId, profile);
    const blocked = createBlocked({ dynamo, items, user: userId, any: blockCountOf(blockCount) > 0 });
    const withoutBlocked = blocked.without;
    // The job that deletes their data may still be running.
    if (user.deletedAt !== undefined) {
      const nothing = { notifications: [], rooms: new Map(), unread: [], known: [], badge: 0 };
      return { user, settings, ...nothing, reason: 'NOT_ENTITLED', isEmpty: true, withoutBlocked };
    }
    const notifications = ids.flatMap((id, i) => {
      const item = found[i];
      // How long a read one is kept does not matter here.
      return item === undefined ? [] : [applyReadAll(notificationOf(userId, id, item), badge, 0)];
    });
    const unread = notifications.filter(({ readAt }) => readAt === null);
    const rooms = new Map<string, Room>();
    const ofBellOnly = new Set<string>();
    const checked = await Promise.all(
      unread.map(async (one) => {
        const [[roomItem, membershipItem], welcome] = await Promise.all([
          items.loadMany([keys.room(one.room), keys.membership(userId, one.room)]),
          blocked.notificationWithout(one),
        ]);
        if (roomItem === undefined || membershipItem === undefined)
          return { one, reason: 'NOT_ENTITLED' as const };
        const room = roomOf(one.room, roomItem);
        rooms.set(one.room, room);
        if (isOfBellOnly(one, room)) {
          ofBellOnly.add(one.id);
          return { one, reason: 'NOTHING_LEFT' as const };
        }
        if (settings.kinds[one.kind]?.mode === 'OFF') return { one, reason: 'SWITCHED_OFF' as const };
        if (isStale(one)) return { one, reason: 'STALE' as const };
        const reason = await reasonAgainst(one, membershipOf(userId, one.room, membershipItem), items);
        const left =
          reason === null && one.kind === 'REPLY' && welcome !== null
            ? await withoutDeleted(welcome, items, blocked)
            : welcome;
        return left === null ? { one, reason: reason ?? ('NOTHING_LEFT' as const) } : { one: left, reason };
      }),
    );
    const news = await Promise.all(
      wanted.flatMap((id) => {
        const about = roomNewsOf(id);
        return about === undefined
          ? []
          : [readRoomNews(id, about, { user: userId, settings, items, isStale, channel })];
      }),
    );
    for (const { one, room } of news) if (room !== undefined) rooms.set(one.room, room);
    const all: ReadonlyArray<{ readonly one: Deliverable; readonly reason: Reason | null }> = [
      ...checked,
      ...news,
    ];
    const left = all.filter(({ reason }) => reason === null).map(({ one }) => one);
    const reasons: Reason[] = all.flatMap(({ reason }) => reason ?? []);
    if (unread.length < notifications.length) reasons.push('READ_BEFORE');
    const known = notifications.filter(({ id }) => !ofBellOnly.has(id));
    return {
      user,
      notifications: left.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1)),
      rooms,
      settings,
      badge: badge.total,
      reason: left.length > 0 ? null : (REASONS.find((one) => reasons.includes(one)) ?? 'NOTHING_LEFT'),
      // As they are stored: a decision keeps what it has seen.
      unread: [...unread, ...news.map(({ one }) => one)],
      isEmpty:
        (news.length > 0 || ofBellOnly.size > 0) &&
        known.length === 0 &&
        news.every(({ isEmpty }) => isEmpty),
      known,
      withoutBlocked,
    };
  };

  async function reasonAgainst(
    one: Notification,
    membership: Membership,
    items: ItemLoader,
  ): Promise<Reason | null> {
    if (isLeftOut(one.kind, membership)) return 'MUTED';
    // Replies to a deleted root are still there.
    if (!isAboutMessage(one) || one.kind === 'REPLY') return null;
    const message = await items.load(keys.message(one.room, one.threadTs, one.ts));
    if (message === undefined || message.deletedAt !== undefined) return 'NOTHING_LEFT';
    if (one.kind !== 'MENTION') return null;
    if (!(message.mentions as readonly string[] | undefined)?.includes(one.user)) return 'NOTHING_LEFT';
    // In a thread it is read with the thread.
    if (one.ts !== one.threadTs || typeof message.position !== 'number') return null;
    const source = { batchGet: items.loadMany.bind(items) };
    const readTo = readUpTo(Number.POSITIVE_INFINITY, await currentReadPosition(membership, source));
    return message.position <= readTo ? 'READ_BEFORE' : null;
  }

  /**
   * A notification of replies as if those that were deleted had never been sent; null if none is left. The newest reply
   * of each person that it names is read. If one of them is gone, the thread is read from its end to the oldest reply
   * in question: the newest REPLIES_MAX. If all of these are gone and there are more, it counts as it is stored.
   */
  async function withoutDeleted(
    one: Notification,
    items: ItemLoader,
    blocked: Blocked,
  ): Promise<Notification | null> {
    const { room, threadTs, user, actors } = one;
    const named = await items.loadMany(actors.map(({ at }) => keys.message(room, threadTs, at)));
    if (named.every(isThere)) return one;
    const oldest = one.first ?? actors.map(({ at }) => at).sort()[0] ?? threadTs;
    const replies = await dynamo.query(
      { ...ranges.replies(room, threadTs), from: keys.reply(room, threadTs, oldest).sk },
      { limit: REPLIES_MAX, reverse: true },
    );
    const isNamed = (author: string) => actors.some((actor) => actor.user === author);
    const there = replies.items.flatMap((item): Actor[] => {
      const key = parseKey(keyOf(item));
      if (key.type !== 'reply' || !isThere(item)) return [];
      const author = String(item.author);
      const isCounted = author !== user && (one.count > actors.length || isNamed(author));
      // Those that mention the person are in a notification of their own.
      const mentions = (item.mentions as readonly string[] | undefined) ?? [];
      return isCounted && !mentions.includes(user) ? [{ user: author, at: key.ts }] : [];
    });
    const left = await blocked.without(there);
    if (replies.more && left.length === 0) return one;
    const [newest] = left;
    if (newest === undefined) return null;
    const people = [...new Map(left.toReversed().map((actor) => [actor.user, actor])).values()];
    return {
      ...one,
      actors: people.sort((a, b) => (a.at < b.at ? 1 : -1)),
      count: replies.more ? Math.max(people.length, one.count) : people.length,
      latest: newest.at,
    };
  }
}

/**
 * That someone opened a direct room says nothing yet: what they write there is delivered as `DIRECT_MESSAGE`, which
 * would be the second push about the same.
 */
const isOfBellOnly = ({ kind }: Notification, { people }: Room): boolean =>
  kind === 'INVITED' && people !== undefined;

const isThere = (message: Item | undefined): message is Item =>
  message !== undefined && message.deletedAt === undefined;
