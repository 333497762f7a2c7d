import { ApiError } from '../api/errors.ts';
import { JoinRoomDocument, LeaveRoomDocument, type RoomPartsFragment } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { useAttempt, useToast } from '../ui/Toasts.tsx';

export interface Seat {
  /** Takes a seat; true where there was one. */
  join(): Promise<boolean>;
  /** Stands in line for one; true where one had come free meanwhile. */
  wait(): Promise<boolean>;
  giveUp(): Promise<void>;
}

/** A seat in a public room that the viewer is not in. */
export function useSeat({ id, name }: Pick<RoomPartsFragment, 'id' | 'name'>): Seat {
  const { t } = useI18n();
  const { api, rooms } = useSession();
  const attempt = useAttempt();
  const toast = useToast();
  const words = {
    ROOM_FULL: t('seat.justFull'),
    FORBIDDEN: t('seat.banned', { name }),
    CONFLICT: t('seat.tooManyRooms'),
  };

  async function enter(waitlist: boolean): Promise<boolean> {
    let isIn = false;
    const ok = await attempt(async () => {
      try {
        const { joinRoom } = await rooms.deed(
          () => api.tell(JoinRoomDocument, { input: { roomId: id, waitlist } }),
          () => id,
        );
        isIn = joinRoom.membership !== null;
        rooms.waits(id, !isIn);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'ALREADY_MEMBER') throw error;
        await rooms.refresh();
        isIn = true;
      }
    }, words);
    // It is full, or somebody is banned: what is shown was old.
    if (!ok) await rooms.refreshRoom(id);
    return isIn;
  }

  return {
    join: () => enter(false),
    wait: () => enter(true),
    async giveUp() {
      const ok = await attempt(() => api.tell(LeaveRoomDocument, { input: { roomId: id } }));
      rooms.waits(id, false);
      if (ok) toast(t('seat.gaveUp', { name }));
      else await rooms.refreshRoom(id);
    },
  };
}
