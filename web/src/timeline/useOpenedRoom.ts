import { useEffect, useState } from 'react';
import { createMembers, type Members } from '../members/members.ts';
import { useSession } from '../session/session.ts';
import { createReadTracker, type ReadTracker } from '../unread/readTracker.ts';
import type { SharedMessage } from './message.ts';
import { createRoomStore, type RoomStore } from './roomStore.ts';

export interface OpenedRoom {
  readonly store: RoomStore;
  readonly readTracker: ReadTracker;
  readonly members: Members;
}

/** Opens a room while the component is mounted. Undefined during the first render. */
export function useOpenedRoom(
  roomId: string,
  onAdded: (message: SharedMessage) => void,
): OpenedRoom | undefined {
  const { api, viewer, rooms, badge, outbox, openRoom } = useSession();
  const [opened, setOpened] = useState<OpenedRoom>();

  useEffect(() => {
    const readTracker = createReadTracker(api, { roomId, viewerId: viewer.id });
    const members = createMembers(api, roomId);
    const store = createRoomStore({
      api,
      roomId,
      viewerId: viewer.id,
      onOpened: readTracker.start,
      onAdded(message) {
        readTracker.added(message);
        onAdded(message);
      },
      onRoomChanged: () => void rooms.refreshRoom(roomId),
      onMember: members.changed,
      onReplayed(first) {
        const { firstUnread } = store.get();
        if (firstUnread === undefined || readTracker.hasReadUntil(first)) store.setFirstUnread(first.id);
      },
      onMissed: members.resync,
    });
    const count = () => {
      const { rooms: unread, readTo } = badge.get();
      readTracker.counted(unread.get(roomId) ?? 0, readTo.get(roomId));
    };
    count();
    const stopCounting = badge.subscribe(count);
    const stopFollowing = outbox.follow(roomId, {
      onSending: store.suppressOwnEchoes,
      onSent: store.applyMessage,
    });
    openRoom.set({ roomId, store });
    setOpened({ store, readTracker, members });
    return () => {
      store.close();
      stopCounting();
      stopFollowing();
      readTracker.stop();
      members.stop();
      openRoom.update((now) => (now?.store === store ? undefined : now));
    };
  }, [api, roomId, viewer, rooms, badge, outbox, openRoom, onAdded]);
  return opened;
}
