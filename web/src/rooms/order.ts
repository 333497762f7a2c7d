import { useEffect, useMemo, useRef } from 'react';
import { useLocation } from 'wouter';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { roomPath } from '../shell/paths.ts';
import { useStore } from '../state/store.ts';
import type { BadgeState } from '../unread/badge.ts';
import type { OwnRoom } from './list.ts';
import { type Section, sectionsOf } from './sections.ts';
import { useTitle } from './title.ts';
import { useOwnRooms } from './useOwnRooms.ts';

const unreadOf = ({ rooms }: BadgeState) => rooms;

/**
 * The viewer's rooms in the sections of the list. In each, unread rooms are first, then all are by name. The open room
 * keeps its place while it is read.
 */
export function useSections(): readonly Section[] {
  const rooms = useOwnRooms();
  const { language } = useI18n();
  const titleOf = useTitle();
  const unread = useStore(useSession().badge, unreadOf);
  const [path] = useLocation();
  const open = rooms?.find(({ room }) => path.startsWith(roomPath(room.id)))?.room.id;
  /** The open room, and whether it was unread when it was opened. */
  const opened = useRef<{ readonly id: string | undefined; readonly wasUnread: boolean }>({
    id: undefined,
    wasUnread: false,
  });
  const before = opened.current;
  const now = before.id === open ? before : { id: open, wasUnread: open !== undefined && unread.has(open) };
  useEffect(() => {
    opened.current = now;
  }, [now]);
  const { wasUnread } = now;
  return useMemo(() => {
    const collator = new Intl.Collator(language, { numeric: true });
    return sectionsOf(rooms ?? [], {
      isFirst: ({ room: { id }, muted }) => (id === open ? wasUnread : unread.has(id)) && muted !== true,
      compare: (one, other) => collator.compare(titleOf(one.room), titleOf(other.room)),
      compareNames: collator.compare,
    });
  }, [rooms, language, titleOf, unread, open, wasUnread]);
}

/** The viewer's rooms in the order of the list. */
export function useRoomsInOrder(): readonly OwnRoom[] {
  const sections = useSections();
  return useMemo(() => sections.flatMap(({ rooms }) => rooms), [sections]);
}
