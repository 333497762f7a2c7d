import type { NotificationKind } from '../../../src/dynamo/keys.ts';
import type { Activity } from '../../../src/notifications/derive/activity.ts';

interface RecipientContext {
  readonly muted: boolean;
  /** The recipient is not in the room. */
  readonly leftRoom: boolean;
  /** Seconds since 1970. */
  readonly now: number;
}

/**
 * The rules of notifications, written independently of the product: the actors in the unread notification, and the
 * actors in read ones with the time until which they are kept.
 */
export function createReference(kind: NotificationKind) {
  const unread = new Map<string, number>();
  const read = new Map<string, number>();
  return {
    apply(actor: string, op: Activity['op'], at: number, { muted, leftRoom, now }: RecipientContext) {
      if (op === 'removed') {
        if (!leftRoom) unread.delete(actor);
        return;
      }
      const counted = unread.has(actor);
      const keptInRead = (read.get(actor) ?? 0) > now;
      if (muted) return;
      if (kind === 'REPLY' || (!counted && !keptInRead)) {
        unread.set(actor, at);
        read.delete(actor);
      }
    },
    readAll(until: number) {
      for (const actor of unread.keys()) read.set(actor, until);
      unread.clear();
    },
    get count() {
      return unread.size;
    },
    get newest() {
      return [...unread].sort(([, a], [, b]) => b - a).map(([name]) => name);
    },
  };
}
