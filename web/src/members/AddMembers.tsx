import { useMemo } from 'react';
import { asApiError, type FailureCode } from '../api/errors.ts';
import { AddMemberDocument, type RoomPartsFragment } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import type { Person } from '../timeline/message.ts';
import { useRoom } from '../timeline/RoomContext.ts';
import { useToast } from '../ui/Toasts.tsx';
import { PickPeople } from './PickPeople.tsx';
import { useMembers } from './useMembers.ts';

export interface AddMembersProps {
  readonly room: Pick<RoomPartsFragment, 'id' | 'name'>;
  readonly onClose: () => void;
}

/** How many people can be added at once. Each takes one request. */
const MOST = 20;

/** The dialog in which owners and moderators add people to the open room. */
export default function AddMembers({ room, onClose }: AddMembersProps) {
  const { t, problem } = useI18n();
  const { api, rooms } = useSession();
  const { members: known } = useRoom();
  const { members } = useMembers();
  const toast = useToast();
  const without = useMemo(() => new Set(members.keys()), [members]);

  /** Adds people one after the other. If one is refused, the others are still added, and a retry skips those. */
  async function add(people: readonly Person[]): Promise<string | undefined> {
    const refused: string[] = [];
    for (const { id: userId, displayName: name } of people) {
      try {
        const { addMember } = await api.mutate(AddMemberDocument, { input: { roomId: room.id, userId } });
        known.changed({ user: { id: userId }, membership: addMember.membership });
      } catch (thrown) {
        const error = asApiError(thrown);
        if (error.code !== 'ALREADY_MEMBER') {
          const why = WHY[error.code];
          refused.push(t('members.notAdded', { name, why: why === undefined ? problem(error) : t(why) }));
        }
      }
    }
    void rooms.refreshRoom(room.id);
    if (refused.length > 0) return refused.join(' ');
    toast(t('members.added', { count: people.length, name: people[0]?.displayName ?? '' }));
    return undefined;
  }

  return (
    <PickPeople
      title={t('members.addTo', { name: room.name })}
      hint={t('members.addHint')}
      action={t('members.add')}
      most={MOST}
      without={without}
      onDone={add}
      onClose={onClose}
    />
  );
}

const WHY: Readonly<Partial<Record<FailureCode, 'members.whyFull' | 'members.whyForbidden'>>> = {
  ROOM_FULL: 'members.whyFull',
  FORBIDDEN: 'members.whyForbidden',
};
