import { keys } from '../dynamo/keys.ts';
import type { Audit } from '../verify/audit.ts';
import { badgeOf } from './badge.ts';

/** A notification counts the people whom it tells of. */
export const notificationsAudit: Audit = {
  name: 'notifications',
  says(key, { count, rev, expiresAt }) {
    // One that was read expires together with what it counts, and each of them at a time of its own.
    if (key.type !== 'notification' || expiresAt !== undefined) return undefined;
    return { counts: { count: Number(count) }, version: String(rev) };
  },
  votes(key, item) {
    if (key.type !== 'notified' || typeof item.in !== 'string' || item.in === '') return [];
    return [{ in: keys.notification(key.user, item.in), name: 'count' }];
  },
  mend: ({ rev }, { count }) => ({
    update: 'SET #count = :counted, rev = rev + :one',
    condition: 'rev = :rev',
    names: { '#count': 'count' },
    values: { ':counted': count, ':rev': rev, ':one': 1 },
  }),
};

/** A badge has the sum of what the unread notifications of its epoch count. */
export const badgesAudit: Audit = {
  name: 'badges',
  sums: true,
  says(key, item) {
    if (key.type !== 'badge') return undefined;
    const { total, epoch, rev } = badgeOf(item);
    // Those of an earlier epoch were read with all others, whether or not they say so already.
    return { counts: { [inEpoch(epoch)]: total }, version: String(rev), onlyThese: true };
  },
  votes(key, { count, epoch, readAt }) {
    if (key.type !== 'notification' || readAt !== undefined) return [];
    return [{ in: keys.badge(key.user), name: inEpoch(Number(epoch)), by: Number(count) }];
  },
  mend: (item, counted) => ({
    update: 'SET #total = :counted, rev = rev + :one',
    condition: 'rev = :rev',
    names: { '#total': 'total' },
    values: { ':counted': counted[inEpoch(badgeOf(item).epoch)], ':rev': item.rev, ':one': 1 },
  }),
};

const inEpoch = (epoch: number): string => `unread in epoch ${epoch}`;
