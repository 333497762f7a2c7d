import { messagePath, threadPath } from '../shell/paths.ts';
import type { Notification } from './listing.ts';

/** The message that a notification links to. */
export interface Target {
  readonly roomId: string;
  readonly path: string;
  readonly root: string;
  /** Whether the link opens the root's thread, at `reply` if there is one. */
  readonly inThread: boolean;
  readonly reply: string | undefined;
}

/** A reply notification links to its latest reply. Undefined if the viewer can no longer see the message. */
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
