import { useState } from 'react';
import { ApiError } from '../api/errors.ts';
import { JoinRoomDocument, LeaveRoomDocument, type RoomPartsFragment } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { useAttempt, useToast } from '../ui/Toasts.tsx';
import { useRoomTexts } from './texts.ts';

export interface Seat {
  /** An attempt to join was refused because the viewer is banned. */
  readonly isBanned: boolean;
  /** Joins the room. Resolves with false if there was no seat. */
  join(): Promise<boolean>;
  /** Joins the waitlist. Resolves with true if a seat had become free meanwhile. */
  joinWaitlist(): Promise<boolean>;
  /** Leaves the waitlist. */
  leaveWaitlist(): Promise<void>;
}

/** Joins a public room, or its waitlist. */
export function useSeat({ id, name }: Pick<RoomPartsFragment, 'id' | 'name'>): Seat {
  const { t } = useI18n();
  const texts = useRoomTexts();
  const { api, rooms } = useSession();
  const attempt = useAttempt();
  const toast = useToast();
  const [isBanned, setIsBanned] = useState(false);
  const words = { ROOM_FULL: t('seat.justTaken') };

  async function enter(waitlist: boolean): Promise<boolean> {
    let isIn = false;
    const ok = await attempt(async () => {
      try {
        const { joinRoom } = await rooms.changeMembership(
          () => api.mutate(JoinRoomDocument, { input: { roomId: id, waitlist } }),
          () => id,
        );
        isIn = joinRoom.membership !== null;
        rooms.setWaiting({ id, name }, !isIn);
        if (!isIn) void rooms.refreshWaitlists();
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.code === 'FORBIDDEN') return setIsBanned(true);
        if (error.code !== 'ALREADY_MEMBER') throw error;
        await rooms.refresh();
        isIn = true;
      }
    }, words);
    // The room is full: what was shown is out of date.
    if (!ok) await rooms.refreshRoom(id);
    return isIn;
  }

  return {
    isBanned,
    join: () => enter(false),
    joinWaitlist: () => enter(true),
    async leaveWaitlist() {
      // Before the answer: afterwards, the lost place would look like another user's doing.
      rooms.setWaiting({ id, name }, false);
      const ok = await attempt(() => api.mutate(LeaveRoomDocument, { input: { roomId: id } }), {
        // The viewer left it on another device, or is banned.
        FORBIDDEN: texts.lostPlace(name),
      });
      if (ok) {
        // A list that was read meanwhile may still have had the room.
        rooms.setWaiting({ id, name }, false);
        toast(t('seat.leftWaitlist', { name }));
        void rooms.refreshWaitlists();
      } else {
        rooms.setWaiting({ id, name }, true);
        await rooms.refreshRoom(id);
      }
    },
  };
}
