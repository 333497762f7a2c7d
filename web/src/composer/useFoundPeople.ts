import { useFoundMembers } from '../members/useFoundMembers.ts';
import { eachOnce } from '../members/useKnownUsers.ts';
import { useStore } from '../state/store.ts';
import { useRoom } from '../timeline/RoomContext.ts';
import { type Option, SHOWN } from './option.ts';

/**
 * The members of the open room whose handle or name begins with the text. Of a room with more members than are known
 * here, the server finds others by the beginning of their handle.
 */
export function useFoundPeople(typed: string | undefined, viewerId: string): readonly Option[] {
  const known = useStore(useRoom().members);
  const found = useFoundMembers(known.hasMore ? typed : undefined);
  if (typed === undefined) return [];
  return eachOnce([...[...known.members.values()].map(({ user }) => user), ...found])
    .filter(({ id, handle, displayName }) => {
      if (handle === null || id === viewerId) return false;
      const words = displayName.toLowerCase().split(/\s+/);
      return handle.startsWith(typed) || words.some((word) => word.startsWith(typed));
    })
    .slice(0, SHOWN)
    .map((person) => ({
      key: person.id,
      face: person,
      name: person.displayName,
      insert: `@${person.handle}`,
      hint: `@${person.handle}`,
    }));
}
