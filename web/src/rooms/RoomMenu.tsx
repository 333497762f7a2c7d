import { Menu } from '@base-ui/react/menu';
import {
  Bell,
  BellOff,
  BellRing,
  CalendarDays,
  CheckCheck,
  Ellipsis,
  Link2,
  LogOut,
  Settings,
  Ticket,
  Trash2,
  UserPlus,
} from 'lucide-react';
import { Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../api/errors.ts';
import { useDateTexts } from '../dates/texts.ts';
import { LeaveRoomDocument, MuteRoomDocument } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import type { MembersState } from '../members/members.ts';
import { permissionsOf } from '../members/permissions.ts';
import { useSession } from '../session/session.ts';
import { roomPath } from '../shell/paths.ts';
import { useStore } from '../state/store.ts';
import { useRoom } from '../timeline/RoomContext.ts';
import { Confirm } from '../ui/Confirm.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Layer } from '../ui/Layer.tsx';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import { useAttempt, useToast } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import { useCopy } from '../ui/useCopy.ts';
import { ArrangeItems } from './ArrangeItems.tsx';
import { useTitle } from './title.ts';
import type { MemberRoom } from './useCachedRoom.ts';

export interface RoomMenuProps {
  readonly room: MemberRoom;
  readonly onShowMembers: () => void;
}

const AddMembers = lazyWithRetry(() => import('../members/AddMembers.tsx'));
const Invites = lazyWithRetry(() => import('../invites/Invites.tsx'));
const RoomNotifications = lazyWithRetry(() => import('../delivery/RoomNotifications.tsx'));
const DeleteRoom = lazyWithRetry(() => import('./DeleteRoom.tsx'));
const MoveRoom = lazyWithRetry(() => import('./MoveRoom.tsx'));
const JumpToDate = lazyWithRetry(() => import('../dates/JumpToDate.tsx'));
const RoomSettings = lazyWithRetry(() => import('./RoomSettings.tsx'));

/** The actions on a room. */
export default function RoomMenu({ room, onShowMembers }: RoomMenuProps) {
  const { t } = useI18n();
  const { menu: jumpToDate } = useDateTexts();
  const { api, rooms } = useSession();
  const { readTracker, members } = useRoom();
  const [, navigate] = useLocation();
  const [open, setOpen] = useState<
    'notifications' | 'add' | 'invites' | 'settings' | 'leave' | 'lastOwner' | 'delete' | 'move' | 'date'
  >();
  const close = () => setOpen(undefined);
  const attempt = useAttempt();
  const toast = useToast();
  const copy = useCopy();
  const { id, visibility } = room;
  const name = useTitle()(room);
  const permissions = permissionsOf(visibility, room.viewerMembership?.role);
  const isDirect = visibility === 'DIRECT';
  const isMuted = room.viewerMembership?.muted ?? false;

  /** Known for a room of up to 100 members. In a larger one, the server refuses it. */
  const isLastOwner = useStore(members, hasOneOwner) && room.viewerMembership?.role === 'OWNER';
  const mute = () => api.mutate(MuteRoomDocument, { input: { roomId: id, muted: !isMuted } });
  const copyLink = () =>
    void copy(`${location.origin}${roomPath(id)}`, t('room.copied'), t('app.copyRefused'));
  const leave = async () => {
    try {
      await rooms.changeMembership(
        () => api.mutate(LeaveRoomDocument, { input: { roomId: id } }),
        () => id,
      );
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'LAST_OWNER') throw error;
      return setOpen('lastOwner');
    }
    navigate('/');
    toast(t('room.left', { name }));
  };

  return (
    <>
      <Menu.Root onOpenChange={(isOpen) => isOpen && members.open()}>
        <Menu.Trigger render={<IconButton label={t('room.menu', { name })} />}>
          <Ellipsis />
        </Menu.Trigger>
        <Layer of={Menu.Portal}>
          <Menu.Positioner side="bottom" align="end" sideOffset={4}>
            <Menu.Popup className={ui.popup}>
              <Menu.Item className={ui.item} onClick={() => void attempt(readTracker.markAllRead)}>
                <CheckCheck aria-hidden="true" /> {t('room.markRead')}
              </Menu.Item>
              <Menu.Item className={ui.item} onClick={() => void attempt(mute)}>
                {isMuted ? <BellRing aria-hidden="true" /> : <BellOff aria-hidden="true" />}
                {t(isMuted ? 'room.unmute' : 'room.mute')}
              </Menu.Item>
              <Menu.Item className={ui.item} onClick={() => setOpen('notifications')}>
                <Bell aria-hidden="true" /> {t('notifications.title')}
              </Menu.Item>
              <Menu.Item className={ui.item} onClick={() => setOpen('date')}>
                <CalendarDays aria-hidden="true" /> {jumpToDate}
              </Menu.Item>
              <ArrangeItems room={room} onMove={() => setOpen('move')} />
              <Menu.Item className={ui.item} onClick={copyLink}>
                <Link2 aria-hidden="true" /> {t('room.copyLink')}
              </Menu.Item>
              {permissions.canInvite && (
                <>
                  <Menu.Separator className={ui.separator} />
                  <Menu.Item className={ui.item} onClick={() => setOpen('add')}>
                    <UserPlus aria-hidden="true" /> {t('members.addPeople')}
                  </Menu.Item>
                  <Menu.Item className={ui.item} onClick={() => setOpen('invites')}>
                    <Ticket aria-hidden="true" /> {t('invites.menu')}
                  </Menu.Item>
                </>
              )}
              {permissions.canRename && (
                <Menu.Item className={ui.item} onClick={() => setOpen('settings')}>
                  <Settings aria-hidden="true" /> {t('settings.title')}
                </Menu.Item>
              )}
              <Menu.Separator className={ui.separator} />
              <Menu.Item className={`${ui.item} ${ui.itemDanger}`} onClick={() => setOpen('leave')}>
                <LogOut aria-hidden="true" /> {t(isDirect ? 'direct.leave' : 'room.leave')}
              </Menu.Item>
              {permissions.canDelete && (
                <Menu.Item className={`${ui.item} ${ui.itemDanger}`} onClick={() => setOpen('delete')}>
                  <Trash2 aria-hidden="true" /> {t('room.delete')}
                </Menu.Item>
              )}
            </Menu.Popup>
          </Menu.Positioner>
        </Layer>
      </Menu.Root>
      <Confirm
        title={t(isDirect ? 'direct.leaveConfirm' : 'room.leaveConfirm', { name })}
        hint={t(LEAVE_HINTS[visibility])}
        action={t(isDirect ? 'direct.leave' : 'room.leave')}
        open={open === 'leave' && !isLastOwner}
        onConfirm={() => void attempt(leave)}
        onClose={close}
      />
      <Confirm
        title={t('room.lastOwner', { name })}
        hint={t('room.leaveLast')}
        action={t('room.chooseOwner')}
        kind="next"
        open={open === 'lastOwner' || (open === 'leave' && isLastOwner)}
        onConfirm={onShowMembers}
        onClose={close}
      />
      <Suspense>
        {open === 'notifications' && <RoomNotifications roomId={id} onClose={close} />}
        {open === 'add' && <AddMembers room={room} onClose={close} />}
        {open === 'invites' && <Invites room={room} onClose={close} />}
        {open === 'date' && <JumpToDate onClose={close} />}
        {open === 'move' && <MoveRoom room={room} onClose={close} />}
        {open === 'delete' && <DeleteRoom id={id} name={name} onClose={close} />}
        {open === 'settings' && <RoomSettings room={room} permissions={permissions} onClose={close} />}
      </Suspense>
    </>
  );
}

const hasOneOwner = ({ status, hasMore, members }: MembersState): boolean => {
  const owners = [...members.values()].filter(({ role }) => role === 'OWNER');
  return status === 'ready' && !hasMore && owners.length === 1 && members.size > 1;
};

const LEAVE_HINTS = {
  PUBLIC: 'room.leaveHint',
  PRIVATE: 'room.leaveHintPrivate',
  DIRECT: 'direct.leaveHint',
} as const;
