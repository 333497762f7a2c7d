import type { Api } from '../api/api.ts';
import { type ApiError, isTemporary } from '../api/errors.ts';
import { withRetry } from '../api/retry.ts';
import { KeptCursorsDocument, KeptRoomDocument } from '../generated/graphql.ts';
import { type KeptRoom, type KeptRooms, MESSAGES_MAX } from './keptRooms.ts';

type Query = Pick<Api, 'queryUncached' | 'connection'>;

/**
 * Reads the kept rooms again in which something has happened, so that deleted messages and old versions do not stay in
 * this browser. One request for all rooms, and one for each of those, one after the other. Ends when the signal is
 * aborted.
 */
export async function refresh(api: Query, kept: KeptRooms, signal: AbortSignal): Promise<void> {
  const rooms = await kept.rooms();
  if (rooms.length === 0) return;
  const { backoff } = api.connection;
  const ids = rooms.map(({ room }) => room.id);
  const found = await withRetry(backoff, () => api.queryUncached(KeptCursorsDocument, { ids }), { signal });
  if (found === undefined) return;
  const cursors = new Map<string, string | null>();
  for (const node of found.nodes) if (node?.__typename === 'Room') cursors.set(node.id, node.eventsCursor);
  for (const before of rooms) {
    const cursor = cursors.get(before.room.id) ?? undefined;
    if (cursor !== undefined && cursor === before.cursor) continue;
    const reread = cursor === undefined ? undefined : () => read(api, before);
    let now: KeptRoom | undefined;
    try {
      now = reread && (await withRetry(backoff, reread, { signal, isRetryable }));
    } catch {
      // The next page that is opened reads it.
      continue;
    }
    if (signal.aborted) return;
    // If the room was opened in the meantime, the page has newer messages than this answer.
    await kept.change(before.room.id, (current) => (current?.at === before.at ? now : current));
  }
}

/** A room with a fault in it must not keep those after it from being read. */
const isRetryable = (error: ApiError): boolean => error.code !== 'INTERNAL' && isTemporary(error);

/** Undefined if the viewer is not in the room any more. */
async function read(api: Query, { room: { id }, openedAt }: KeptRoom): Promise<KeptRoom | undefined> {
  const { room } = await api.queryUncached(KeptRoomDocument, { id, last: MESSAGES_MAX });
  if (room === null || room.eventsCursor === null) return undefined;
  const { name, people, eventsCursor: cursor, messages } = room;
  return {
    room: { id, name, people },
    at: Date.now(),
    openedAt,
    cursor,
    messages: messages.edges.map(({ node }) => node),
  };
}
