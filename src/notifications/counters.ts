import { keys } from '../dynamo/keys.ts';
import { joinNumber, type MentionedRoots } from '../rooms/room.ts';
import { badgeOf } from '../unread/badge/badge.ts';
import type { Counter } from '../verify/counter.ts';

/** A notification counts its actors. */
export const notificationsCounter: Counter = {
  name: 'notifications',
  stored(key, { count, rev, expiresAt }) {
    // A read notification and the actors that it counts expire, each at its own time.
    if (key.type !== 'notification' || expiresAt !== undefined) return undefined;
    return { counts: { count: Number(count) }, version: String(rev) };
  },
  contributions(key, item) {
    if (key.type !== 'notified' || typeof item.in !== 'string' || item.in === '') return [];
    return [{ in: keys.notification(key.user, item.in), name: 'count' }];
  },
  fix: ({ rev }, { count }) => ({
    update: 'SET #count = :counted, rev = rev + :one',
    condition: 'rev = :rev',
    names: { '#count': 'count' },
    values: { ':counted': count, ':rev': rev, ':one': 1 },
  }),
};

/** A badge has the sum of the counts of its epoch's unread notifications. */
export const badgesCounter: Counter = {
  name: 'badges',
  sums: true,
  stored(key, item) {
    if (key.type !== 'badge') return undefined;
    const { total, epoch, version } = badgeOf(item);
    // "Mark all read" has read those of earlier epochs, even if their items do not say so yet.
    return { counts: { [inEpoch(epoch)]: total }, version: String(version), onlyThese: true };
  },
  contributions(key, { count, epoch, readAt }) {
    if (key.type !== 'notification' || readAt !== undefined) return [];
    return [{ in: keys.badge(key.user), name: inEpoch(Number(epoch)), by: Number(count) }];
  },
  fix: (item, counted) => ({
    update: 'SET #total = :counted, rev = rev + :one',
    condition: 'rev = :rev',
    names: { '#total': 'total' },
    values: { ':counted': counted[inEpoch(badgeOf(item).epoch)], ':rev': item.rev, ':one': 1 },
  }),
};

/** A membership has the sum of the counts of its epoch's unread MENTION notifications about roots. */
export const mentionsCounter: Counter = {
  name: 'mentions',
  sums: true,
  stored(key, { rev, mentioned = { count: 0, epoch: 0 } }) {
    if (key.type !== 'membership') return undefined;
    const { count, epoch } = mentioned as MentionedRoots;
    const name = inJoin(joinNumber(Number(rev)), epoch);
    return { counts: { [name]: count }, version: String(rev), onlyThese: true };
  },
  contributions(key, { room, count, epoch, readAt, join }) {
    if (key.type !== 'notification' || readAt !== undefined || join === undefined) return [];
    const name = inJoin(Number(join), Number(epoch));
    return [{ in: keys.membership(key.user, String(room)), name, by: Number(count) }];
  },
  fix({ rev, mentioned = { count: 0, epoch: 0 } }, counted) {
    const { epoch } = mentioned as MentionedRoots;
    const count = counted[inJoin(joinNumber(Number(rev)), epoch)];
    return {
      update: 'SET mentioned = :mentioned, rev = rev + :one',
      condition: 'rev = :rev',
      values: { ':mentioned': { count, epoch }, ':rev': rev, ':one': 1 },
    };
  },
};

const inJoin = (join: number, epoch: number): string => `${inEpoch(epoch)}, of join ${join}`;

const inEpoch = (epoch: number): string => `unread in epoch ${epoch}`;
