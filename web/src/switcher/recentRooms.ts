import { keep } from '../state/keep.ts';

const MOST = 20;
const keyOf = (viewerId: string) => `tsudoi:recent-rooms:${viewerId}`;

/** The rooms that the viewer opened last in this browser, the newest first. */
export function recentRooms(viewerId: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(viewerId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

export function rememberRoom(viewerId: string, room: string): void {
  const others = recentRooms(viewerId).filter((id) => id !== room);
  keep(localStorage, keyOf(viewerId), JSON.stringify([room, ...others].slice(0, MOST)));
}
