import { defined } from '../../core/defined.ts';
import { DELIVERY_KINDS } from '../../core/deliveryKinds.ts';
import { hashed } from '../../dynamo/keys.ts';
import { ABOUT_MAX, type Delivery, type DeliveryWords, NOTIFICATIONS_MAX } from '../delivery.ts';
import type { Message } from './channel.ts';
import { GIVE_UP_MS } from './send.ts';

const URGENT: ReadonlySet<string> = new Set(['MENTION', 'DIRECT_MESSAGE', 'REMINDER']);

export interface MessageParts {
  readonly delivery: Delivery;
  /** The ids of those that were joined to this one. Default: it is one. */
  readonly deliveries?: readonly string[];
  readonly words: DeliveryWords;
  readonly badge: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export function messageOf({ delivery, deliveries, words, badge, now }: MessageParts): Message {
  const { id, user, decidedAt } = delivery;
  const { title, text, url, handle, rooms, kinds, language, parts, isCut } = words;
  const left = decidedAt + GIVE_UP_MS - now;
  return {
    ...defined({ title, text, url, handle, rooms, language, parts, isCut }),
    id,
    user,
    kinds,
    badge,
    deliveries: deliveries ?? [id],
    topic: topicOf([...delivery.kinds, ...delivery.rooms].join(' ')),
    isUrgent: delivery.kinds.some((kind) => URGENT.has(kind)),
    wasHeld: delivery.wasHeld === true,
    ttlSeconds: Math.max(0, Math.floor(left / 1_000)),
  };
}

/**
 * A message as that of a send of several deliveries, of which this may be the last one left: known by the send, so that
 * it replaces what an earlier attempt has shown.
 */
export function asOneOfSeveral(message: Message, sendId: string): Message {
  const id = hashed(sendId);
  return { ...message, id, topic: topicOf(id) };
}

const topicOf = (about: string): string => hashed(about).slice(0, 32);

/** Something of one person that is left of a delivery. */
export interface Left {
  readonly delivery: Delivery;
  /** How many notifications are left of it. */
  readonly count: number;
}

/** Several deliveries of one person, to be worded as one. It is not stored. */
export function joined([first, ...others]: readonly [Left, ...Left[]]): Delivery {
  const all = [first, ...others].sort((a, b) => b.delivery.decidedAt - a.delivery.decidedAt);
  const deliveries = all.map(({ delivery }) => delivery);
  const ids = deliveries.flatMap(({ notifications }) => notifications);
  const distinct = [...new Set(ids)];
  const repeated = ids.length - distinct.length;
  return {
    ...(deliveries[0] ?? first.delivery),
    kinds: DELIVERY_KINDS.filter((kind) => deliveries.some(({ kinds }) => kinds.includes(kind))),
    rooms: [...new Set(deliveries.flatMap(({ rooms }) => rooms))].slice(0, ABOUT_MAX),
    notifications: distinct.slice(0, NOTIFICATIONS_MAX),
    // A notification that has grown is in several deliveries, and counts once.
    total: all.reduce((sum, { count }) => sum + count, 0) - repeated,
    ...defined({
      isCut: deliveries.some(({ isCut }) => isCut) ? true : undefined,
      wasHeld: deliveries.some(({ wasHeld }) => wasHeld) ? true : undefined,
    }),
  };
}
