import { defined } from '../core/defined.ts';
import type { DeliveryKind } from '../core/deliveryKinds.ts';
import { DAY_S, secondsOf, type Timestamp } from '../core/timestamps.ts';
import type { Item } from '../dynamo/item.ts';
import { keys } from '../dynamo/keys.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import { ifVersion, type Write } from '../dynamo/write.ts';
import type { Notification } from '../notifications/notification.ts';
import type { Timer } from '../timers/timer.ts';

/** The kind of the gathering that becomes a digest. Stored. */
export const DIGEST = 'DIGEST';

/** What is gathered together: of one kind, in one room, for one person. Or everything for the person's next digest. */
export type GatheringKey = {
  readonly user: string;
  readonly kind: DeliveryKind | typeof DIGEST;
  readonly room: string;
};

/** A person has one. It is of no room. */
export const digestKeyOf = (user: string): GatheringKey => ({ user, kind: DIGEST, room: 'all' });

/**
 * What waits to be delivered. While it is open it has a timer. It stays for a while after that, because it knows when
 * the last delivery was, and what was in it.
 */
export interface Gathering extends GatheringKey {
  /** When it is decided, in milliseconds since 1970: the time that its timer was set for. Null: nothing waits. */
  readonly dueAt: number | null;
  /** Whether it waits for the end of quiet hours or of a pause. Then it is decided together with all others that do. */
  readonly held: boolean;
  /** The ids of the notifications that wait, the newest last: the newest NOTIFICATIONS_MAX. */
  readonly notifications: readonly string[];
  /** Whether more were gathered than `notifications` has. How many of the others are left is not known. */
  readonly isCut?: boolean;
  /** When the last decision was; 0 if there was none. */
  readonly decidedAt: number;
  /** When the last decision was that sent something; 0 if there was none. */
  readonly sentAt: number;
  /** How long it waits. Absent if nothing waits, if an earlier release wrote it, and of a digest. */
  readonly waits?: Waits;
  /**
   * The state of the notifications of the last decision, by id, and of those before the newest: SEEN_MAX, unless the
   * last had more.
   */
  readonly seen: Readonly<Record<string, Seen>>;
  /** Only of a digest. */
  readonly digest?: {
    /** When the first of what waits was gathered. */
    readonly since: number;
    /** The last delivery that had something to send. */
    readonly last?: Timestamp;
  };
  readonly version: number;
}

export type Waits = {
  /** When the first of it happened, in milliseconds since 1970. */
  readonly since: number;
  /** At least as long as this kind waits. */
  readonly as?: DeliveryKind;
};

/** How far a notification is known. */
export type Seen = {
  readonly at: Timestamp;
  readonly count: number;
};

export const seenOf = ({ updatedAt, count }: Pick<Notification, 'updatedAt' | 'count'>): Seen => ({
  at: updatedAt,
  count,
});

/** Whether someone did something since. It is false if people only took back what they did. */
export const isNewer = (one: Seen, before: Seen | undefined): boolean =>
  before === undefined || one.at > before.at || one.count > before.count;

const emptyGathering = ({ user, kind, room }: GatheringKey): Gathering => ({
  user,
  kind,
  room,
  dueAt: null,
  held: false,
  notifications: [],
  decidedAt: 0,
  sentAt: 0,
  seen: {},
  version: 0,
});

/** Longer than any window, and than records of the stream are kept. */
export const KEPT_S = 8 * DAY_S;

const gatheringItem = (one: Gathering) => ({
  ...keys.gathering(one.user, one.kind, one.room),
  v: FIRST_SHAPE,
  about: one.notifications,
  decidedAt: one.decidedAt,
  sentAt: one.sentAt,
  seen: one.seen,
  rev: one.version,
  // What is still to be handled does not expire.
  ...defined({
    dueAt: one.dueAt ?? undefined,
    held: one.held ? true : undefined,
    cut: one.isCut,
    waits: one.waits && defined(one.waits),
    digest: one.digest && defined(one.digest),
    expiresAt: one.dueAt === null ? secondsOf(one.decidedAt) + KEPT_S : undefined,
  }),
});

export const gatheringOf = ({ user, kind, room }: GatheringKey, item: Item | undefined): Gathering =>
  item === undefined
    ? emptyGathering({ user, kind, room })
    : {
        user,
        kind,
        room,
        dueAt: (item.dueAt as number | undefined) ?? null,
        held: item.held === true,
        notifications: item.about as string[],
        decidedAt: item.decidedAt as number,
        sentAt: item.sentAt as number,
        seen: item.seen as Record<string, Seen>,
        ...defined({
          isCut: item.cut as boolean | undefined,
          waits: item.waits as Waits | undefined,
          digest: item.digest as Gathering['digest'],
        }),
        version: item.rev as number,
      };

/** Replaces it on condition that it has not changed since it was read. */
export const gatheringWrite = (before: Gathering, after: Omit<Gathering, 'version'>): Write => ({
  put: gatheringItem({ ...after, version: before.version + 1 }),
  ...ifVersion(before.version),
});

/** Is written with each change. */
const SEEN_MAX = 25;

/**
 * What was decided now. If that is less than SEEN_MAX, also what was known before, the newest by when something last
 * happened.
 */
export function newestSeen(
  before: Gathering['seen'],
  decided: ReadonlyArray<readonly [string, Seen]>,
): Record<string, Seen> {
  const now = new Map(decided);
  const others = Object.entries(before)
    .filter(([id]) => !now.has(id))
    .sort(([, a], [, b]) => (a.at < b.at ? 1 : -1))
    .slice(0, Math.max(0, SEEN_MAX - now.size));
  return Object.fromEntries([...now, ...others]);
}

export const GATHERING_TIMER = 'delivery';
/** Another one, because releases before would send a digest as a delivery. */
export const DIGEST_TIMER = 'digest';

export const gatheringTimer = ({ user, kind, room }: GatheringKey, due: number): Timer<GatheringKey> => ({
  id: `delivery:${user}:${kind}:${room}`,
  kind: kind === DIGEST ? DIGEST_TIMER : GATHERING_TIMER,
  owner: user,
  due,
  about: { user, kind, room },
});
