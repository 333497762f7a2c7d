import pLimit from 'p-limit';
import { userTopic } from '../bus/bus.ts';
import type { Publisher } from '../bus/publisher.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ConditionFailed } from '../dynamo/errors.ts';
import { keys } from '../dynamo/keys.ts';
import { badgeOf } from '../notifications/badge.ts';
import type { NotificationTotalEvent } from '../notifications/topics.ts';
import type { Change, StreamHandler } from '../stream/change.ts';

const WRITES_AT_ONCE = 16;

/**
 * When a root gets its position, its author's read position becomes that number, if their membership still
 * names the root. Idempotent: a membership that names another root, or none, does not change. Until then, and if it
 * never happens, every reader of the membership looks the root up.
 */
export function createReadPositionsHandler({ dynamo }: { readonly dynamo: Dynamo }): StreamHandler {
  async function settle({ key, old, new: root }: Change): Promise<void> {
    if (key.type !== 'root' || root?.position === undefined || old?.position !== undefined) return;
    try {
      await dynamo.update(keys.membership(root.author as string, key.room), {
        update: 'SET readPosition = :position, rev = rev + :one REMOVE readTo',
        condition: 'readTo = :root AND readPosition < :position',
        values: { ':position': root.position, ':root': key.threadTs, ':one': 1 },
      });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }

  return {
    name: 'readPositions',
    itemTypes: ['root'],
    async handle(changes) {
      await pLimit(WRITES_AT_ONCE).map(changes, settle);
    },
  };
}

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
