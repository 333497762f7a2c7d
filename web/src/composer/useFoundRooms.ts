import { useRoomsInOrder } from '../rooms/order.ts';
import { roomPath } from '../shell/paths.ts';
import { type Option, SHOWN } from './option.ts';

/** The viewer's rooms whose name, or a word of it, begins with the text. They are written as links. */
export function useFoundRooms(typed: string | undefined): readonly Option[] {
  const rooms = useRoomsInOrder();
  if (typed === undefined) return [];
  return rooms
    .filter(({ room: { visibility, name } }) => {
      const folded = name.toLowerCase();
      const words = [folded, ...folded.split(/\s+/)];
      return visibility !== 'DIRECT' && words.some((word) => word.startsWith(typed));
    })
    .slice(0, SHOWN)
    .map(({ room: { id, name } }) => ({
      key: id,
      face: '#',
      name,
      insert: `[#${name.replace(/[\\[\]]/g, '\\$&')}](${location.origin}${roomPath(id)})`,
    }));
}
