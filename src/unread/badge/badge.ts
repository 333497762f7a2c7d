import type { Timestamp } from '../../core/timestamps.ts';
import type { Item } from '../../dynamo/item.ts';
import { type Membership, type MembershipPayload, mentionedRoots } from '../../rooms/room.ts';

/** The notifications' part of a user's badge. `notifications/` writes its item, first with the user's first one. */
export interface Badge {
  /** The sum of the unread notifications' counts. */
  readonly total: number;
  /** Rises when all are marked as read at once. A notification of an earlier epoch is read. */
  readonly epoch: number;
  /** Rises with every change. */
  readonly version: number;
  /** When all were last marked as read at once. */
  readonly readAllAt: Timestamp | null;
}

/** Published on the user's channel (`userTopic`): the notifications' part of the badge. */
export type NotificationTotalEvent = {
  readonly type: 'badge';
  readonly total: number;
  readonly version: number;
  /** Absent in events of releases that did not send it: it is not known to have changed. */
  readonly epoch?: number;
  /** Memberships whose mentions changed with the badge, so that no total in between is sent. */
  readonly memberships?: readonly MembershipPayload[];
};

/**
 * Whether the user has a device that deliveries go to, and whether they get digests by e-mail (`delivery/`). It is on
 * the badge because the badge is read for every notification anyway. Notifications have the same attributes.
 */
export const reachOf = (badge: Item | undefined): { readonly reachable?: true; readonly digest?: true } => ({
  ...(badge?.reachable === true ? { reachable: true } : {}),
  ...(badge?.digest === true ? { digest: true } : {}),
});

/** What a room adds to the badge: its unread roots, without those that an unread MENTION counts already. */
export function roomPart(membership: Membership, unreadCount: number, epoch: number): number {
  if (membership.muted) return 0;
  // A mention may be read a moment after its root.
  return unreadCount - Math.min(unreadCount, mentionedRoots(membership, epoch));
}

export const badgeOf = (item: Item | undefined): Badge => ({
  total: (item?.total as number | undefined) ?? 0,
  epoch: (item?.epoch as number | undefined) ?? 0,
  version: (item?.rev as number | undefined) ?? 0,
  readAllAt: (item?.readAllAt as Timestamp | undefined) ?? null,
});
