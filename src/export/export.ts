import { defined } from '../core/defined.ts';
import { type Timestamp, toTimestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { createItemLoader } from '../dynamo/itemLoader.ts';
import { isId, type KeyRange, keyOf, keys, parseKey, ranges } from '../dynamo/keys.ts';
import { idOf } from '../graphql/ids.ts';
import { counterOf, memberOf, type Room, roomOf, seatsOf } from '../rooms/room.ts';
import { type Entry, entriesOf, userOrPlaceholder } from './entries.ts';
import { linesOf, type PersonEntry } from './lines.ts';

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
/** Members in one query. */
const PAGE = 500;

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
  const [item, counter, seats] = await dynamo.batchGet([keys.room(id), keys.counter(id), keys.seats(id)]);
  if (item === undefined || counter === undefined) return null;
  const room = roomOf(id, item);
  const capacity = seats === undefined ? null : seatsOf(seats).capacity;
  const until = toTimestamp(now * 1000);

  async function* counted(entries: AsyncIterable<Entry>): AsyncGenerator<Entry, void> {
    for await (const entry of entries) {
      if (entry.type === 'root') onThread?.();
      yield entry;
    }
  }

  async function* text(): AsyncGenerator<string, void> {
    let piece = '';
    const lines = linesOf({
      room,
      until,
      capacity,
      people: peopleOf(dynamo, id),
      entries: counted(entriesOf({ dynamo, room: id, until })),
    });
    for await (const part of lines) {
      piece += part;
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
    yield piece;
  }

  return { room, threads: counterOf(counter).lastPosition, text };
}

/** The room's members, then those who are banned. */
async function* peopleOf(dynamo: Dynamo, room: string): AsyncGenerator<PersonEntry, void> {
  for (const range of [ranges.members(room), ranges.bans(room)]) yield* peopleIn(dynamo, range);
}

async function* peopleIn(dynamo: Dynamo, range: KeyRange): AsyncGenerator<PersonEntry, void> {
  let after: string | undefined;
  for (let more = true; more; ) {
    const page = await dynamo.query(range, defined({ limit: PAGE, after }));
    after = page.items.at(-1)?.sk as string | undefined;
    more = page.more && after !== undefined;
    const items = createItemLoader(dynamo);
    const found = page.items.map(async (item): Promise<PersonEntry[]> => {
      const key = parseKey(keyOf(item));
      if (key.type === 'member') {
        const user = await userOrPlaceholder(key.user, items);
        return [{ type: 'member', member: memberOf(key.room, key.user, item), user }];
      }
      if (key.type !== 'ban') return [];
      const [user, by] = await Promise.all([
        userOrPlaceholder(key.user, items),
        userOrPlaceholder(item.by as string, items),
      ]);
      return [{ type: 'ban', at: item.at as Timestamp, user, by }];
    });
    yield* (await Promise.all(found)).flat();
  }
}
