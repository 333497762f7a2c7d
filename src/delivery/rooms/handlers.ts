import pLimit from 'p-limit';
import { microsOf, type Timestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import { keyOf, keys, parseKey, ranges } from '../../dynamo/keys.ts';
import { DIRECT_MAX } from '../../rooms/direct/direct.ts';
import { counterOf, type Membership, membershipOf } from '../../rooms/room.ts';
import type { Change, StreamHandler } from '../../stream/change.ts';
import { reachOf } from '../../unread/badge/badge.ts';
import { MAX_ROOMS } from '../../users/user.ts';
import type { Arm } from '../arm.ts';
import type { Sends } from '../delivery.ts';
import { digestOf } from '../gathering.ts';
import { isLeftOut } from '../settings/settings.ts';
import { listenersIn } from './listener.ts';
import { type Root, readRoots, roomNewsKey } from './roomNews.ts';
import type { Happened, RoomTimers } from './roomTimers.ts';

const ROOMS_AT_ONCE = 16;

export interface RoomNewsHandlerOptions {
  readonly dynamo: Dynamo;
  readonly sends: Pick<Sends, 'kindsForEveryone' | 'sendsDigests'>;
  readonly arm: Arm;
  readonly timers: Pick<RoomTimers, 'news'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Someone who can be reached outside the page. */
interface Receiver {
  readonly membership: Membership;
  readonly isReached: boolean;
  readonly getsDigest: boolean;
}

/** Roots of one room that got their positions. */
interface Written extends Happened {
  readonly room: string;
  /** The position of the last of them. */
  readonly to: number;
  /** Absent if a release wrote the counter that did not know it. */
  readonly isDirect: boolean | undefined;
  readonly hasListeners: boolean;
}

/** People entered a room in which someone listens to that. */
interface Entered extends Happened {
  readonly room: string;
}

/**
 * Gathers what is written in direct rooms, and sets the timers of rooms to whose messages or joins someone listens. It sees the
 * rooms' counters, which change after the roots have got positions: so what happens in any other room costs nothing here.
 */
export function createRoomNewsHandler({
  dynamo,
  sends,
  arm,
  timers,
  now,
}: RoomNewsHandlerOptions): StreamHandler {
  /**
   * Three round trips, of which the first two find that no one can be reached: the members, then what they chose. Then the
   * roots, and the blocks of the people who wrote them.
   */
  async function gatherDirect({ room, after, to }: Pick<Written, 'room' | 'after' | 'to'>): Promise<void> {
    const members = await membersOf(room);
    const isForEveryone = (await sends.kindsForEveryone()).has('DIRECT_MESSAGE');
    const found = await dynamo.batchGet(
      members.flatMap((user) => [keys.badge(user), keys.membership(user, room)]),
    );
    const receivers = members.flatMap((user, i): Receiver[] => {
      const [badge, item] = [found[2 * i], found[2 * i + 1]];
      const { reachable = false, digest = false } = reachOf(badge);
      const reach = { isReached: reachable || isForEveryone, getsDigest: digest && sends.sendsDigests };
      if (item === undefined || !(reach.isReached || reach.getsDigest)) return [];
      const membership = membershipOf(user, room, item);
      return isLeftOut('DIRECT_MESSAGE', membership) ? [] : [{ membership, ...reach }];
    });
    if (receivers.length === 0) return;
    const roots = await readRoots(dynamo, { room, after, to, lastPosition: to });
    await Promise.all(receivers.map((receiver) => gatherFor(receiver, roots, { room, after, to })));
  }

  async function gatherFor(
    { membership: receiver, isReached, getsDigest }: Receiver,
    roots: readonly Root[],
    { room, after, to }: Pick<Written, 'room' | 'after' | 'to'>,
  ): Promise<void> {
    const { user } = receiver;
    const byOthers = roots.filter(({ author, isDeleted }) => author !== user && !isDeleted);
    const authors = [...new Set(byOthers.map(({ author }) => author))];
    const blocks = await dynamo.batchGet(authors.map((author) => keys.block(user, author)));
    const welcome = new Set(authors.filter((_, i) => blocks[i] === undefined));
    const at = newestOf(byOthers.filter(({ author }) => welcome.has(author)));
    if (at === undefined) return;
    const kind = 'DIRECT_MESSAGE';
    const news = { id: roomNewsKey({ kind, room }), kind, room, at, count: to, after } as const;
    if (getsDigest) await arm(digestOf(user), [news]);
    if (!isReached) return;
    const isFirst = await areStrangers(receiver, [...welcome]);
    await arm({ user, kind, room }, [{ ...news, ...(isFirst ? { waitsAs: 'INVITED' } : {}) }]);
  }

  async function membersOf(room: string): Promise<string[]> {
    const { items } = await dynamo.query(ranges.members(room), { limit: DIRECT_MAX });
    return items.flatMap((item) => {
      const key = parseKey(keyOf(item));
      return key.type === 'member' ? [key.user] : [];
    });
  }

  /**
   * Whether someone was added to the room by others, has not looked at it, and shares no room with the people who write there,
   * apart from those that one of them has added them to. Reads only if the first two are true.
   */
  async function areStrangers(receiver: Membership, authors: readonly string[]): Promise<boolean> {
    const { user, room, addedBy, joinedAt, lastReadTs } = receiver;
    if (addedBy === undefined || lastReadTs !== joinedAt) return false;
    const [own, ...theirs] = await Promise.all(
      [user, ...authors].map((one) => dynamo.query(ranges.memberships(one), { limit: MAX_ROOMS })),
    );
    const chosen = new Set(
      (own?.items ?? []).flatMap((item) =>
        authors.includes(String(item.addedBy)) ? [] : roomsIn(item).filter((one) => one !== room),
      ),
    );
    return !theirs.some(({ items }) => items.flatMap(roomsIn).some((one) => chosen.has(one)));
  }

  /** For a counter that an earlier release wrote. One read and one write, once for each room. */
  async function isDirectRoom(room: string): Promise<boolean> {
    const item = await dynamo.get(keys.room(room));
    const isDirect = item?.visibility === 'DIRECT';
    const counter = {
      key: keys.counter(room),
      update: 'SET direct = :direct',
      condition: 'attribute_exists(pk)',
      values: { ':direct': isDirect },
    };
    // A transaction, because that is retried if it conflicts with one of the log's.
    await dynamo.tryTransact({ counter });
    return isDirect;
  }

  return {
    // The name is stored in dead letters.
    name: 'roomNews',
    itemTypes: ['counter'],
    async handle(changes) {
      const limit = pLimit(ROOMS_AT_ONCE);
      await Promise.all([
        limit.map(writtenIn(changes, now()), async (written) => {
          const { room, hasListeners, isDirect } = written;
          if (isDirect ?? (await isDirectRoom(room))) await gatherDirect(written);
          else if (hasListeners) await timers.news({ room, kind: 'MESSAGE' }, written);
        }),
        limit.map(enteredIn(changes, now()), (entered) =>
          timers.news({ room: entered.room, kind: 'JOIN' }, entered),
        ),
      ]);
    },
  };
}

function writtenIn(changes: readonly Change[], now: number): Written[] {
  const rooms = new Map<string, Written>();
  for (const { key, old, new: item } of changes) {
    if (key.type !== 'counter' || old === undefined || item === undefined) continue;
    const hasListeners = listenersIn('MESSAGE', item) > 0;
    if (item.direct === false && !hasListeners) continue;
    const [after, { lastPosition: to, newestRoot }] = [counterOf(old).lastPosition, counterOf(item)];
    if (to <= after) continue;
    const known = rooms.get(key.room);
    const isDirect = typeof item.direct === 'boolean' ? item.direct : known?.isDirect;
    const since = newestRoot === undefined ? now : Math.min(now, millisOf(newestRoot));
    rooms.set(key.room, {
      ...{ room: key.room, isDirect, hasListeners, since: known?.since ?? since },
      after: Math.min(after, known?.after ?? after),
      to: Math.max(to, known?.to ?? to),
    });
  }
  return [...rooms.values()];
}

/** Of each room, from the first of these changes on. */
function enteredIn(changes: readonly Change[], now: number): Entered[] {
  const rooms = new Map<string, Entered>();
  for (const { key, old, new: item } of changes) {
    if (key.type !== 'counter' || old === undefined || item === undefined) continue;
    if (listenersIn('JOIN', item) === 0 || rooms.has(key.room)) continue;
    const [before, { newestJoin }] = [counterOf(old), counterOf(item)];
    if (newestJoin === undefined || newestJoin.change <= (before.newestJoin?.change ?? 0)) continue;
    const since = Math.min(now, millisOf(newestJoin.at));
    rooms.set(key.room, { room: key.room, after: before.lastSequence, since });
  }
  return [...rooms.values()];
}

const millisOf = (at: Timestamp): number => Math.floor(microsOf(at) / 1_000);

const newestOf = (roots: readonly Root[]): Timestamp | undefined =>
  roots.reduce<Timestamp | undefined>(
    (newest, { ts }) => (newest !== undefined && newest > ts ? newest : ts),
    undefined,
  );

function roomsIn(item: Item): string[] {
  const key = parseKey(keyOf(item));
  return key.type === 'membership' ? [key.room] : [];
}
