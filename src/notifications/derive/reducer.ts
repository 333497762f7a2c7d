import type { Timestamp } from '../../core/timestamps.ts';
import { type Actor, NAMED_MAX, type Notification } from '../notification.ts';
import type { Activity } from './activity.ts';

/** What is stored about one actor, for one recipient, message and kind. */
export interface ActorRecord {
  /** The sequence of the last activity that was applied. */
  readonly lastSequence: string;
  /** The notification that counts the actor; empty if none does. */
  readonly notificationId: string;
  readonly at: Timestamp;
  /** Seconds since 1970, after which no notification counts the actor and the record is deleted; null: never. */
  readonly expiresAt: number | null;
}

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
  /** The recipient left the room and must not learn what is removed there. Implies `muted`. */
  readonly leftRoom: boolean;
  /** The id of a notification that has to be created. */
  readonly id: string;
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
 *                  counted once, and not again while a read notification that counts them is kept. A reply is
 *                  counted again after reading, and moves an unread notification up.
 *   removed        takes the actor out of the unread notification, if that is the one that counts them. With the
 *                  last actor the notification is deleted. A read notification stays as it was. So does an unread
 *                  one while its recipient is not in the room: a lower count would show what happens there.
 */
export function applyActivity(
  state: NotificationState,
  activity: Activity,
  context: ReduceContext,
): NotificationState {
  const known = state.actors.get(activity.actor);
  if (known !== undefined && activity.sequence <= known.lastSequence) return state;
  return activity.op === 'added' ? add(state, activity, context) : remove(state, activity, context);
}

function add(state: NotificationState, activity: Activity, context: ReduceContext): NotificationState {
  const { current, actors } = state;
  const known = actors.get(activity.actor);
  const countedIn = known === undefined || isForgotten(known, context.now) ? '' : known.notificationId;
  const lastSequence = activity.sequence;
  if (context.muted) {
    const expiresAt = countedIn === '' ? context.now + context.retention : (known?.expiresAt ?? null);
    const record = { lastSequence, notificationId: countedIn, at: activity.at, expiresAt };
    return { current, actors: withRecord(state, activity, record) };
  }
  const isNews = countedIn === '' || activity.kind === 'REPLY';
  if (known !== undefined && !isNews) {
    return { current, actors: withRecord(state, activity, { ...known, lastSequence }) };
  }
  const before = current ?? created(activity, context);
  const count = countedIn === before.id ? before.count : before.count + 1;
  const record = { lastSequence, notificationId: before.id, at: activity.at, expiresAt: null };
  return {
    current: { ...withNewest(before, activity), count },
    actors: withRecord(state, activity, record),
  };
}

function remove(
  state: NotificationState,
  activity: Activity,
  { leftRoom, now, retention }: ReduceContext,
): NotificationState {
  const { current, actors } = state;
  const known = actors.get(activity.actor);
  if (current === null || known?.notificationId !== current.id) return state;
  const lastSequence = activity.sequence;
  if (leftRoom) return { current, actors: withRecord(state, activity, { ...known, lastSequence }) };
  const without: Notification = {
    ...current,
    count: current.count - 1,
    actors: current.actors.filter(({ user }) => user !== activity.actor),
    version: current.version + 1,
  };
  const record = { lastSequence, notificationId: '', at: activity.at, expiresAt: now + retention };
  return {
    current: without.count === 0 ? null : without,
    actors: withRecord(state, activity, record),
  };
}

/** Expired items may stay in the table for days and count as absent, except for `lastSequence`, which does no harm. */
const isForgotten = ({ expiresAt }: ActorRecord, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;

const withRecord = ({ actors }: NotificationState, { actor }: Activity, record: ActorRecord) =>
  new Map(actors).set(actor, record);

const created = (
  { user, kind, room, threadTs, ts, at }: Activity,
  { id, epoch }: ReduceContext,
): Notification => ({
  ...{ user, id, kind, room, threadTs, ts, epoch },
  count: 0,
  actors: [],
  updatedAt: at,
  latest: null,
  version: 0,
  readAt: null,
  expiresAt: null,
});

/** With this activity as the newest. One that arrives late is sorted in by its time. */
const withNewest = (one: Notification, { kind, actor, at }: Activity): Notification => ({
  ...one,
  actors: newestActors([...one.actors.filter(({ user }) => user !== actor), { user: actor, at }]),
  updatedAt: newer(one.updatedAt, at),
  latest: kind === 'REPLY' ? newer(one.latest ?? at, at) : null,
  version: one.version + 1,
});

/** The newest NAMED_MAX of these actors, newest first. */
export const newestActors = (actors: readonly Actor[]): Actor[] =>
  [...actors].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, NAMED_MAX);

const newer = (a: Timestamp, b: Timestamp): Timestamp => (a < b ? b : a);
