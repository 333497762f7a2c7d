import type { Activity } from '../../../src/notifications/derive/activity.ts';
import type { NotificationKind } from '../../../src/notifications/notification.ts';

interface RecipientContext {
  readonly muted: boolean;
  /** The recipient is not in the room. */
  readonly leftRoom: boolean;
  /** Seconds since 1970. */
  readonly now: number;
}

/** What an actor's activity was, if the kind has several: a stamp. */
interface ReferenceVariant {
  readonly key: string;
  /** It was removed, and the actor has no other on the message. */
  readonly wasLast: boolean;
}

interface Earlier {
  readonly keys: Set<string>;
  /** Seconds since 1970. */
  until: number;
  /** No notification counts the actor any more. */
  isOut: boolean;
}

const RETENTION = 30 * 24 * 3600;

/**
 * The rules of notifications, written independently of the product: the actors in the unread notification with what
 * they did, and what of read ones is remembered, with the time until which it is.
 */
export function createReference(kind: NotificationKind) {
  const unread = new Map<string, { at: number; readonly keys: Set<string> }>();
  const read = new Map<string, Earlier>();

  /** What is remembered of the actor. */
  function earlierOf(actor: string, now: number): Earlier | undefined {
    const earlier = read.get(actor);
    if (earlier !== undefined && earlier.until <= now) read.delete(actor);
    return read.get(actor);
  }

  function remove(actor: string, { key, wasLast }: ReferenceVariant, now: number): void {
    const counted = unread.get(actor);
    if (counted === undefined) return;
    const isCounted = counted.keys.delete(key);
    if (!wasLast && !(isCounted && counted.keys.size === 0)) return;
    unread.delete(actor);
    const earlier = read.get(actor);
    if (earlier !== undefined) Object.assign(earlier, { until: now + RETENTION, isOut: true });
  }

  return {
    apply(
      actor: string,
      op: Activity['op'],
      at: number,
      { muted, leftRoom, now }: RecipientContext,
      variant: ReferenceVariant = { key: '', wasLast: true },
    ) {
      if (op === 'removed') {
        if (!leftRoom) remove(actor, variant, now);
        return;
      }
      const counted = unread.get(actor);
      const earlier = counted === undefined ? earlierOf(actor, now) : read.get(actor);
      if (muted) {
        if (earlier?.isOut === true && counted === undefined) earlier.until = now + RETENTION;
        return;
      }
      const isKnown = counted?.keys.has(variant.key) === true || earlier?.keys.has(variant.key) === true;
      if (kind !== 'REPLY' && isKnown) return;
      if (earlier !== undefined) Object.assign(earlier, { until: Number.POSITIVE_INFINITY, isOut: false });
      unread.set(actor, { at, keys: new Set([...(counted?.keys ?? []), variant.key]) });
    },
    readAll(until: number) {
      for (const [actor, { keys }] of unread) {
        read.set(actor, { keys: new Set([...(read.get(actor)?.keys ?? []), ...keys]), until, isOut: false });
      }
      unread.clear();
    },
    get count() {
      return unread.size;
    },
    get newest() {
      return [...unread].sort(([, a], [, b]) => b.at - a.at).map(([name]) => name);
    },
  };
}
