import type { Publisher } from '../../bus/publisher.ts';
import type { StreamHandler } from '../../stream/change.ts';
import { notificationsTopic } from '../topics.ts';

/** Publishes which of a user's notifications have changed. */
export const createNotificationNewsHandler = ({
  publisher,
}: {
  readonly publisher: Publisher;
}): StreamHandler => ({
  name: 'notificationNews',
  itemTypes: ['notification'],
  async handle(changes) {
    await Promise.all(
      changes.map(async ({ key, old, new: now, expired }) => {
        // An expired one was left out of every answer before.
        if (key.type !== 'notification' || expired) return;
        const version = (now?.rev as number | undefined) ?? (old?.rev as number) + 1;
        await publisher.publish(notificationsTopic(key.user), { id: key.id, version });
      }),
    );
  },
});
