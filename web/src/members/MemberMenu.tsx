import { Menu } from '@base-ui/react/menu';
import { Ban, Check, CircleSlash, Ellipsis, MessageCircle, NotebookPen, UserMinus } from 'lucide-react';
import { useState } from 'react';
import type { Role, RoomPartsFragment } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useDirect } from '../rooms/useDirect.ts';
import { useSession } from '../session/session.ts';
import { Confirm } from '../ui/Confirm.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Layer } from '../ui/Layer.tsx';
import { useAttempt } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import type { Member } from './members.ts';
import type { Permissions } from './permissions.ts';
import { useMemberActions } from './useMemberActions.ts';

export interface MemberMenuProps {
  readonly member: Member;
  readonly room: Readonly<RoomPartsFragment>;
  /** What the viewer may do in the room. */
  readonly permissions: Permissions;
}

const ROLES: readonly Role[] = ['OWNER', 'MODERATOR', 'MEMBER'];

/** The actions for a member: a direct message, blocking and, for owners and moderators, roles, removal and bans. */
export default function MemberMenu({ member, room, permissions }: MemberMenuProps) {
  const { t } = useI18n();
  const { viewer } = useSession();
  const openDirect = useDirect();
  const attempt = useAttempt();
  const actions = useMemberActions(room, member);
  const [asking, setAsking] = useState<'remove' | 'ban' | 'block'>();
  const { user, role } = member;
  const isViewer = user.id === viewer.id;
  const canRemove = !isViewer && permissions.canRemove(role);
  const names = { name: user.displayName, room: room.name };
  return (
    <>
      <Menu.Root>
        <Menu.Trigger render={<IconButton label={t('members.menu', names)} />}>
          <Ellipsis />
        </Menu.Trigger>
        <Layer of={Menu.Portal}>
          <Menu.Positioner side="bottom" align="end" sideOffset={4}>
            <Menu.Popup className={ui.popup}>
              <Menu.Item
                className={ui.item}
                onClick={() =>
                  void attempt(() => openDirect([user.id]), {
                    FORBIDDEN: t('direct.forbidden'),
                  })
                }
              >
                {isViewer ? <NotebookPen aria-hidden="true" /> : <MessageCircle aria-hidden="true" />}
                {t(isViewer ? 'direct.notes' : 'direct.message')}
              </Menu.Item>
              {!isViewer && (
                <Menu.Item className={ui.item} onClick={() => setAsking('block')}>
                  <CircleSlash aria-hidden="true" /> {t('members.block')}
                </Menu.Item>
              )}
              {permissions.canChangeRoles && (
                <>
                  <Menu.Separator className={ui.separator} />
                  <Menu.Group>
                    <Menu.GroupLabel className={ui.groupLabel}>{t('members.role')}</Menu.GroupLabel>
                    <Menu.RadioGroup value={role} onValueChange={(to: Role) => void actions.setRole(to)}>
                      {ROLES.map((one) => (
                        <Menu.RadioItem key={one} value={one} className={ui.item} closeOnClick>
                          <span className={ui.itemText}>
                            {t(`role.${one}`)}
                            <small>{t(`role.${one}.hint`)}</small>
                          </span>
                          <Menu.RadioItemIndicator className={ui.itemCheck}>
                            <Check aria-hidden="true" />
                          </Menu.RadioItemIndicator>
                        </Menu.RadioItem>
                      ))}
                    </Menu.RadioGroup>
                  </Menu.Group>
                </>
              )}
              {canRemove && (
                <>
                  <Menu.Separator className={ui.separator} />
                  <Menu.Item className={`${ui.item} ${ui.itemDanger}`} onClick={() => setAsking('remove')}>
                    <UserMinus aria-hidden="true" /> {t('members.remove')}
                  </Menu.Item>
                  <Menu.Item className={`${ui.item} ${ui.itemDanger}`} onClick={() => setAsking('ban')}>
                    <Ban aria-hidden="true" /> {t('members.ban')}
                  </Menu.Item>
                </>
              )}
            </Menu.Popup>
          </Menu.Positioner>
        </Layer>
      </Menu.Root>
      <Confirm
        title={t('members.removeConfirm', names)}
        hint={t('members.removeHint')}
        action={t('members.remove')}
        open={asking === 'remove'}
        onConfirm={() => void actions.remove()}
        onClose={() => setAsking(undefined)}
      />
      <Confirm
        title={t('members.blockConfirm', names)}
        hint={t('members.blockHint')}
        action={t('members.block')}
        open={asking === 'block'}
        onConfirm={() => void actions.block()}
        onClose={() => setAsking(undefined)}
      />
      <Confirm
        title={t('members.banConfirm', names)}
        hint={t('members.banHint')}
        action={t('members.ban')}
        open={asking === 'ban'}
        onConfirm={() => void actions.ban()}
        onClose={() => setAsking(undefined)}
      />
    </>
  );
}
