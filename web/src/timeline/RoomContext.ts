import { createContext, use } from 'react';
import type { Role, RoomPartsFragment } from '../generated/graphql.ts';
import type { OpenedRoom } from './useRoomLog.ts';

/** The room that is open, for everything in it. */
export interface RoomInContext extends OpenedRoom {
  readonly roomId: string;
  /** Undefined until it is known. */
  readonly room: Readonly<RoomPartsFragment> | undefined;
  /** As the viewer calls it. */
  readonly roomName: string;
  readonly role: Role | undefined;
}

export const RoomContext = createContext<RoomInContext | undefined>(undefined);

export function useRoom(): RoomInContext {
  const room = use(RoomContext);
  if (room === undefined) throw new Error('Only inside of a room.');
  return room;
}
