import type { DeliveryWindow, DeliveryWindows } from '../core/deliveryKinds.ts';
import { DAY_S, microsOf } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import { setTimer } from '../timers/timer.ts';
import { ABOUT_MAX } from './delivery.ts';
import {
  type Gathering,
  type GatheringKey,
  gatheringOf,
  gatheringTimer,
  gatheringWrite,
  isNewer,
  type Seen,
} from './gathering.ts';

/** What happened longer ago is in the bell only: no one is woken up by a repair, or after an outage of a day. */
export const STALE_MS = DAY_S * 1_000;

/** A timer that is overdue by this much has failed, and its gathering opens again. */
const ABANDONED_MS = STALE_MS + 3_600_000;

/** A notification in which something happened. */
export interface News extends Seen {
  readonly id: string;
}

export interface ArmingOptions {
  readonly dynamo: Dynamo;
  readonly windows: DeliveryWindows;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export type Arm = ReturnType<typeof createArming>;

/** Gathers notifications for a delivery, and sets the timer that decides it. */
export function createArming({ dynamo, windows, now }: ArmingOptions) {
  /**
   * Idempotent. One read; one write if there is a notification that does not wait yet, and one more item if nothing
   * waited.
   */
  return async function arm(key: GatheringKey, news: readonly News[]): Promise<void> {
    const fresh = news.filter(({ at }) => millisOf(at) > now() - STALE_MS);
    if (fresh.length === 0) return;
    await dynamo.optimistic(async () => {
      const before = gatheringOf(key, await dynamo.get(keys.gathering(key.user, key.kind, key.room)));
      const found = fresh.filter((one) => isNewer(one, before.seen[one.id]));
      if (found.length === 0) return;
      const ids = found.map(({ id }) => id);
      const isOpen = before.dueAt !== null && before.dueAt > now() - ABANDONED_MS;
      if (isOpen && ids.every((id) => before.notifications.includes(id))) return;
      const notifications = [...new Set([...before.notifications, ...ids])].slice(-ABOUT_MAX);
      const first = Math.min(...found.map(({ at }) => millisOf(at)));
      const dueAt = isOpen ? before.dueAt : dueTime(before, windows[key.kind], Math.min(first, now()));
      const failed = await dynamo.tryTransact({
        gathering: gatheringWrite(before, { ...before, dueAt, notifications }),
        timer: isOpen || dueAt === null ? undefined : setTimer(gatheringTimer(key, dueAt)),
      });
      return failed === undefined ? undefined : AGAIN;
    });
  };
}

/** Later than the last one in any case: the timer of that one may not be deleted yet, and is another item. */
const dueTime = (
  { decidedAt, sentAt }: Gathering,
  { delaySeconds, windowSeconds }: DeliveryWindow,
  firstAt: number,
): number => Math.max(firstAt + delaySeconds * 1_000, sentAt + windowSeconds * 1_000, decidedAt + 1);

const millisOf = (at: Seen['at']): number => Math.floor(microsOf(at) / 1_000);
