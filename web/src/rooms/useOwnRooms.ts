import { useSession } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import type { OwnRoom } from './list.ts';

/** The viewer's rooms, unordered. Undefined until they have been read. */
export const useOwnRooms = (): readonly OwnRoom[] | undefined => useStore(useSession().rooms.own);
