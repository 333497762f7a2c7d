import type { BadgeState } from '../unread/badge.ts';

/**
 * Whether something may have been read, deleted or muted between these states: one of the numbers is lower. New messages
 * in a muted room only raise the room's own number.
 */
export function hasFallen(before: BadgeState, now: BadgeState): boolean {
  if ((now.total ?? 0) < (before.total ?? 0) || now.notifications < before.notifications) return true;
  return [...before.rooms].some(([id, count]) => (now.rooms.get(id) ?? 0) < count);
}
