import { toTimestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { isId, keys } from '../dynamo/keys.ts';
import { idOf } from '../graphql/ids.ts';
import { counterOf, type Room, roomOf } from '../rooms/room.ts';
import { type Entry, entriesOf } from './entries.ts';
import { linesOf } from './lines.ts';

export interface ExportOptions {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970: what is created later is left out. */
  readonly now: number;
  /** Told of every thread that is begun. */
  readonly onThread?: () => void;
}

export interface RoomExport {
  readonly room: Room;
  /** About how many threads there are. */
  readonly threads: number;
  /** Text in pieces of some kilobytes; see `linesOf` for what it looks like. Made as it is read, once. */
  text(): AsyncGenerator<string, void>;
}

/** Pieces are gathered to this many characters. */
const PIECE = 16_384;

/** A room's id as the API gives it, or as the table has it; null where it cannot be one. */
export function roomIdIn(text: string): string | null {
  const id = idOf('Room', text) ?? text;
  return isId(id) ? id : null;
}

/** A whole room as text: whoever may run it reads everything. Null where there is no such room. */
export async function exportRoom(
  id: string,
  { dynamo, now, onThread }: ExportOptions,
): Promise<RoomExport | null> {
  const [item, counter] = await dynamo.batchGet([keys.room(id), keys.counter(id)]);
  if (item === undefined || counter === undefined) return null;
  const room = roomOf(id, item);
  const until = toTimestamp(now * 1000);

  async function* counted(entries: AsyncIterable<Entry>): AsyncGenerator<Entry, void> {
    for await (const entry of entries) {
      if (entry.type === 'root') onThread?.();
      yield entry;
    }
  }

  async function* text(): AsyncGenerator<string, void> {
    let piece = '';
    for await (const part of linesOf(room, until, counted(entriesOf({ dynamo, room: id, until })))) {
      piece += part;
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
    yield piece;
  }

  return { room, threads: counterOf(counter).messageCount, text };
}
