import { toDate } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { createItemLoader, type ItemLoader } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';
import { encodeId } from '../graphql/ids.ts';
import { bodyOf } from '../messages/longBodies/body.ts';
import { messageId } from '../messages/message.ts';
import { nameOf } from '../rooms/direct/direct.ts';
import { type Room, roomOf } from '../rooms/room.ts';
import { savedCountsOf } from '../saved/counts.ts';
import { type SavedEntry, savedId } from '../saved/entry.ts';
import { listSaved } from '../saved/pages.ts';
import type { SavedQuery } from '../saved/rows.ts';
import { loadNames, loadVisible } from '../saved/shown.ts';
import { userOrPlaceholder } from './entries.ts';
import { SAVED_FORMATS, type SavedFormat, type SavedRecord } from './savedFormats.ts';

export interface SavedExportOptions {
  readonly dynamo: Dynamo;
  readonly format: SavedFormat;
  /** Of the web client, for the links. */
  readonly origin: string;
  /** Called after each page with its length. */
  readonly onSaved?: (count: number) => void;
  /** Saved messages in one query, and so in memory. Default: 100. */
  readonly pageSize?: number;
}

export interface SavedExport {
  /** How many messages the user has saved now. */
  readonly total: number;
  /** The text, a page of the list at a time. Can be read once; pieces are made on demand. */
  text(): AsyncGenerator<string, void>;
}

/**
 * What a user has saved, newest first: as they see it themselves, so without messages that they may not see any more.
 * What is saved meanwhile is not in it, and a saved message whose visibility changes at that moment may be missing.
 * Null if there is no such user.
 */
export async function exportSaved(user: string, options: SavedExportOptions): Promise<SavedExport | null> {
  const { dynamo, onSaved, pageSize = 100 } = options;
  const format = SAVED_FORMATS[options.format];
  const [profile, counts] = await dynamo.batchGet([keys.user(user), keys.savedCounts(user)]);
  if (profile === undefined) return null;
  const { public: visible, private: hidden } = savedCountsOf(counts);

  async function* text(): AsyncGenerator<string, void> {
    yield format.begin;
    for await (const page of pagesOf(dynamo, user, pageSize)) {
      yield page.map((saved) => format.line(saved, options.origin)).join('');
      onSaved?.(page.length);
    }
    yield format.end;
  }

  return { total: visible + hidden, text };
}

async function* pagesOf(
  dynamo: Dynamo,
  user: string,
  limit: number,
): AsyncGenerator<readonly SavedRecord[], void> {
  const query: SavedQuery = {
    user,
    visibility: undefined,
    lists: ['ALL'],
    by: 'saved',
    newestFirst: true,
    start: undefined,
  };
  let from: string | undefined;
  for (let more = true; more; ) {
    const items = createItemLoader(dynamo);
    const page = await listSaved(dynamo, query, { limit, direction: 'forward', from }, items);
    yield await Promise.all(page.nodes.map((entry) => recordOf(entry, items)));
    from = page.end;
    more = page.more && from !== undefined;
  }
}

async function recordOf(entry: SavedEntry, items: ItemLoader): Promise<SavedRecord> {
  const { visibility, note, remindAt } = entry;
  const [tags, message] = await Promise.all([loadNames(entry, items), messageOfEntry(entry, items)]);
  return {
    id: encodeId('SavedMessage', savedId(entry)),
    savedAt: toDate(entry.savedAt).toISOString(),
    visibility,
    note,
    tags,
    remindAt: remindAt === null ? null : new Date(remindAt).toISOString(),
    message,
  };
}

async function messageOfEntry(entry: SavedEntry, items: ItemLoader): Promise<SavedRecord['message']> {
  const message = await loadVisible(entry, entry.user, items);
  const room = await items.load(keys.room(entry.room));
  if (message === null || room === undefined) return null;
  const [body, author, name] = await Promise.all([
    bodyOf(message, items),
    userOrPlaceholder(message.author, items),
    roomName(roomOf(entry.room, room), items),
  ]);
  return {
    id: encodeId('Message', messageId(message)),
    createdAt: toDate(message.ts).toISOString(),
    body,
    author: { id: encodeId('User', author.id), handle: author.handle, displayName: author.displayName },
    room: { id: encodeId('Room', entry.room), name },
  };
}

/** As users see it: a direct room has the names of its participants. */
const roomName = async ({ name, people }: Room, items: ItemLoader): Promise<string> =>
  people === undefined ? name : nameOf(await Promise.all(people.map((id) => userOrPlaceholder(id, items))));
