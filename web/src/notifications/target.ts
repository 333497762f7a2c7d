import { messagePath, roomPath, threadPath } from '../shell/paths.ts';
import type { Notification } from './listing.ts';

/** The message or room that a notification links to. */
export interface Target {
  readonly roomId: string;
  readonly path: string;
  /** Undefined if the link opens the room. */
  readonly root: string | undefined;
  /** Whether the link opens the root's thread, at `reply` if there is one. */
  readonly inThread: boolean;
  readonly reply: string | undefined;
}

/**
 * A reply notification links to its latest reply, one about a room to the room. Undefined if the viewer is not in the
 * room any more.
 */
export function targetOf({ kind, room, message, latestReply }: Notification): Target | undefined {
  if (room === null) return undefined;
  const { id: roomId } = room;
  if (message === null) {
    return { roomId, path: roomPath(roomId), root: undefined, inThread: false, reply: undefined };
  }
  const { id } = message;
  if (kind === 'REPLY') {
    const path = latestReply === null ? threadPath(roomId, id) : messagePath(roomId, latestReply.id);
    return { roomId, path, root: id, inThread: true, reply: latestReply?.id };
  }
  return {
    roomId,
    path: messagePath(roomId, id),
    root: message.root?.id ?? id,
    inThread: message.root !== null,
    reply: message.root === null ? undefined : id,
  };
}
