import { defined } from '../../core/defined.ts';
import { OutageError } from '../../core/errors.ts';
import { mapAtMost } from '../../core/mapAtMost.ts';
import { secondsOf, toTimestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import { createItemLoader, type ItemLoader } from '../../dynamo/itemLoader.ts';
import { keys, ranges } from '../../dynamo/keys.ts';
import { AGAIN, type Again } from '../../dynamo/optimistic.ts';
import { FIRST_SHAPE } from '../../dynamo/shapes.ts';
import { ifVersion, type Write } from '../../dynamo/write.ts';
import { BoundedMap } from '../../live/boundedMap.ts';
import { type Counter, counterOf, membershipOf } from '../../rooms/room.ts';
import { setTimer, type Timer, type TimerKind } from '../../timers/timer.ts';
import { reachOf } from '../../unread/badge/badge.ts';
import { ABANDONED_MS, type Arm, STALE_MS } from '../arm.ts';
import { reachedBy, type Sends } from '../delivery.ts';
import { digestKeyOf, KEPT_S } from '../gathering.ts';
import { isLeftOut } from '../settings/settings.ts';
import { type Join, type JoinsWanted, readJoins } from './joins.ts';
import { type ListenedKind, type Listener, listenersFrom, listenersOf } from './listener.ts';
import { lastOf, readRoots, readTo, roomNewsKey } from './roomNews.ts';

/** Listeners who are looked at in one run of a timer. */
const LISTENERS_PER_RUN = 500;
const PEOPLE_AT_ONCE = 16;
/** So often a page is tried again because of some of its listeners. */
const TRIES = 3;
/** Rooms of which it is known that a timer is open. A busy room is always among them. */
const REMEMBERED_MAX = 1_000;
/** A server of a release that does not raise the revision misleads this one for this time at most. */
const REMEMBERED_MS = 60_000;
/** The clock of the host that handles the timer may be ahead of ours by this much. */
const CLOCKS_DIFFER_MS = 60_000;

/** Of two people who entered or wrote, at least one is not the listener. */
const PEOPLE_MAX = 2;

/** The name is stored with timers. */
const ROOM_TIMER = 'roomListeners';

/** The listeners of one kind in a room who wait for the same time. */
export type Listening = {
  readonly room: string;
  readonly kind: ListenedKind;
  /** Seconds. */
  readonly wait: number;
};

/** What happened in a room. */
export interface Happened {
  /** The position before the first of it; of joins, the number of the change before. */
  readonly after: number;
  /** When the first of it happened, in milliseconds since 1970. */
  readonly since: number;
}

/** What someone may listen to, and the revision of the listeners in the room's counter when it happened. */
type RoomNewsOf = Pick<Listening, 'room' | 'kind'> & { readonly revision: number };

/** The timer of the first listeners is open until then at least. */
interface KnownOpen {
  readonly revision: number;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** What waits for them. While it does, it has a timer. */
interface Waiting extends Happened {
  /** When the timer is due. Null: nothing waits. */
  readonly dueAt: number | null;
  /**
   * When the open timer is due. If nothing waits: when the last one was, also after it had failed, which may not be
   * deleted yet.
   */
  readonly lastDueAt: number;
  /** Up to which position they were looked at, or are while `cursor` is there. */
  readonly to: number;
  /** The last listener who was looked at, of those who are in one run after the other. */
  readonly cursor?: string;
  readonly version: number;
}

export interface RoomTimersOptions {
  readonly dynamo: Dynamo;
  readonly sends: Pick<Sends, 'kindsForEveryone' | 'sendsDigests'>;
  readonly arm: Arm;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export type RoomTimers = ReturnType<typeof createRoomTimers>;

/**
 * One timer for a room and each time that its listeners wait. When it is due, each of them is compared with what they
 * have read; for those who have not read everything, it is gathered, and decided at once as everything else is. So a
 * message costs the same however many listen, and those who have read it cost no write.
 *
 * Only the timer of the shortest wait is set when something happens. When it is due, it sets the one of the next longer
 * wait.
 */
export function createRoomTimers({ dynamo, sends, arm, now }: RoomTimersOptions) {
  const knownOpen = new BoundedMap<string, KnownOpen>(REMEMBERED_MAX);

  /**
   * Sets the timer of these listeners, unless it is open. Idempotent. Resolves to when the timer is due. Costs one
   * read, and a transaction of two writes if no timer is open.
   *
   * `mover`: someone who waits for this time from now on, and whose news is possibly older than what the others wait
   * for. If the timer is open, its listeners are read again from the mover on. The others get nothing twice, because
   * what is gathered already is not gathered again.
   *
   * The handler of the open timer may have read the listeners, or some of them, and the runner deletes its timer after
   * that. So a timer that is written is never due when an earlier one was: it is another item then.
   */
  const set = (of: Listening, happened: Happened, mover?: string): Promise<number> =>
    dynamo.optimistic(async () => {
      const before = waitingOf(await dynamo.get(keys.listening(of.room, of.kind, of.wait)));
      const { dueAt: openUntil, cursor: _cursor, ...rest } = before;
      if (openUntil !== null && openUntil > now() - ABANDONED_MS) {
        const isUnhandled = before.cursor === undefined && openUntil > now() + CLOCKS_DIFFER_MS;
        if (mover === undefined || (isUnhandled && happened.after >= before.after)) return openUntil;
        const [after, dueAt] = [Math.min(happened.after, before.after), openUntil + 1];
        // From the first listener again if the mover is among those who were looked at.
        const isAhead = before.cursor !== undefined && isAfter(of, mover, before.cursor);
        const next = { ...rest, after, dueAt, ...(isAhead ? defined({ cursor: before.cursor }) : {}) };
        return (await write(of, before, next)) ?? dueAt;
      }
      const after = mover !== undefined ? happened.after : Math.max(happened.after, before.to);
      const dueAt = Math.ceil(Math.max(happened.since + of.wait * 1_000, before.lastDueAt + 1));
      return (await write(of, before, { ...rest, ...happened, after, dueAt })) ?? dueAt;
    });

  /**
   * Sets the timer of the listeners with the shortest wait of `of.wait` or longer. Resolves to when it is due, or to
   * undefined if no one waits that long. Costs one query, and what `set` costs.
   */
  async function setFirst(of: Listening, happened: Happened): Promise<number | undefined> {
    const { items } = await dynamo.query(listenersFrom(of.room, of.kind, of.wait), { limit: 1 });
    const [first] = listenersOf(items);
    return first === undefined ? undefined : set({ ...of, wait: first.wait }, happened);
  }

  /**
   * What happened lately in a room with listeners. What is older than a day is not delivered. Two reads if something
   * waits already; none if this process knows that, and no listener has changed since: a timer that is open is not
   * closed before it is due, and the process that closes it reads the room's counter after that.
   */
  async function news({ room, kind, revision }: RoomNewsOf, { after, since }: Happened): Promise<void> {
    if (since <= now() - STALE_MS) return;
    const name = `${room} ${kind}`;
    const known = knownOpen.get(name);
    if (known !== undefined && known.revision === revision && now() < known.until) return;
    const dueAt = await setFirst({ room, kind, wait: 0 }, { after, since });
    const until = Math.min((dueAt ?? 0) - CLOCKS_DIFFER_MS, now() + REMEMBERED_MS);
    if (until > now()) knownOpen.set(name, { revision, until });
    else knownOpen.delete(name);
  }

  /** For a user who waits for another time from now on: what their earlier timer waited for waits for them now. */
  async function move({ user, ...of }: Listening & { readonly user: string }, wait: number): Promise<void> {
    const { dueAt, after, since } = waitingOf(await dynamo.get(keys.listening(of.room, of.kind, of.wait)));
    if (dueAt !== null) await set({ ...of, wait }, { after, since }, user);
  }

  async function write(of: Listening, before: Waiting, after: Waiting): Promise<Again | undefined> {
    const failed = await dynamo.tryTransact({
      waiting: waitingWrite(of, before, after, now()),
      timer: after.dueAt === null ? undefined : setTimer(timerOf(of, after.dueAt)),
    });
    return failed === undefined ? undefined : AGAIN;
  }

  /**
   * One page of the listeners. The timer stays until all of it is done, so another process begins the page again after
   * one that died: what was gathered already is not gathered again.
   */
  async function handle({ about: of, due, failures }: Timer<Listening>): Promise<void> {
    const { room, kind, wait } = of;
    const [item, counterItem] = await dynamo.batchGet([keys.listening(room, kind, wait), keys.counter(room)]);
    const before = waitingOf(item);
    // The room was deleted.
    if (counterItem === undefined) return;
    const counter = counterOf(counterItem);
    if (before.dueAt === (failures?.setFor ?? due)) {
      const isFirst = before.cursor === undefined;
      const to = isFirst ? lastOf(kind, counter) : before.to;
      if (isFirst) await setFirst({ ...of, wait: wait + 1 }, before);
      const range = ranges.listenersWaiting(room, kind, wait);
      const after =
        before.cursor === undefined ? undefined : keys.listener(room, kind, wait, before.cursor).sk;
      const page = await dynamo.query(range, { limit: LISTENERS_PER_RUN, ...defined({ after }) });
      const listeners = listenersOf(page.items);
      const isStale = due <= now() - STALE_MS;
      if (!isStale) await gatherNews(listeners, { of, before, to, counter, failed: failures?.count ?? 0 });
      const cursor = page.more ? listeners.at(-1)?.user : undefined;
      const { cursor: _cursor, ...rest } = before;
      const next =
        cursor === undefined
          ? { ...rest, to, dueAt: null, lastDueAt: Math.max(due, before.lastDueAt) }
          : { ...rest, to, dueAt: Math.max(Math.ceil(now()), due + 1), cursor };
      // Another process has done the same, or a listener who changed their wait has set another timer.
      if ((await write(of, before, next)) === AGAIN) return;
      if (cursor !== undefined) return;
    }
    await setMissed(of);
  }

  /**
   * What was written after the position was read, and whose record was read while the timer was open. One or two round
   * trips.
   */
  async function setMissed(of: Listening): Promise<void> {
    const [item, counterItem] = await dynamo.batchGet([
      keys.listening(of.room, of.kind, of.wait),
      keys.counter(of.room),
    ]);
    const { dueAt, to } = waitingOf(item);
    if (dueAt !== null || counterItem === undefined) return;
    if (lastOf(of.kind, counterOf(counterItem)) <= to) return;
    await set(of, { after: to, since: now() });
  }

  interface GatherOptions {
    readonly of: Listening;
    readonly before: Happened;
    readonly to: number;
    readonly counter: Counter;
    /** How often the timer has failed. */
    readonly failed: number;
  }

  /** Gathers the news for the listeners who have something left to read. Three round trips, then what `arm` takes. */
  async function gatherNews(
    listeners: readonly Listener[],
    { of, before, to, counter, failed }: GatherOptions,
  ): Promise<void> {
    const { room, kind } = of;
    if (listeners.length === 0 || before.after >= to) return;
    const isForEveryone = (await sends.kindsForEveryone()).has(kind);
    const items = createItemLoader(dynamo);
    const range = { room, after: before.after, to };
    const [happened, found] = await Promise.all([
      kind === 'JOIN' ? readEntered(range) : readWritten(range, counter),
      items.loadMany(listeners.flatMap(({ user }) => [keys.badge(user), keys.membership(user, room)])),
    ]);
    const errors: unknown[] = [];
    async function look(i: number, listener: Listener): Promise<void> {
      const { reachable = false, digest = false } = reachOf(found[2 * i]);
      const by = reachedBy({ reachable, isForEveryone });
      const getsDigest = digest && sends.sendsDigests;
      if (by.length === 0 && !getsDigest) return;
      const after = Math.max(before.after, listener.from);
      const looked = { room, kind, after, happened, items, item: found[2 * i + 1] };
      if (!(await hasNews(listener.user, looked))) return;
      const at = toTimestamp(Math.ceil(now()) * 1_000);
      const id = roomNewsKey({ kind, room });
      const about = { id, kind, room, at, after, since: before.since, count: to };
      if (getsDigest) await arm(digestKeyOf(listener.user), [about]);
      if (by.length > 0) await arm({ user: listener.user, kind, room }, [{ ...about, by }]);
    }
    await mapAtMost(PEOPLE_AT_ONCE, [...listeners.entries()], ([i, listener]) =>
      look(i, listener).catch((error: unknown) => void errors.push(error)),
    );
    const outage = errors.find((error) => error instanceof OutageError);
    // A listener whose items cannot be read does not hold up the next page for longer. The log has each failure of the
    // timer.
    if (outage !== undefined || (errors.length > 0 && failed < TRIES)) throw outage ?? errors[0];
  }

  const readEntered = async (range: JoinsWanted): Promise<readonly Act[]> =>
    (await readJoins(dynamo, range, { max: PEOPLE_MAX })).joins;

  async function readWritten(range: JoinsWanted, { lastPosition }: Counter): Promise<Act[]> {
    const { roots } = await readRoots(
      dynamo,
      { ...range, lastPosition },
      { which: (some) => some.filter(({ isDeleted }) => !isDeleted), people: PEOPLE_MAX },
    );
    return roots.map(({ author, position }) => ({ user: author, change: position }));
  }

  return {
    news,
    move,
    timerKind: { name: ROOM_TIMER, handle } satisfies TimerKind<Listening>,
  };
}

/** What someone did. `change`: a position, or the number of a change. */
type Act = Pick<Join, 'user' | 'change'>;

interface Looked {
  readonly room: string;
  readonly kind: ListenedKind;
  readonly after: number;
  readonly happened: readonly Act[];
  readonly items: ItemLoader;
  /** The item of their membership. */
  readonly item: Item | undefined;
}

/** Whether something is left that others wrote. The decision leaves out blocked people. */
async function hasNews(user: string, { room, kind, after, happened, items, item }: Looked): Promise<boolean> {
  if (item === undefined) return false;
  const membership = membershipOf(user, room, item);
  if (isLeftOut(kind, membership)) return false;
  const byOthers = happened.filter((act) => act.user !== user && act.change > after);
  if (byOthers.length === 0 || kind === 'JOIN') return byOthers.length > 0;
  const read = await readTo(membership, items);
  return byOthers.some(({ change }) => change > read);
}

const isAfter = ({ room, kind, wait }: Listening, user: string, other: string): boolean =>
  keys.listener(room, kind, wait, user).sk > keys.listener(room, kind, wait, other).sk;

const waitingOf = (item: Item | undefined): Waiting => ({
  dueAt: (item?.dueAt as number | undefined) ?? null,
  lastDueAt: Number(item?.dueAt ?? item?.lastDueAt ?? 0),
  after: Number(item?.after ?? 0),
  since: Number(item?.since ?? 0),
  to: Number(item?.to ?? 0),
  ...defined({ cursor: item?.last as string | undefined }),
  version: Number(item?.rev ?? 0),
});

const waitingWrite = (
  { room, kind, wait }: Listening,
  before: Waiting,
  after: Waiting,
  now: number,
): Write => ({
  put: {
    ...keys.listening(room, kind, wait),
    v: FIRST_SHAPE,
    after: after.after,
    since: after.since,
    to: after.to,
    rev: before.version + 1,
    ...defined({ dueAt: after.dueAt ?? undefined, last: after.cursor }),
    ...(after.dueAt === null ? { lastDueAt: after.lastDueAt, expiresAt: secondsOf(now) + KEPT_S } : {}),
  },
  ...ifVersion(before.version),
});

const timerOf = (of: Listening, due: number): Timer<Listening> => ({
  id: `listeners:${of.room}:${of.kind}:${of.wait}`,
  kind: ROOM_TIMER,
  owner: `listeners:${of.room}`,
  due,
  about: of,
});
