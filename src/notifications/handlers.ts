import pLimit from 'p-limit';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { StreamHandler } from '../stream/change.ts';
import { badgeOf } from './badge.ts';
import { createActs } from './derive/acts.ts';
import type { Notifier } from './derive/notifier.ts';
import type { Replies } from './derive/replies.ts';
import { notificationOf } from './notification.ts';
import type { AfterReading } from './read/readCleanup.ts';

const READINGS_AT_ONCE = 8;

export interface NotificationsHandlerOptions {
  readonly dynamo: Dynamo;
  readonly notifier: Notifier;
  readonly replies: Replies;
}

/**
 * Tells people what others did. All that a batch has for one person about one message becomes one change of
 * their notification. Its own proof is what is remembered of each actor: see `fold.ts`.
 */
export function createNotificationsHandler(options: NotificationsHandlerOptions): StreamHandler {
  const { dynamo, notifier, replies } = options;
  const { actsOf } = createActs({ dynamo });
  return {
    name: 'notifications',
    itemTypes: ['like', 'stampGuard', 'root', 'reply'],
    async handle(changes) {
      const [acts, { acts: told, rest }] = await Promise.all([actsOf(changes), replies.actsOf(changes)]);
      await notifier.notify([...acts, ...told]);
      await rest();
    },
  };
}

/** Writes what is left to be written after somebody has read. */
export const createAfterReadingHandler = (after: AfterReading): StreamHandler => ({
  name: 'afterReading',
  itemTypes: ['notification', 'badge'],
  async handle(changes) {
    await pLimit(READINGS_AT_ONCE).map(changes, async ({ key, old, new: now }) => {
      if (now === undefined) return;
      if (key.type === 'notification' && now.readAt !== undefined && old?.readAt === undefined) {
        await after.wasRead(notificationOf(key.user, key.id, now));
      }
      if (key.type === 'badge') {
        const [before, { epoch, readAllAt }] = [badgeOf(old), badgeOf(now)];
        const allRead = epoch > before.epoch && readAllAt !== null;
        if (allRead) await after.allWereRead({ user: key.user, epoch, readAt: readAllAt });
      }
    });
  },
});
