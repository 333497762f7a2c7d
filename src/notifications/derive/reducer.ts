import { defined } from '../../core/defined.ts';
import type { Timestamp } from '../../core/timestamps.ts';
import {
  type Actor,
  isOwn,
  isRootMention,
  NAMED_MAX,
  type Notification,
  VARIANTS_MAX,
} from '../notification.ts';
import { type Activity, streamIn } from './activity.ts';

/** What is stored about one actor, for one recipient, message and kind. */
export interface ActorRecord {
  /** The sequence of the last activity that was applied. */
  readonly lastSequence: string;
  /** The notification that counts the actor; empty if none does. */
  readonly notificationId: string;
  readonly at: Timestamp;
  /** Seconds since 1970, after which no notification counts the actor and the record is deleted; null: never. */
  readonly expiresAt: number | null;
  /** Null for kinds without variants, and in records of releases that did not distinguish them. */
  readonly variants: ActorVariants | null;
}

/**
 * Which variants of the reaction (stamps) the recipient was notified of, by this actor. At most REMEMBERED_MAX each.
 */
export interface ActorVariants {
  /** In the notification that counts the actor. */
  readonly counted: readonly string[];
  /** In earlier notifications, which were read. */
  readonly earlier: readonly string[];
}

/** The number of different stamps that a message can have at the same time. */
const REMEMBERED_MAX = 50;

/** What a recipient's notification of one kind and message is computed from. */
export interface NotificationState {
  /** The unread notification; null if there is none. */
  readonly current: Notification | null;
  /** The stored records of the actors whose activities are applied. */
  readonly actors: ReadonlyMap<string, ActorRecord>;
}

export interface ReduceContext {
  /** The recipient does not want it: the activity is recorded, but the user is not notified, now or later. */
  readonly muted: boolean;
  /** The recipient left the room and must not learn what is removed there. Implies `muted`, except for a reminder. */
  readonly leftRoom: boolean;
  /** The id of a notification that has to be created. */
  readonly id: string;
  /** The `joinNumber` of the recipient's membership. Absent: there is none. */
  readonly join?: number;
  readonly epoch: number;
  /** Seconds since 1970. */
  readonly now: number;
  /** Seconds. */
  readonly retention: number;
}

/**
 * The state after one more activity. A pure function, which decides everything about notifications:
 *
 *   a repetition   changes nothing
 *   added          counts the actor in the unread notification, which is created if there is none. The actor is
 *                  counted once, and not again while a read notification that counts them is kept. A reply (a seat, a reminder) is
 *                  counted again after reading, and moves an unread notification up. So does a reaction of
 *                  another variant (a different stamp), but not one that the recipient was notified of already.
 *   removed        takes the actor out of the unread notification, if that is the one that counts them. With the
 *                  last actor the notification is deleted. A read notification stays as it was. So does an unread
 *                  one while its recipient is not in the room: a lower count would show what happens there. An
 *                  actor with several variants is taken out with the last one of those that it counts. The removal of
 *                  what was never applied is recorded, because a repair may have read it before, and apply it now.
 */
export function applyActivity(
  state: NotificationState,
  activity: Activity,
  context: ReduceContext,
): NotificationState {
  const known = state.actors.get(activity.actor);
  if (known !== undefined && isRepetition(activity.sequence, known.lastSequence)) return state;
  return activity.op === 'added' ? add(state, activity, context) : remove(state, activity, context);
}

/**
 * What comes from another stream than the last activity is newer, even if its label is lower: a stream is handled to
 * its end before another table is used, and a table that is used again has the stream that it had before. A sequence
 * without a stream is the lowest.
 */
function isRepetition(sequence: string, last: string): boolean {
  const [stream, lastStream] = [streamIn(sequence), streamIn(last)];
  const isOther = stream !== '' && lastStream !== '' && stream !== lastStream;
  return !isOther && sequence <= last;
}

function add(state: NotificationState, activity: Activity, context: ReduceContext): NotificationState {
  const { current, actors } = state;
  const stored = actors.get(activity.actor);
  const known = stored === undefined || isForgotten(stored, context.now) ? undefined : stored;
  const countedIn = known?.notificationId ?? '';
  const lastSequence = activity.sequence;
  if (context.muted) {
    const expiresAt = countedIn === '' ? context.now + context.retention : (known?.expiresAt ?? null);
    const variants = known?.variants ?? null;
    const record = { lastSequence, notificationId: countedIn, at: activity.at, expiresAt, variants };
    return { current, actors: withRecord(state, activity, record) };
  }
  if (known !== undefined && !isNews(activity, known)) {
    return { current, actors: withRecord(state, activity, { ...known, lastSequence }) };
  }
  const before = current ?? created(activity, context);
  const isCounted = countedIn === before.id;
  const record = {
    lastSequence,
    notificationId: before.id,
    at: activity.at,
    expiresAt: null,
    variants: withVariant(activity, known?.variants ?? null, isCounted),
  };
  return {
    current: { ...withNewest(before, activity), count: isCounted ? before.count : before.count + 1 },
    actors: withRecord(state, activity, record),
  };
}

function isNews({ kind, variant }: Activity, { notificationId, variants }: ActorRecord): boolean {
  if (kind === 'REPLY' || isOwn(kind)) return true;
  if (variant === undefined) return notificationId === '';
  const { counted, earlier } = variants ?? NO_VARIANTS;
  return !counted.includes(variant.key) && !earlier.includes(variant.key);
}

const NO_VARIANTS: ActorVariants = { counted: [], earlier: [] };

/** `isCounted`: the notification counts the actor already. Otherwise what was counted before was in an earlier one. */
function withVariant(
  { variant }: Activity,
  before: ActorVariants | null,
  isCounted: boolean,
): ActorVariants | null {
  if (variant === undefined) return null;
  const { counted, earlier } = before ?? NO_VARIANTS;
  const remembered = (keys: readonly string[]) => keys.slice(-REMEMBERED_MAX);
  return isCounted
    ? { counted: remembered([...counted, variant.key]), earlier }
    : { counted: [variant.key], earlier: remembered([...earlier, ...counted]) };
}

function remove(
  state: NotificationState,
  activity: Activity,
  { leftRoom, now, retention }: ReduceContext,
): NotificationState {
  const { current, actors } = state;
  const { variant, sequence: lastSequence, at } = activity;
  const known = actors.get(activity.actor);
  if (known === undefined) {
    if (variant !== undefined && !variant.wasLast) return state;
    const record = { lastSequence, notificationId: '', at, expiresAt: now + retention, variants: null };
    return { current, actors: withRecord(state, activity, record) };
  }
  if (current === null) return state;
  const counts = known.notificationId === current.id;
  const shown = withoutVariant(current, activity);
  if (leftRoom || !counts) {
    if (!counts && shown === current) return state;
    const actors = withRecord(state, activity, { ...known, lastSequence });
    return { current: leftRoom ? current : shown, actors };
  }

  const { counted, earlier } = known.variants ?? NO_VARIANTS;
  const rest = counted.filter((key) => key !== variant?.key);
  // A record of an earlier release does not know which variants are counted.
  const isKept = rest.length > 0 || rest.length === counted.length;
  if (variant !== undefined && !variant.wasLast && isKept) {
    const variants = known.variants === null ? null : { counted: rest, earlier };
    return { current: shown, actors: withRecord(state, activity, { ...known, lastSequence, variants }) };
  }
  const without: Notification = {
    ...shown,
    count: current.count - 1,
    actors: current.actors.filter(({ user }) => user !== activity.actor),
    version: current.version + 1,
  };
  const variants = known.variants === null ? null : { counted: [], earlier };
  const record = {
    lastSequence,
    notificationId: '',
    at: activity.at,
    expiresAt: now + retention,
    variants,
  };
  return {
    current: without.count === 0 ? null : without,
    actors: withRecord(state, activity, record),
  };
}

/**
 * A variant that no user has on the message any more is not shown. If it was added later, the removal is a repetition.
 */
function withoutVariant(one: Notification, { variant, at: removedAt }: Activity): Notification {
  if (variant === undefined || variant.isOnMessage) return one;
  const variants = one.variants.filter(({ key, at }) => key !== variant.key || at > removedAt);
  return variants.length === one.variants.length ? one : { ...one, variants, version: one.version + 1 };
}

/** Expired items may stay in the table for days and count as absent, except for `lastSequence`, which does no harm. */
const isForgotten = ({ expiresAt }: ActorRecord, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;

const withRecord = ({ actors }: NotificationState, { actor }: Activity, record: ActorRecord) =>
  new Map(actors).set(actor, record);

const created = (
  { user, kind, room, threadTs, ts, at }: Activity,
  { id, epoch, join }: ReduceContext,
): Notification => ({
  user,
  id,
  kind,
  room,
  threadTs,
  ts,
  epoch,
  ...(isRootMention({ kind, threadTs, ts }) ? defined({ join }) : {}),
  ...(kind === 'REPLY' ? { first: at } : {}),
  count: 0,
  actors: [],
  updatedAt: at,
  variants: [],
  latest: null,
  version: 0,
  readAt: null,
  expiresAt: null,
});

/** Adds the activity as the newest. An activity that arrives late is sorted in by its time. */
const withNewest = (one: Notification, { kind, actor, at, variant }: Activity): Notification => ({
  ...one,
  actors: newestActors([...one.actors.filter(({ user }) => user !== actor), { user: actor, at }]),
  updatedAt: newer(one.updatedAt, at),
  variants:
    variant === undefined
      ? one.variants
      : newestFirst([
          ...one.variants.filter(({ key }) => key !== variant.key),
          { key: variant.key, at },
        ]).slice(0, VARIANTS_MAX),
  latest: kind === 'REPLY' ? newer(one.latest ?? at, at) : null,
  ...(one.first !== undefined && at < one.first ? { first: at } : {}),
  version: one.version + 1,
});

const newestFirst = <T extends { readonly at: Timestamp }>(all: readonly T[]): T[] =>
  [...all].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));

/** The newest NAMED_MAX of these actors, newest first. */
export const newestActors = (actors: readonly Actor[]): Actor[] => newestFirst(actors).slice(0, NAMED_MAX);

const newer = (a: Timestamp, b: Timestamp): Timestamp => (a < b ? b : a);
