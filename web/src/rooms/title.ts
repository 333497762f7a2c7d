import { useCallback } from 'react';
import type { RoomPartsFragment } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { nameOf } from '../members/name.ts';
import { useSession } from '../session/session.ts';

export type Titled = Pick<RoomPartsFragment, 'name' | 'people'>;

/** The other people in a direct room, or the viewer if they are alone. Null for other rooms. */
export function othersIn({ people }: Pick<Titled, 'people'>, viewerId: string) {
  if (people === null) return null;
  const others = people
    .filter(({ id }) => id !== viewerId)
    .sort((one, other) => one.displayName.localeCompare(other.displayName));
  return others.length === 0 ? people : others;
}

/** Returns the title of a room for the viewer: of a direct room, the names of the others. */
export function useTitle(): (room: Titled) => string {
  const { language, t } = useI18n();
  const { viewer } = useSession();
  return useCallback(
    (room) => {
      const others = othersIn(room, viewer.id);
      if (others === null) return room.name;
      if (others[0]?.id === viewer.id) return t('direct.self', { name: viewer.displayName });
      const names = others.map((one) => nameOf(t, one));
      return new Intl.ListFormat(language, { style: 'narrow' }).format(names);
    },
    [viewer, language, t],
  );
}
