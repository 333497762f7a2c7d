import { createContext, use } from 'react';
import type { Role, RoomPartsFragment } from '../generated/graphql.ts';
import type { OpenedRoom } from './useOpenedRoom.ts';

/** The open room, for all components in it. */
export interface RoomContextValue extends OpenedRoom {
  readonly roomId: string;
  /** Undefined until it has been read. */
  readonly room: Readonly<RoomPartsFragment> | undefined;
  /** The title for the viewer: of a direct room, the names of the others. */
  readonly roomName: string;
  readonly role: Role | undefined;
}

export const RoomContext = createContext<RoomContextValue | undefined>(undefined);

export function useRoom(): RoomContextValue {
  const room = use(RoomContext);
  if (room === undefined) throw new Error('useRoom is only available inside a room.');
  return room;
}
