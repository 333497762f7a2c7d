import type { Timestamp } from '../../core/timestamps.ts';
import { type Actor, NAMED_MAX, type Notification } from '../notification.ts';
import type { Activity } from './act.ts';

/** What is remembered of one person's doings of one kind to one message, for one who is told of them. */
export interface Notified {
  /** The number of the newest act that was taken in. */
  readonly last: string;
  /** The notification that counts the person; empty: none does. */
  readonly in: string;
  readonly at: Timestamp;
  /** Seconds since 1970: when it counts in no notification any more, and is forgotten. */
  readonly expiresAt: number | null;
}

/** What somebody is told of one kind and message. */
export interface Telling {
  /** The unread notification; null: there is none. */
  readonly current: Notification | null;
  /** Those whose acts are folded in, as far as there is anything. */
  readonly notified: ReadonlyMap<string, Notified>;
}

export interface Terms {
  /** They do not want to hear of it: what happens is taken in, and told neither now nor later. */
  readonly quiet: boolean;
  /** They are not in the room any more: of what is taken back there they hear nothing either. Then `quiet`, too. */
  readonly gone: boolean;
  /** Of a notification that has to be made. */
  readonly id: string;
  readonly epoch: number;
  /** Seconds since 1970. */
  readonly now: number;
  /** Seconds. */
  readonly retention: number;
}

/**
 * What somebody is told after one more act. Pure, and the heart of it all:
 *
 *   a repetition        changes nothing
 *   given               counts the person in the unread notification, which is made if there is none; once,
 *                       and not again while a read one that counts them is kept. A reply is told again after
 *                       reading, and one that is unread moves up.
 *   taken back          takes the person out of the unread notification, if that is the one that counts them;
 *                       with the last of them it goes. A read one stays as it was, and so does any while its
 *                       reader is not in the room: to see it shrink would tell of what happens there.
 */
export function fold(telling: Telling, act: Activity, terms: Terms): Telling {
  const known = telling.notified.get(act.actor);
  if (known !== undefined && act.number <= known.last) return telling;
  return act.deed === 'given' ? give(telling, act, terms) : takeBack(telling, act, terms);
}

function give(telling: Telling, act: Activity, terms: Terms): Telling {
  const { current, notified } = telling;
  const known = notified.get(act.actor);
  const countedIn = known === undefined || isForgotten(known, terms.now) ? '' : known.in;
  const last = act.number;
  if (terms.quiet) {
    const expiresAt = countedIn === '' ? terms.now + terms.retention : (known?.expiresAt ?? null);
    return { current, notified: remembering(telling, act, { last, in: countedIn, at: act.at, expiresAt }) };
  }
  const isNews = countedIn === '' || act.kind === 'REPLY';
  if (known !== undefined && !isNews) {
    return { current, notified: remembering(telling, act, { ...known, last }) };
  }
  const before = current ?? created(act, terms);
  const count = countedIn === before.id ? before.count : before.count + 1;
  return {
    current: { ...movedUp(before, act), count },
    notified: remembering(telling, act, { last, in: before.id, at: act.at, expiresAt: null }),
  };
}

function takeBack(telling: Telling, act: Activity, { gone, now, retention }: Terms): Telling {
  const { current, notified } = telling;
  const known = notified.get(act.actor);
  if (current === null || known?.in !== current.id) return telling;
  if (gone) return { current, notified: remembering(telling, act, { ...known, last: act.number }) };
  const without: Notification = {
    ...current,
    count: current.count - 1,
    actors: current.actors.filter(({ user }) => user !== act.actor),
    rev: current.rev + 1,
  };
  const out: Notified = { last: act.number, in: '', at: act.at, expiresAt: now + retention };
  return { current: without.count === 0 ? null : without, notified: remembering(telling, act, out) };
}

/** Items past their time may linger for days, and count as absent: but for `last`, which does no harm. */
const isForgotten = ({ expiresAt }: Notified, now: number): boolean => expiresAt !== null && expiresAt <= now;

const remembering = ({ notified }: Telling, { actor }: Activity, now: Notified) =>
  new Map(notified).set(actor, now);

const created = ({ user, kind, room, t, c, at }: Activity, { id, epoch }: Terms): Notification => ({
  ...{ user, id, kind, room, t, c, epoch },
  count: 0,
  actors: [],
  updatedAt: at,
  latest: null,
  rev: 0,
  readAt: null,
  expiresAt: null,
});

/** With this act as the newest, unless it is told late: then in its place. */
const movedUp = (one: Notification, { kind, actor, at }: Activity): Notification => ({
  ...one,
  actors: named([...one.actors.filter(({ user }) => user !== actor), { user: actor, at }]),
  updatedAt: newer(one.updatedAt, at),
  latest: kind === 'REPLY' ? newer(one.latest ?? at, at) : null,
  rev: one.rev + 1,
});

/** The newest of these, newest first, as many as a notification names. */
export const named = (actors: readonly Actor[]): Actor[] =>
  [...actors].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, NAMED_MAX);

const newer = (a: Timestamp, b: Timestamp): Timestamp => (a < b ? b : a);
