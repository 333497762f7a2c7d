import { messagePath, threadPath } from '../shell/paths.ts';
import type { Notification } from './listing.ts';

/** The message that a notification leads to, and where that is. */
export interface Target {
  readonly roomId: string;
  readonly path: string;
  readonly root: string;
  /** It is to be seen in the root's thread, at this reply where there is one. */
  readonly inThread: boolean;
  readonly reply: string | undefined;
}

/** Replies lead to the newest one in its thread; undefined where there is nothing for the viewer any more. */
export function targetOf({ kind, message, latestReply }: Notification): Target | undefined {
  if (message === null) return undefined;
  const { id, room } = message;
  if (kind === 'REPLY') {
    const path = latestReply === null ? threadPath(room.id, id) : messagePath(room.id, latestReply.id);
    return { roomId: room.id, path, root: id, inThread: true, reply: latestReply?.id };
  }
  return {
    roomId: room.id,
    path: messagePath(room.id, id),
    root: message.root?.id ?? id,
    inThread: message.root !== null,
    reply: message.root === null ? undefined : id,
  };
}
