import type { BadgeState } from '../unread/badge.ts';

/**
 * Whether something may have been read, deleted or muted between these states: one of the numbers is lower, or
 * something was read in a room. What came and was read before this browser was sent a badge changes only the latter.
 * New messages in a muted room only raise the room's own number.
 */
export function hasFallen(before: BadgeState, now: BadgeState): boolean {
  if ((now.total ?? 0) < (before.total ?? 0) || now.notifications < before.notifications) return true;
  if ([...before.rooms].some(([id, count]) => (now.rooms.get(id) ?? 0) < count)) return true;
  // The position in a room is unknown until something happens there. A room with something unread has only got it.
  return [...now.readTo].some(([id, to]) => to > (before.readTo.get(id) ?? (now.rooms.has(id) ? to : -1)));
}
