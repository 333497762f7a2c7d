/** How many unread MENTION notifications a membership counts. It changes in the transactions that change these. */
import { keys } from '../dynamo/keys.ts';
import type { Write } from '../dynamo/write.ts';
import { joinNumber, type Membership, mentionedRoots, versionsOfJoin } from '../rooms/room.ts';
import type { Notification } from './notification.ts';

/** What the membership counts of this notification while it is unread. */
export const countedBy = (membership: Membership, one: Notification | null): number =>
  one?.join !== undefined && one.room === membership.room && one.join === joinNumber(membership.version)
    ? one.count
    : 0;

/** Adds `change`, on condition that the membership is still the one that was read. `epoch`: the badge's. */
export const mentionedWrite = (membership: Membership, epoch: number, change: number): Write => ({
  key: keys.membership(membership.user, membership.room),
  update: 'SET mentioned = :mentioned, rev = :next',
  condition: 'rev = :rev',
  values: {
    ':mentioned': { count: Math.max(0, mentionedRoots(membership, epoch) + change), epoch },
    ':rev': membership.version,
    ':next': membership.version + 1,
  },
});

/**
 * Takes a notification out of the number of its own epoch. Fails if its membership has ended, or counts a later epoch.
 * Undefined if no membership counts it.
 */
export function uncountedWrite({ user, room, join, epoch, count }: Notification): Write | undefined {
  if (join === undefined) return undefined;
  const { first, last } = versionsOfJoin(join);
  return {
    key: keys.membership(user, room),
    update: 'SET mentioned.#count = mentioned.#count - :count, rev = rev + :one',
    condition: 'mentioned.epoch = :epoch AND mentioned.#count >= :count AND rev BETWEEN :first AND :last',
    names: { '#count': 'count' },
    values: { ':count': count, ':epoch': epoch, ':first': first, ':last': last, ':one': 1 },
  };
}
