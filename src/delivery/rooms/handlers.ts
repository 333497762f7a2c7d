import { mapAtMost } from '../../core/mapAtMost.ts';
import { microsOf, type Timestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import { keyOf, keys, parseKey, ranges } from '../../dynamo/keys.ts';
import { BoundedMap } from '../../live/boundedMap.ts';
import { counterOf, type Membership, membershipOf, roomOf } from '../../rooms/room.ts';
import type { Change, StreamHandler } from '../../stream/change.ts';
import { reachOf } from '../../unread/badge/badge.ts';
import { blockedAmong } from '../../users/blocks/block.ts';
import { MAX_ROOMS } from '../../users/user.ts';
import type { Arm } from '../arm.ts';
import { type DeliveryChannel, reachedBy, type Sends } from '../delivery.ts';
import { digestKeyOf } from '../gathering.ts';
import { isLeftOut } from '../settings/settings.ts';
import { listenersIn, listenersRevision } from './listener.ts';
import { type Root, readRoots, roomNewsKey } from './roomNews.ts';
import type { Happened, RoomTimers } from './roomTimers.ts';

const ROOMS_AT_ONCE = 16;
/** Direct rooms whose people are not read again. A busy room is always among them. */
const REMEMBERED_MAX = 1_000;

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
  /** Apart from digests. */
  readonly by: readonly DeliveryChannel[];
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
  /** By the last of the records. */
  readonly revision: number;
}

/** People entered a room in which someone listens to that. */
interface Entered extends Happened {
  readonly room: string;
  readonly revision: number;
}

/**
 * Gathers what is written in direct rooms, and sets the timers of rooms to whose messages or joins someone listens. It
 * sees the rooms' counters, which change after the roots have got positions: so what happens in any other room costs
 * nothing here.
 */
export function createRoomNewsHandler({
  dynamo,
  sends,
  arm,
  timers,
  now,
}: RoomNewsHandlerOptions): StreamHandler {
  /** The people of direct rooms. They never change, and have their memberships read each time. */
  const remembered = new BoundedMap<string, readonly string[]>(REMEMBERED_MAX);

  /**
   * One round trip if no one can be reached: what their badges say. Then the memberships of those who can; then the
   * roots, and the blocks of the people who wrote them. The first time, also the room.
   */
  async function gatherDirect({ room, after, to }: Pick<Written, 'room' | 'after' | 'to'>): Promise<void> {
    const people = await peopleIn(room);
    const isForEveryone = (await sends.kindsForEveryone()).has('DIRECT_MESSAGE');
    const badges = await dynamo.batchGet(people.map((user) => keys.badge(user)));
    const reached = people.flatMap((user, i) => {
      const { reachable = false, digest = false } = reachOf(badges[i]);
      const reach = { by: reachedBy({ reachable, isForEveryone }), getsDigest: digest && sends.sendsDigests };
      return reach.by.length > 0 || reach.getsDigest ? [{ user, reach }] : [];
    });
    if (reached.length === 0) return;
    const memberships = await dynamo.batchGet(reached.map(({ user }) => keys.membership(user, room)));
    const receivers = reached.flatMap(({ user, reach }, i): Receiver[] => {
      const item = memberships[i];
      if (item === undefined) return [];
      const membership = membershipOf(user, room, item);
      return isLeftOut('DIRECT_MESSAGE', membership) ? [] : [{ membership, ...reach }];
    });
    if (receivers.length === 0) return;
    // Each receiver leaves out others. Once there is a root of everyone, all of them have what they may get.
    const { roots } = await readRoots(
      dynamo,
      { room, after, to, lastPosition: to },
      { which: (some) => some.filter(({ isDeleted }) => !isDeleted), people: people.length },
    );
    await Promise.all(receivers.map((receiver) => gatherFor(receiver, roots, { room, after, to })));
  }

  async function gatherFor(
    { membership: receiver, by, getsDigest }: Receiver,
    roots: readonly Root[],
    { room, after, to }: Pick<Written, 'room' | 'after' | 'to'>,
  ): Promise<void> {
    const { user } = receiver;
    const byOthers = roots.filter(({ author }) => author !== user);
    const authors = [...new Set(byOthers.map(({ author }) => author))];
    const blocked = await blockedAmong(dynamo, user, authors);
    const at = newestOf(byOthers.filter(({ author }) => !blocked.has(author)));
    if (at === undefined) return;
    const kind = 'DIRECT_MESSAGE';
    const news = { id: roomNewsKey({ kind, room }), kind, room, at, count: to, after } as const;
    if (getsDigest) await arm(digestKeyOf(user), [news]);
    if (by.length === 0) return;
    const welcome = authors.filter((author) => !blocked.has(author));
    const isFirst = await areStrangers(receiver, welcome);
    await arm({ user, kind, room }, [{ ...news, by, ...(isFirst ? { waitsAs: 'INVITED' } : {}) }]);
  }

  async function peopleIn(room: string): Promise<readonly string[]> {
    const known = remembered.get(room);
    const item = known === undefined ? await dynamo.get(keys.room(room)) : undefined;
    const people = known ?? (item === undefined ? undefined : roomOf(room, item).people);
    // The room was deleted.
    if (people === undefined) return [];
    remembered.set(room, people);
    return people;
  }

  /**
   * Whether someone was added to the room by others, has not looked at it, and shares no room with the people who write
   * there, apart from those that one of them has added them to. Reads only if the first two are true.
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

  async function tellWritten(written: Written): Promise<void> {
    const { room, hasListeners, isDirect, revision } = written;
    if (isDirect ?? (await isDirectRoom(room))) await gatherDirect(written);
    else if (hasListeners) await timers.news({ room, kind: 'MESSAGE', revision }, written);
  }

  const tellEntered = ({ room, revision, ...entered }: Entered) =>
    timers.news({ room, kind: 'JOIN', revision }, entered);

  return {
    // The name is stored in dead letters.
    name: 'roomNews',
    itemTypes: ['counter'],
    async handle(changes) {
      const tasks = [
        ...writtenIn(changes, now()).map((written) => () => tellWritten(written)),
        ...enteredIn(changes, now()).map((entered) => () => tellEntered(entered)),
      ];
      await mapAtMost(ROOMS_AT_ONCE, tasks, (run) => run());
    },
  };
}

/** Whether someone may have to be notified of each new message in the room, by its counter. */
export const hasNews = (counter: Item): boolean =>
  counter.direct !== false || listenersIn('MESSAGE', counter) > 0;

function writtenIn(changes: readonly Change[], now: number): Written[] {
  const rooms = new Map<string, Written>();
  for (const { key, old, new: item } of changes) {
    if (key.type !== 'counter' || old === undefined || item === undefined) continue;
    if (!hasNews(item)) continue;
    const hasListeners = listenersIn('MESSAGE', item) > 0;
    const [after, { lastPosition: to, newestRoot }] = [counterOf(old).lastPosition, counterOf(item)];
    if (to <= after) continue;
    const known = rooms.get(key.room);
    const isDirect = typeof item.direct === 'boolean' ? item.direct : known?.isDirect;
    const since = newestRoot === undefined ? now : Math.min(now, millisOf(newestRoot));
    rooms.set(key.room, {
      room: key.room,
      isDirect,
      hasListeners,
      since: known?.since ?? since,
      revision: listenersRevision(item),
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
    if (listenersIn('JOIN', item) === 0) continue;
    const revision = listenersRevision(item);
    const known = rooms.get(key.room);
    if (known !== undefined) {
      rooms.set(key.room, { ...known, revision });
      continue;
    }
    const [before, { newestJoin }] = [counterOf(old), counterOf(item)];
    if (newestJoin === undefined || newestJoin.change <= (before.newestJoin?.change ?? 0)) continue;
    const since = Math.min(now, millisOf(newestJoin.at));
    rooms.set(key.room, { room: key.room, revision, after: before.lastSequence, since });
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
