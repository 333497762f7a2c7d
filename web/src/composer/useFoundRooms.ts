import { useRoomsInOrder } from '../rooms/order.ts';
import { roomPath } from '../shell/paths.ts';
import { beginning } from '../ui/fuzzy.ts';
import { type Option, SHOWN } from './option.ts';

/** The viewer's rooms whose name, or a word of it, begins with the text, in any kana. They are written as links. */
export function useFoundRooms(typed: string | undefined): readonly Option[] {
  const rooms = useRoomsInOrder();
  if (typed === undefined) return [];
  return beginning(
    rooms
      .filter(({ room }) => room.visibility !== 'DIRECT')
      .map((value) => ({ names: [value.room.name], value })),
    typed,
  )
    .slice(0, SHOWN)
    .map(({ room: { id, name } }) => ({
      key: id,
      face: '#',
      name,
      insert: `[#${name.replace(/[\\[\]]/g, '\\$&')}](${location.origin}${roomPath(id)})`,
    }));
}
