import { useEffect, useMemo } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { useStore } from '../state/store.ts';
import { useRoom } from '../timeline/RoomContext.ts';
import type { Member, MembersState } from './members.ts';

/** The members of the open room, live: owners first, then moderators, then by name. */
export function useMembers(): MembersState & { readonly inOrder: readonly Member[] } {
  const { members } = useRoom();
  const { language } = useI18n();
  const state = useStore(members);
  useEffect(() => members.open(), [members]);
  const inOrder = useMemo(() => {
    const collator = new Intl.Collator(language, { numeric: true });
    return [...state.members.values()].sort(
      (one, other) =>
        RANK[one.role] - RANK[other.role] || collator.compare(one.user.displayName, other.user.displayName),
    );
  }, [state.members, language]);
  return { ...state, inOrder };
}

const RANK = { OWNER: 0, MODERATOR: 1, MEMBER: 2 } as const;
