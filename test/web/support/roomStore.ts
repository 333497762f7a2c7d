import { createRoomStore, type RoomStoreOptions } from '../../../web/src/timeline/roomStore.ts';
import type { Server } from './roomServer.ts';

/** Aki's store of the server's room. */
export const openStore = ({ api }: Server, listeners: Partial<RoomStoreOptions> = {}) =>
  createRoomStore({
    api,
    roomId: 'room',
    viewerId: 'aki',
    onReplayed: () => {},
    onOpened: () => {},
    onAdded: () => {},
    onRoomChanged: () => {},
    onMember: () => {},
    onMissed: () => {},
    ...listeners,
  });
