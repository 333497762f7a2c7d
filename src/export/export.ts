import { toTimestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { isId, keys } from '../dynamo/keys.ts';
import { idOf } from '../graphql/ids.ts';
import { counterOf, type Room, roomOf } from '../rooms/room.ts';
import { type Entry, entriesOf } from './entries.ts';
import { linesOf } from './lines.ts';

export interface ExportOptions {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. Leaves out what is created later. */
  readonly now: number;
  /** Called at the start of each thread. */
  readonly onThread?: () => void;
}

export interface RoomExport {
  readonly room: Room;
  /** The approximate number of threads. */
  readonly threads: number;
  /** The text in pieces of some kilobytes, in the format of `linesOf`. Can be read once; pieces are made on demand. */
  text(): AsyncGenerator<string, void>;
}

/** The least number of characters in a piece, apart from the last one. */
const PIECE = 16_384;

/** Accepts a room id of the API or of the table. Null if the text is neither. */
export function roomIdIn(text: string): string | null {
  const id = idOf('Room', text) ?? text;
  return isId(id) ? id : null;
}

/** A whole room as text, for operators: it checks no one's rights. Null if the room does not exist. */
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

  return { room, threads: counterOf(counter).lastPosition, text };
}
