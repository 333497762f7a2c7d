import { userTopic } from '../bus/bus.ts';
import type { Publisher } from '../bus/publisher.ts';
import type { StreamHandler } from '../stream/change.ts';
import { badgeOf, type NotificationTotalEvent } from './badge/badge.ts';

/** Publishes the notifications' part of users' badges. */
export function createBadgesHandler({ publisher }: { readonly publisher: Publisher }): StreamHandler {
  return {
    name: 'badges',
    itemTypes: ['badge'],
    async handle(changes) {
      await Promise.all(
        changes.map(async ({ key, new: badge }) => {
          if (key.type !== 'badge' || badge === undefined) return;
          const { total, version } = badgeOf(badge);
          await publisher.publish(userTopic<NotificationTotalEvent>(key.user), {
            type: 'badge',
            total,
            version,
          });
        }),
      );
    },
  };
}
