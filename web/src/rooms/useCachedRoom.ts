import { useRead } from '../api/useRead.ts';
import { RoomDocument, type RoomPartsFragment } from '../generated/graphql.ts';
import type { OwnRoom } from './list.ts';
import { useOwnRooms } from './useOwnRooms.ts';

/** A room as its members see it. */
export type MemberRoom = Readonly<RoomPartsFragment> & { readonly viewerMembership: OwnRoom | null };

/**
 * A room's name, topic, seats and the viewer's membership, from the cache: what `Rooms.refreshRoom` has read, and
 * before that what the list of rooms contains. Both are the same copy in the cache. Sends no request; opening a room
 * reads it once (`RoomStoreOptions.onRoomChanged`).
 */
export function useCachedRoom(id: string): MemberRoom | undefined {
  const room = useRead(RoomDocument, { id })?.room;
  const own = useOwnRooms()?.find((membership) => membership.room.id === id);
  return room ?? (own && { ...own.room, viewerMembership: own });
}
