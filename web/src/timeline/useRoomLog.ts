import { useEffect, useState } from 'react';
import { createMembers, type Members } from '../members/members.ts';
import { useSession } from '../session/session.ts';
import { createReader, type Reader } from '../unread/reader.ts';
import type { Message } from './message.ts';
import { createRoomLog, type RoomLog } from './roomLog.ts';

export interface OpenedRoom {
  readonly log: RoomLog;
  readonly reader: Reader;
  readonly members: Members;
}

/** Opens a room for as long as the component stands; undefined in its first moment. */
export function useOpenedRoom(roomId: string, onAdded: (message: Message) => void): OpenedRoom | undefined {
  const { api, viewer, rooms, badge, openLog } = useSession();
  const [opened, setOpened] = useState<OpenedRoom>();

  useEffect(() => {
    const reader = createReader(api, { roomId, viewerId: viewer.id });
    const members = createMembers(api, roomId);
    const log = createRoomLog({
      ...{ api, roomId, viewerId: viewer.id },
      onOpened: reader.start,
      onAdded(message) {
        reader.added(message);
        onAdded(message);
      },
      onRoomChanged: () => void rooms.refreshRoom(roomId),
      onMember: members.changed,
      onReplayed(first) {
        if (log.get().firstUnread === undefined || reader.hasReadUntil(first)) log.setFirstUnread(first.id);
      },
      onMissed: members.forget,
    });
    const count = () => {
      const { rooms: unread, readTo } = badge.get();
      reader.counted(unread.get(roomId) ?? 0, readTo.get(roomId));
    };
    count();
    const stopCounting = badge.subscribe(count);
    openLog.current = log;
    openLog.roomId = roomId;
    setOpened({ log, reader, members });
    return () => {
      log.close();
      stopCounting();
      reader.stop();
      members.stop();
      if (openLog.current === log) openLog.current = undefined;
    };
  }, [api, roomId, viewer, rooms, badge, openLog, onAdded]);
  return opened;
}
