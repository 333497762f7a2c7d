import { userTopic } from '../bus/bus.ts';
import type { Publisher } from '../bus/publisher.ts';
import { groupBy } from '../core/groupBy.ts';
import { isMentionChange, type MembershipEvent, membershipOf } from '../rooms/room.ts';
import type { Change, StreamHandler } from '../stream/change.ts';
import { badgeOf, type NotificationTotalEvent } from './badge/badge.ts';

/**
 * Publishes the notifications' part of users' badges, together with the mentions in their rooms, which change in the
 * same transactions. Of several values in a batch, the last one.
 */
export function createBadgesHandler({ publisher }: { readonly publisher: Publisher }): StreamHandler {
  return {
    name: 'badges',
    itemTypes: ['badge', 'membership'],
    async handle(changes) {
      const byUser = groupBy(changes, ({ key }) => ('user' in key ? key.user : ''));
      await Promise.all(
        [...byUser].flatMap(([user, own]) => {
          const topic = userTopic<NotificationTotalEvent | MembershipEvent>(user);
          return eventsOf(own).map((event) => publisher.publish(topic, event));
        }),
      );
    },
  };
}

function eventsOf(changes: readonly Change[]): Array<NotificationTotalEvent | MembershipEvent> {
  const badge = changes.findLast(({ key, new: now }) => key.type === 'badge' && now !== undefined)?.new;
  const byRoom = new Map(
    changes.flatMap(({ key, old, new: now }) =>
      key.type === 'membership' && now !== undefined && isMentionChange(old, now)
        ? [[key.room, membershipOf(key.user, key.room, now)]]
        : [],
    ),
  );
  const memberships = [...byRoom.values()];
  if (badge === undefined) return memberships.map((membership) => ({ type: 'membership', membership }));
  const { total, version, epoch } = badgeOf(badge);
  return [{ type: 'badge', total, version, epoch, memberships }];
}
