import type { DeliveryKind } from '../core/deliveryKinds.ts';
import type { Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import { AGAIN, type Again } from '../dynamo/optimistic.ts';
import { notificationOf } from '../notifications/notification.ts';
import type { Timer, TimerKind } from '../timers/timer.ts';
import type { Arm } from './arm.ts';
import {
  DELIVERY_CHANNELS,
  type Delivery,
  type DeliveryOutcome,
  deliveryItem,
  type Sends,
} from './delivery.ts';
import {
  GATHERING_TIMER,
  type Gathering,
  type GatheringKey,
  gatheringOf,
  gatheringWrite,
  isNewer,
  newestSeen,
  seenOf,
} from './gathering.ts';
import type { ReadRemaining } from './remaining.ts';

export interface DecidingOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
  readonly sends: Sends;
  readonly arm: Arm;
  readonly readRemaining: ReadRemaining;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called for every decision. */
  readonly onDecision?: ((kind: DeliveryKind, outcome: DeliveryOutcome) => void) | undefined;
}

/**
 * Decides what was gathered when its timer is due. One transaction ends the gathering, and writes the delivery with its
 * sends. The timer stays until everything is done, so a process that dies continues here.
 *
 * A change that is committed after the notifications were read, and whose record arrives before the transaction, finds an
 * open gathering that contains its notification, and leaves it to this decision. So the notifications are read once more
 * after the transaction, and what is newer is gathered again. A change committed later finds the gathering closed.
 */
export function createDeciding(options: DecidingOptions): TimerKind<GatheringKey> {
  const { dynamo, timestamps, sends, arm, readRemaining, now, onDecision = () => {} } = options;

  async function read(key: GatheringKey): Promise<Gathering> {
    return gatheringOf(key, await dynamo.get(keys.gathering(key.user, key.kind, key.room)));
  }

  /** Resolves to false if the timer is not the gathering's any more. */
  async function decide({ about, due, failures }: Timer<GatheringKey>): Promise<boolean | Again> {
    const { user, kind, room } = about;
    const gathering = await read(about);
    if (gathering.dueAt === null || gathering.dueAt !== (failures?.setFor ?? due)) return false;
    const [{ notifications, reason, unread }, endpoints] = await Promise.all([
      readRemaining(user, gathering.notifications),
      sends.endpointsOf(user, new Map([[kind, DELIVERY_CHANNELS]])),
    ]);
    const decidedAt = Math.max(now(), gathering.dueAt);
    const outcome = reason ?? (endpoints.length === 0 ? 'SWITCHED_OFF' : 'PENDING');
    const delivery: Delivery = {
      ...{ user, outcome, decidedAt, dueAt: gathering.dueAt },
      id: timestamps.next(),
      kinds: [kind],
      rooms: [room],
      notifications: outcome === 'PENDING' ? notifications.map(({ id }) => id) : gathering.notifications,
      attempts: [],
      version: 1,
    };
    const isSent = outcome === 'PENDING';
    const seen = Object.fromEntries(unread.map((one) => [one.id, seenOf(one)]));
    const failed = await dynamo.tryTransact({
      gathering: gatheringWrite(gathering, {
        ...gathering,
        dueAt: null,
        notifications: [],
        decidedAt,
        sentAt: isSent ? decidedAt : gathering.sentAt,
        seen: newestSeen({ ...gathering.seen, ...seen }),
      }),
      delivery: { put: deliveryItem(delivery), condition: 'attribute_not_exists(pk)' },
      sends: isSent ? sends.writesFor(delivery, endpoints) : [],
    });
    if (failed !== undefined) return AGAIN;
    onDecision(kind, outcome);
    return true;
  }

  /** Gathers what happened between the decision's reads and its transaction. One or two round trips. */
  async function gatherMissed(key: GatheringKey): Promise<void> {
    const { seen } = await read(key);
    const ids = Object.keys(seen);
    const items = await dynamo.batchGet(ids.map((id) => keys.notification(key.user, id)));
    const news = ids.flatMap((id, i) => {
      const item = items[i];
      if (item === undefined || item.readAt !== undefined) return [];
      const now = seenOf(notificationOf(key.user, id, item));
      return isNewer(now, seen[id]) ? [{ id, ...now }] : [];
    });
    if (news.length > 0) await arm(key, news);
  }

  return {
    name: GATHERING_TIMER,
    async handle(timer) {
      await dynamo.optimistic(() => decide(timer));
      await gatherMissed(timer.about);
    },
  };
}
