import { useFoundMembers } from '../members/useFoundMembers.ts';
import { eachOnce } from '../members/useKnownUsers.ts';
import { useStore } from '../state/store.ts';
import { useRoom } from '../timeline/RoomContext.ts';
import { folded } from '../ui/folded.ts';
import { beginning } from '../ui/fuzzy.ts';
import { type Option, SHOWN } from './option.ts';

/**
 * The members of the open room whose handle or name, or a word of it, begins with the text, in any kana. Of a room with
 * more members than are known here, the server finds others by the beginning of their handle.
 */
export function useFoundPeople(typed: string | undefined, viewerId: string): readonly Option[] {
  const known = useStore(useRoom().members);
  const found = useFoundMembers(known.hasMore && typed !== undefined ? folded(typed) : undefined);
  if (typed === undefined) return [];
  const people = eachOnce([...[...known.members.values()].map(({ user }) => user), ...found]);
  const mentionable = people.flatMap((person) =>
    person.handle === null || person.id === viewerId
      ? []
      : [{ names: [person.handle, person.displayName], value: person }],
  );
  return beginning(mentionable, typed)
    .slice(0, SHOWN)
    .map((person) => ({
      key: person.id,
      face: person,
      name: person.displayName,
      insert: `@${person.handle}`,
      hint: `@${person.handle}`,
    }));
}
