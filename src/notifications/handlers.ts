import type { Publisher } from '../bus/publisher.ts';
import { mapAtMost } from '../core/mapAtMost.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { REACTIONS } from '../reactions/registry.ts';
import type { StreamHandler } from '../stream/change.ts';
import { badgeOf } from '../unread/badge/badge.ts';
import { createActivityReader } from './derive/activity.ts';
import type { Notifier } from './derive/notifier.ts';
import type { Replies } from './derive/replies.ts';
import { notificationOf, notificationsTopic } from './notification.ts';
import type { ReadCleanup } from './read/readCleanup.ts';
import type { RootMentions } from './read/rootMentions.ts';

const CHANGES_AT_ONCE = 8;

export interface NotificationsHandlerOptions {
  readonly dynamo: Dynamo;
  readonly notifier: Notifier;
  readonly replies: Replies;
}

/**
 * Notifies users of what others did. All that a batch has for one user about one message becomes one change of their
 * notification. A repeated batch changes nothing, because the actor records hold what was applied: see `reducer.ts`.
 */
export function createNotificationsHandler(options: NotificationsHandlerOptions): StreamHandler {
  const { dynamo, notifier, replies } = options;
  const { activitiesOf } = createActivityReader({ dynamo });
  return {
    name: 'notifications',
    itemTypes: [...REACTIONS.map(({ itemType }) => itemType), 'root', 'reply', 'membership', 'saved'],
    async handle(changes) {
      const [activities, ofReplies] = await Promise.all([
        activitiesOf(changes),
        replies.activitiesOf(changes),
      ]);
      await Promise.all([notifier.notify([...activities, ...ofReplies.activities]), ofReplies.moveThreads()]);
      await ofReplies.enqueueRest();
    },
  };
}

/** Writes what remains to be written after notifications were read. */
export const createReadCleanupHandler = (cleanup: ReadCleanup): StreamHandler => ({
  // The name is stored in dead letters.
  name: 'afterReading',
  itemTypes: ['notification', 'badge'],
  async handle(changes) {
    await mapAtMost(CHANGES_AT_ONCE, changes, async ({ key, old, new: now }) => {
      if (now === undefined) return;
      if (key.type === 'notification' && now.readAt !== undefined && old?.readAt === undefined) {
        await cleanup.onRead(notificationOf(key.user, key.id, now));
      }
      if (key.type === 'badge') {
        const [before, { epoch, readAllAt }] = [badgeOf(old), badgeOf(now)];
        const allRead = epoch > before.epoch && readAllAt !== null;
        if (allRead) await cleanup.onReadAll({ user: key.user, epoch, readAt: readAllAt });
      }
    });
  },
});

/** Reads mentions whose roots were read. */
export const createRootMentionsHandler = (rootMentions: RootMentions): StreamHandler => ({
  // The name is stored in dead letters.
  name: 'rootMentions',
  itemTypes: ['membership', 'notification', 'root'],
  handle: rootMentions.handle,
});

/** Publishes which of a user's notifications have changed. */
export const createNotificationUpdatesHandler = ({
  publisher,
}: {
  readonly publisher: Publisher;
}): StreamHandler => ({
  // The name is stored in dead letters.
  name: 'notificationNews',
  itemTypes: ['notification'],
  async handle(changes) {
    await Promise.all(
      changes.map(async ({ key, old, new: now, expired }) => {
        // Reads leave an expired notification out before it is deleted.
        if (key.type !== 'notification' || expired) return;
        const version = (now?.rev as number | undefined) ?? (old?.rev as number) + 1;
        await publisher.publish(notificationsTopic(key.user), { id: key.id, version });
      }),
    );
  },
});
