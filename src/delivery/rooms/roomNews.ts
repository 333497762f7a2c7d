import { defined } from '../../core/defined.ts';
import type { DeliveryKind } from '../../core/deliveryKinds.ts';
import { type Timestamp, toTimestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import type { ItemLoader } from '../../dynamo/itemLoader.ts';
import { keyOf, keys, parseKey, ranges } from '../../dynamo/keys.ts';
import type { Actor, Notification } from '../../notifications/notification.ts';
import { can } from '../../rooms/policy.ts';
import {
  type Counter,
  counterOf,
  type Membership,
  membershipOf,
  type Room,
  roomOf,
} from '../../rooms/room.ts';
import { currentReadPosition, readUpTo } from '../../unread/readPosition.ts';
import { blockedAmong } from '../../users/blocks/block.ts';
import type { DeliveryChannel } from '../delivery.ts';
import type { Seen } from '../gathering.ts';
import { channelsFor, type DeliverySettings, isLeftOut, modeOf } from '../settings/settings.ts';
import { readJoins, wantedJoins } from './joins.ts';

/** Kinds that are outside of the page only: they are about what happens in a room, and the bell does not have them. */
const ROOM_NEWS_KINDS = ['DIRECT_MESSAGE', 'MESSAGE', 'JOIN'] as const satisfies readonly DeliveryKind[];
export type RoomNewsKind = (typeof ROOM_NEWS_KINDS)[number];

/**
 * The roots of a room after one position, and up to another one; of `JOIN`, the changes of its log. It is stored
 * instead of the id of a notification, as a text such as `DIRECT_MESSAGE:<room>:12:15`: no id has a colon.
 */
interface RoomNews {
  readonly kind: RoomNewsKind;
  readonly room: string;
  /** The last position that was decided before. */
  readonly after: number;
  /** Null while it waits: up to the newest. */
  readonly to: number | null;
}

/** Names what is gathered of one kind in a room. */
export const roomNewsKey = ({ kind, room }: Pick<RoomNews, 'kind' | 'room'>): string => `${kind}:${room}`;

export const roomNewsId = (news: RoomNews): string =>
  [roomNewsKey(news), news.after, ...(news.to === null ? [] : [news.to])].join(':');

/** Undefined: it is the id of a notification. */
export function roomNewsOf(id: string): RoomNews | undefined {
  const [name, room = '', after, to] = id.split(':');
  const kind = ROOM_NEWS_KINDS.find((known) => known === name);
  return kind === undefined
    ? undefined
    : { kind, room, after: Number(after), to: to === undefined ? null : Number(to) };
}

/**
 * The last of what happened in a room: the position of a root, or the number of the change by which someone entered.
 */
export const lastOf = (kind: RoomNewsKind, { lastPosition, newestJoin }: Counter): number =>
  kind === 'JOIN' ? (newestJoin?.change ?? 0) : lastPosition;

export const isRoomNewsKind = (kind: string): kind is RoomNewsKind =>
  ROOM_NEWS_KINDS.some((known) => known === kind);

/** Under which name a gathering keeps how far something was decided. */
export function seenNameOf(id: string): string {
  const news = roomNewsOf(id);
  return news === undefined ? id : roomNewsKey(news);
}

/** Positions decide what is newer, and not times: two servers may give them in another order. */
const seenUpTo = (position: number): Seen => ({ at: LATEST, count: position });
const LATEST: Timestamp = '9'.repeat(16);

/** What can be delivered to a person: a notification of the bell, or news of a room. */
export type Deliverable = Omit<Notification, 'kind'> & {
  readonly kind: Notification['kind'] | DeliveryKind;
  /**
   * News of a room: what a delivery stores instead of `id`, how far the gathering is decided with it, how many messages
   * or people there are, and whether there may be more people than were counted.
   */
  readonly news?: {
    readonly id: string;
    readonly seen: Seen;
    readonly acts: number;
    readonly isMore: boolean;
  };
};

/** Roots that are read at a time, the newest first. */
const PAGE = 50;
/** Roots that have no position yet are between those that have one. */
const UNPOSITIONED = 10;
/** Of a room's news, this many roots are looked at. */
const ROOTS_MAX = 1_000;
/**
 * Pages of roots that were written after a delivery was decided. Behind more of them its news are not found any more.
 */
const NEWER_PAGES_MAX = 4;
/** The most people who are named or counted. */
const PEOPLE_MAX = 50;

type RoomNewsReason = 'NOT_ENTITLED' | 'SWITCHED_OFF' | 'MUTED' | 'READ_BEFORE' | 'STALE' | 'NOTHING_LEFT';

interface FoundNews {
  readonly one: Deliverable;
  /** Undefined: it is not visible for the person. */
  readonly room: Room | undefined;
  /** Null: it is to be sent. */
  readonly reason: RoomNewsReason | null;
  /** Whether there was nothing to send in the first place: only their own messages, for example. */
  readonly isEmpty: boolean;
}

interface Reading {
  readonly user: string;
  readonly settings: DeliverySettings;
  readonly items: ItemLoader;
  readonly isStale: (one: Deliverable) => boolean;
  /** What it is read for. Undefined: all channels of the kind. */
  readonly channel: DeliveryChannel | undefined;
}

/**
 * Reads what is left of a room's news for one person: roots by users that they have not blocked, that are neither
 * deleted nor read, and do not mention them (a MENTION is delivered for those, if it is on for the same channels); or,
 * for owners and moderators, who entered it. Strongly consistent; three round trips, and two more for each further
 * fifty roots that are read.
 */
export const createRoomNews = ({ dynamo }: { readonly dynamo: Pick<Dynamo, 'query'> }) =>
  async function readRoomNews(id: string, news: RoomNews, reading: Reading): Promise<FoundNews> {
    const { user, settings, items } = reading;
    const { kind, room, after } = news;
    const [roomItem, membershipItem, counterItem] = await items.loadMany([
      keys.room(room),
      keys.membership(user, room),
      keys.counter(room),
    ]);
    const counter = counterItem === undefined ? undefined : counterOf(counterItem);
    const to = news.to ?? (counter === undefined ? 0 : lastOf(kind, counter));
    const about = { id, user, news: { ...news, to } };
    const without = (reason: RoomNewsReason, isEmpty = false): FoundNews => ({
      one: deliverableOf({ ...about, actors: [] }),
      room: undefined,
      reason,
      isEmpty,
    });
    if (roomItem === undefined || membershipItem === undefined) return without('NOT_ENTITLED');
    if (modeOf(settings, kind) === 'OFF') return without('SWITCHED_OFF');
    const membership = membershipOf(user, room, membershipItem);
    if (isLeftOut(kind, membership)) {
      // They chose the room's default again, which leaves messages out.
      const isDefault = membership.delivery === undefined && !membership.muted;
      return without(isDefault ? 'SWITCHED_OFF' : 'MUTED');
    }
    const found = (one: Deliverable): FoundNews => ({
      one,
      room: roomOf(room, roomItem),
      isEmpty: false,
      reason: reading.isStale(one) ? 'STALE' : null,
    });
    if (kind === 'JOIN') {
      if (!can('receiveJoinDeliveries', roomOf(room, roomItem), membership)) return without('NOT_ENTITLED');
      const { joins, isMore } = await readJoins(
        dynamo,
        { room, after, to },
        { which: (some) => wantedJoins(some, { user, room, items }) },
      );
      return joins.length === 0
        ? without('NOTHING_LEFT', true)
        : found(deliverableOf({ ...about, actors: joins, isMore }));
    }
    const read = await readTo(membership, items);
    if (read >= to) return without('READ_BEFORE', to <= after);
    const lastPosition = counter?.lastPosition ?? 0;
    const { roots: wanted, isMore } = await readRoots(
      dynamo,
      { room, after, to, lastPosition },
      { read, which: (some) => wantedOf(some, kind, reading) },
    );
    const roots = wanted.filter(({ position }) => position > read);
    if (roots.length === 0)
      return without(wanted.length > 0 ? 'READ_BEFORE' : 'NOTHING_LEFT', wanted.length === 0);
    return found(
      deliverableOf({
        ...about,
        actors: roots.map(({ author, ts }) => ({ user: author, at: ts })),
        roots,
        isMore,
      }),
    );
  };

export interface Root {
  readonly ts: Timestamp;
  readonly position: number;
  readonly author: string;
  readonly isDeleted: boolean;
  /** An import has written it. */
  readonly isHistory: boolean;
  readonly mentions: readonly string[];
}

interface RootsWanted {
  readonly room: string;
  readonly after: number;
  readonly to: number;
  /** At least `to`. */
  readonly lastPosition: number;
}

export interface RootsSearch {
  /** Filters each page of roots. */
  readonly which: (roots: readonly Root[]) => readonly Root[] | Promise<readonly Root[]>;
  /** Once one is found, roots up to this position do not matter. Default: all do. */
  readonly read?: number;
  /** It is enough to find roots of this many people. */
  readonly people?: number;
}

export interface RootsFound {
  /** The newest first. */
  readonly roots: readonly Root[];
  /** Whether the search ended before the oldest of them. There may be more then. */
  readonly isMore: boolean;
}

/**
 * The roots with these positions that `which` keeps, the newest first, without those that an import has added: no one
 * is notified of history. Reads back from the newest root until it has found enough people, so it finds the others
 * behind many roots of one person, or behind many that are not wanted; ROOTS_MAX roots at most. Strongly consistent.
 * One query for up to fifty roots, usually also for more, and one more for each further fifty.
 */
export async function readRoots(
  dynamo: Pick<Dynamo, 'query'>,
  { room, after, to, lastPosition }: RootsWanted,
  { which, read = after, people = PEOPLE_MAX }: RootsSearch,
): Promise<RootsFound> {
  const found: Root[] = [];
  const authors = new Set<string>();
  let limit = Math.min(lastPosition - after, PAGE) + UNPOSITIONED;
  let before: string | undefined;
  let newerPages = 0;
  for (let looked = 0; looked < ROOTS_MAX && newerPages < NEWER_PAGES_MAX; ) {
    const page = await dynamo.query(ranges.roots(room), {
      limit,
      reverse: true,
      ...defined({ after: before }),
    });
    const roots = page.items.flatMap(rootOf);
    const kept = await which(
      roots.filter(({ position, isHistory }) => position > after && position <= to && !isHistory),
    );
    found.push(...kept);
    for (const { author } of kept) authors.add(author);
    const end = found.length > 0 ? Math.max(after, read) : after;
    const last = page.items.at(-1);
    if (!page.more || last === undefined || roots.some(({ position }) => position <= end))
      return { roots: found, isMore: false };
    if (authors.size >= people) break;
    looked += page.items.length;
    if (roots.every(({ position }) => position > to)) newerPages++;
    before = keyOf(last).sk;
    limit = PAGE;
  }
  return { roots: found, isMore: true };
}

/** None if it has no position yet: then it is news of its own when it gets one. */
function rootOf(item: Item): Root[] {
  const key = parseKey(keyOf(item));
  if (key.type !== 'root' || typeof item.position !== 'number') return [];
  return [
    {
      ts: key.threadTs,
      position: item.position,
      author: item.author as string,
      isDeleted: item.deletedAt !== undefined,
      isHistory: item.imported === true,
      mentions: (item.mentions as readonly string[] | undefined) ?? [],
    },
  ];
}

/** The last position that they have read. */
export const readTo = async (membership: Membership, items: ItemLoader): Promise<number> =>
  readUpTo(
    Number.POSITIVE_INFINITY,
    await currentReadPosition(membership, { batchGet: items.loadMany.bind(items) }),
  );

async function wantedOf(
  roots: readonly Root[],
  kind: RoomNewsKind,
  { user, settings, items, channel }: Reading,
): Promise<Root[]> {
  const byMention = modeOf(settings, 'MENTION') === 'ON' ? channelsFor(settings, 'MENTION') : [];
  const channels = channel === undefined ? channelsFor(settings, kind) : [channel];
  // Their mentions reach them in all ways in which these messages would.
  const isCovered = channels.every((one) => byMention.includes(one));
  const isMention = ({ mentions }: Root) => isCovered && mentions.includes(user);
  const others = roots.filter((root) => root.author !== user && !root.isDeleted && !isMention(root));
  const authors = [...new Set(others.map(({ author }) => author))];
  const blocked = await blockedAmong({ batchGet: items.loadMany.bind(items) }, user, authors);
  return others.filter(({ author }) => !blocked.has(author));
}

interface DeliverableParts {
  readonly id: string;
  readonly user: string;
  readonly news: RoomNews & { readonly to: number };
  /** What each of them did, the newest first. */
  readonly actors: readonly Actor[];
  /** Whether there may be more. Default: there are no others. */
  readonly isMore?: boolean;
  /** Absent: it is not about messages. */
  readonly roots?: readonly Root[];
}

/** Opens the message, or the room if there are several, or none. */
function deliverableOf({
  id,
  user,
  news,
  actors: did,
  isMore = false,
  roots = [],
}: DeliverableParts): Deliverable {
  const actors = new Map<string, Actor>();
  for (const one of did) if (!actors.has(one.user)) actors.set(one.user, { user: one.user, at: one.at });
  const [root, ...older] = roots;
  const about = root === undefined || older.length > 0 ? NO_MESSAGE : root.ts;
  const people = [...actors.values()].slice(0, PEOPLE_MAX);
  return {
    id,
    user,
    kind: news.kind,
    room: news.room,
    threadTs: about,
    ts: about,
    count: people.length,
    actors: people,
    updatedAt: did[0]?.at ?? NO_MESSAGE,
    epoch: 0,
    variants: [],
    latest: null,
    version: 0,
    readAt: null,
    expiresAt: null,
    news: {
      id: roomNewsId(news),
      seen: seenUpTo(news.to),
      acts: did.length,
      isMore: isMore || actors.size > people.length,
    },
  };
}

const NO_MESSAGE: Timestamp = toTimestamp(0);
