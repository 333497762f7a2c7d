import type { Publisher } from '../../bus/publisher.ts';
import type { StreamHandler } from '../../stream/change.ts';
import { notificationsTopic } from '../topics.ts';

/** Tells people's servers which of their notifications have changed. */
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
        // One whose time is up was gone from every answer before.
        if (key.type !== 'notification' || expired) return;
        const rev = (now?.rev as number | undefined) ?? (old?.rev as number) + 1;
        await publisher.publish(notificationsTopic(key.user), { id: key.id, rev });
      }),
    );
  },
});
