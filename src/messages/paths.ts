/** The paths of the web client, as other programs link to them. */
import { encodeId } from '../graphql/ids.ts';
import { isRoot, type MessageKey, messageId } from './message.ts';

export const roomPath = (room: string): string => `/rooms/${encodeId('Room', room)}`;

/** Opens the room at the root; for a reply, its thread. */
export function messagePath(message: MessageKey): string {
  const { room, threadTs } = message;
  const root = encodeId('Message', messageId({ room, threadTs, ts: threadTs }));
  return `${roomPath(room)}/${isRoot(message) ? 'messages' : 'threads'}/${root}`;
}
