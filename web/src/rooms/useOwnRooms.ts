import { useSession } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import type { OwnRoom } from './list.ts';

/** The viewer's rooms, in no order; undefined until they are known. */
export const useOwnRooms = (): readonly OwnRoom[] | undefined => useStore(useSession().rooms.own);
