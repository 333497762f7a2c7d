import { useState } from 'react';
import { useQuery } from 'urql';
import { RoomDocument, type RoomPartsFragment, type RoomQuery } from '../generated/graphql.ts';
import type { OwnRoom } from './list.ts';
import { useOwnRooms } from './useOwnRooms.ts';

/** A room as its members see it. */
export type MemberRoom = Readonly<RoomPartsFragment> & { readonly viewerMembership: OwnRoom | null };

/** Null: the room is absent or withheld. Undefined: that is not known. */
type Answer = RoomQuery['room'] | undefined;

/**
 * What `Rooms.refreshRoom` has read last. Sends no request. A failed reading, which the client passes on to all who
 * show the room, says nothing about the room: the answer before it stays.
 */
export function useReadRoom(id: string): Answer {
  const [{ data, error }] = useQuery({ query: RoomDocument, variables: { id }, requestPolicy: 'cache-only' });
  const [last, setLast] = useState<{ readonly id: string; readonly room: Answer }>();
  const isAnswer = error === undefined && data != null;
  if (isAnswer && (last?.id !== id || last.room !== data.room)) setLast({ id, room: data.room });
  if (isAnswer) return data.room;
  return last?.id === id ? last.room : undefined;
}

/**
 * A room's name, topic, seats and the viewer's membership, from the cache: what `Rooms.refreshRoom` has read, and
 * before that what the list of rooms contains. Both are the same copy in the cache. Sends no request; opening a room
 * reads it once (`RoomStoreOptions.onRoomChanged`).
 */
export function useCachedRoom(id: string): MemberRoom | undefined {
  const room = useReadRoom(id);
  const own = useOwnRooms()?.find((membership) => membership.room.id === id);
  return room ?? (own && { ...own.room, viewerMembership: own });
}
