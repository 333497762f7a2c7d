import {
  BanMemberDocument,
  BlockUserDocument,
  RemoveMemberDocument,
  type Role,
  type RoomPartsFragment,
  SetMemberRoleDocument,
} from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { useRoom } from '../timeline/RoomContext.ts';
import { useAttempt, useToast } from '../ui/Toasts.tsx';
import type { Member } from './members.ts';

export interface MemberActions {
  setRole(role: Role): Promise<void>;
  remove(): Promise<void>;
  ban(): Promise<void>;
  /** For every member: the viewer does not want to be added, mentioned or notified by this person. */
  block(): Promise<void>;
}

/**
 * What users can do to a member, most of it only as owner or moderator. The pane shows it at once. Other clients
 * receive the room's events.
 */
export function useMemberActions(
  { id: roomId, name: room }: Pick<RoomPartsFragment, 'id' | 'name'>,
  { user }: Member,
): MemberActions {
  const { t } = useI18n();
  const { api, rooms } = useSession();
  const { members } = useRoom();
  const attempt = useAttempt();
  const toast = useToast();
  const about = { roomId, userId: user.id };
  const names = { name: user.displayName, room };
  const gone = () => members.changed({ user, membership: null });
  // The member left, or their role or the viewer's has changed: what is shown is out of date.
  const resync = () => {
    members.resync();
    void rooms.refreshRoom(roomId);
  };

  return {
    async setRole(role) {
      const action = async () => {
        const { setMemberRole } = await api.mutate(SetMemberRoleDocument, { input: { ...about, role } });
        members.changed({ user, membership: setMemberRole.membership });
        void rooms.refreshRoom(roomId);
      };
      const words = {
        FORBIDDEN: t('members.notAllowed'),
        NOT_FOUND: t('members.leftAlready', names),
      };
      if (!(await attempt(action, words))) resync();
    },
    async remove() {
      const action = async () => {
        await api.mutate(RemoveMemberDocument, { input: about });
        gone();
        toast(t('members.removed', names));
      };
      const words = { FORBIDDEN: t('members.notAllowed'), NOT_FOUND: t('members.leftAlready', names) };
      if (!(await attempt(action, words))) resync();
    },
    async ban() {
      const action = async () => {
        await api.mutate(BanMemberDocument, { input: about });
        gone();
        toast(t('members.banned', names));
      };
      if (!(await attempt(action, { FORBIDDEN: t('members.notAllowed') }))) resync();
    },
    async block() {
      const action = async () => {
        await api.mutate(BlockUserDocument, { input: { userId: user.id } });
        toast(t('members.blocked', names));
      };
      await attempt(action, { CONFLICT: t('members.blockLimit') });
    },
  };
}
