import { Menu } from '@base-ui/react/menu';
import { BellOff, BellRing, CheckCheck, Ellipsis, Link2, LogOut } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../api/errors.ts';
import { LeaveRoomDocument, MuteRoomDocument, type RoomQuery } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { roomPath } from '../shell/paths.ts';
import { useRoom } from '../timeline/RoomContext.ts';
import { Confirm } from '../ui/Confirm.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { useAttempt, useToast } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';

export interface RoomMenuProps {
  readonly room: NonNullable<RoomQuery['room']>;
}

/** What one can do with a room. */
export default function RoomMenu({ room }: RoomMenuProps) {
  const { t } = useI18n();
  const { api, rooms } = useSession();
  const { reader } = useRoom();
  const [, navigate] = useLocation();
  const [isAsking, setIsAsking] = useState(false);
  const attempt = useAttempt();
  const toast = useToast();
  const { id, name } = room;
  const isMuted = room.viewerMembership?.muted ?? false;

  const mute = () => api.tell(MuteRoomDocument, { input: { roomId: id, muted: !isMuted } });
  const copy = async () => {
    await navigator.clipboard.writeText(`${location.origin}${roomPath(id)}`);
    toast(t('room.copied'));
  };
  const leave = async () => {
    try {
      await api.tell(LeaveRoomDocument, { input: { roomId: id } });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'CONFLICT') throw error;
      return toast(t('room.leaveLast'));
    }
    navigate('/');
    await rooms.refresh();
  };

  return (
    <>
      <Menu.Root>
        <Menu.Trigger render={<IconButton label={t('room.menu', { name })} />}>
          <Ellipsis />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner side="bottom" align="end" sideOffset={4}>
            <Menu.Popup className={ui.popup}>
              <Menu.Item className={ui.item} onClick={() => void attempt(reader.markAllRead)}>
                <CheckCheck aria-hidden="true" /> {t('room.markRead')}
              </Menu.Item>
              <Menu.Item className={ui.item} onClick={() => void attempt(mute)}>
                {isMuted ? <BellRing aria-hidden="true" /> : <BellOff aria-hidden="true" />}
                {t(isMuted ? 'room.unmute' : 'room.mute')}
              </Menu.Item>
              <Menu.Item className={ui.item} onClick={() => void attempt(copy)}>
                <Link2 aria-hidden="true" /> {t('room.copyLink')}
              </Menu.Item>
              <Menu.Separator className={ui.separator} />
              <Menu.Item className={`${ui.item} ${ui.itemDanger}`} onClick={() => setIsAsking(true)}>
                <LogOut aria-hidden="true" /> {t('room.leave')}
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      <Confirm
        title={t('room.leaveSure', { name })}
        hint={t('room.leaveHint')}
        action={t('room.leave')}
        open={isAsking}
        onConfirm={() => void attempt(leave)}
        onClose={() => setIsAsking(false)}
      />
    </>
  );
}
