import type { Api } from '../api/api.ts';
import { KeptCursorsDocument, KeptRoomDocument } from '../generated/graphql.ts';
import { type KeptRoom, type KeptRooms, MESSAGES_MAX } from './keptRooms.ts';

type Query = Pick<Api, 'queryUncached'>;

/**
 * Reads the kept rooms again in which something has happened, so that no message can be read here any more that was
 * deleted or edited. One request for all rooms, and one for each of those, one after the other.
 */
export async function refresh(api: Query, kept: KeptRooms): Promise<void> {
  const rooms = await kept.rooms();
  if (rooms.length === 0) return;
  const { nodes } = await api.queryUncached(KeptCursorsDocument, { ids: rooms.map(({ room }) => room.id) });
  const cursors = new Map<string, string | null>();
  for (const node of nodes) if (node?.__typename === 'Room') cursors.set(node.id, node.eventsCursor);
  for (const before of rooms) {
    const cursor = cursors.get(before.room.id) ?? undefined;
    if (cursor !== undefined && cursor === before.cursor) continue;
    const now = cursor === undefined ? undefined : await read(api, before);
    // If the room was opened in the meantime, the page has newer messages than this answer.
    await kept.change(before.room.id, (current) => (current?.at === before.at ? now : current));
  }
}

/** Undefined if the viewer is not in the room any more. */
async function read(api: Query, { room: { id }, openedAt }: KeptRoom): Promise<KeptRoom | undefined> {
  const { room } = await api.queryUncached(KeptRoomDocument, { id, last: MESSAGES_MAX });
  if (room === null || room.eventsCursor === null) return undefined;
  const { name, people, eventsCursor: cursor, messages } = room;
  return {
    ...{ room: { id, name, people }, at: Date.now(), openedAt, cursor },
    messages: messages.edges.map(({ node }) => node),
  };
}
