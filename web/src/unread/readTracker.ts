import type { Api } from '../api/api.ts';
import { withRetry } from '../api/retry.ts';
import { MarkRoomReadDocument, MarkRoomUnreadDocument } from '../generated/graphql.ts';
import type { SharedMessage } from '../timeline/message.ts';
import {
  type ContiguousReadPosition,
  readUpTo,
  type Seen,
  withReadTo,
  withSeen,
} from './contiguousReadPosition.ts';

/** How far a room has been read when it is opened, in positions of its roots. */
export interface ReadWhenOpened {
  /** Everything before this position has been read. */
  readonly firstUnread: number;
  /** The position of the newest root, or 0 if there is none. */
  readonly newest: number;
}

/** Marks a room as read for the viewer: exactly what was on the screen while they looked. */
export interface ReadTracker {
  start(opened: ReadWhenOpened): void;
  /** The roots on the screen. Only called while the page is visible and has the focus. */
  seen(messages: readonly SharedMessage[]): void;
  /** A new message. An author who posts a root has read everything before it, by the server's rule as well. */
  added(message: SharedMessage): void;
  /**
   * The room's part of the badge, whenever the server sends it: the number of unread roots, and the read position if
   * the server has sent one. Both can change because the viewer has read on another device.
   */
  counted(unread: number, readTo?: number): void;
  /** Whether this is a root, and everything before it has been read. */
  hasReadUntil(message: SharedMessage): boolean;
  /**
   * Marks everything from this root on as unread. Nothing is marked as read after that, until the room is opened again,
   * all of it is marked as read, or the viewer posts.
   */
  markUnread(message: SharedMessage): Promise<void>;
  /** Marks everything as read, seen or not, because the viewer asked for it. */
  markAllRead(): Promise<void>;
  stop(): void;
}

const NOTHING_READ = readUpTo(0);
/** While the viewer scrolls, the room is marked as read at most this often. */
const SETTLE_MS = 250;

export function createReadTracker(
  api: Pick<Api, 'mutateUncached' | 'connection'>,
  room: { readonly roomId: string; readonly viewerId: string },
): ReadTracker {
  const { roomId, viewerId } = room;
  const stopping = new AbortController();
  let read: ContiguousReadPosition | undefined;
  /** After `markUnread`. */
  let isPaused = false;
  /** The position that the server has, or receives at the moment. */
  let acknowledged = 0;
  /** The highest known position. */
  let newest = 0;
  /** `newest` when the badge last counted something as unread: a badge of zero may be older than a message. */
  let newestUnread = 0;
  let wasUnread = false;
  /** The last read position from the server. If it is sent again, it may be older than `markUnread`. */
  let serverReadTo: number | undefined;
  /** `newest` when the viewer marked something as unread. */
  let newestWhenPaused = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** The position to send, and the id of its root. */
  function due() {
    const { position, id: upTo } = read ?? NOTHING_READ;
    return isPaused || position <= acknowledged || upTo === undefined ? undefined : { position, upTo };
  }

  /** Sends the current position. After a failure, it may have advanced. */
  async function acknowledge(): Promise<void> {
    const now = due();
    if (now === undefined) return;
    const { position, upTo } = now;
    const before = acknowledged;
    acknowledged = position;
    try {
      await api.mutateUncached(MarkRoomReadDocument, { input: { roomId, upTo } });
    } catch (error) {
      acknowledged = Math.min(acknowledged, before);
      throw error;
    }
  }

  async function acknowledgeWithRetry(): Promise<void> {
    try {
      await withRetry(api.connection.backoff, acknowledge, { signal: stopping.signal });
      timer = undefined;
      // More may have been seen while the request was in flight.
      if (due() !== undefined) schedule();
    } catch {
      // The server refused it. The room stays unread until more of it is seen.
      timer = undefined;
    }
  }

  /** One request at a time: the timer is set until the request has settled. */
  function schedule(): void {
    if (!stopping.signal.aborted) timer ??= setTimeout(() => void acknowledgeWithRetry(), SETTLE_MS);
  }

  /** The server counts everything up to this position as read. */
  function setReadTo(position: number): void {
    acknowledged = Math.max(acknowledged, position);
    if (read === undefined) return;
    read = withReadTo(read, position);
    if (read.position > acknowledged) schedule();
  }

  return {
    start(opened) {
      read = readUpTo(opened.firstUnread - 1);
      acknowledged = opened.firstUnread - 1;
      newest = Math.max(opened.newest, acknowledged);
      newestUnread = newest;
      isPaused = false;
    },
    seen(messages) {
      if (read === undefined || isPaused) return;
      const roots: Seen[] = [];
      for (const { id, position } of messages) {
        if (position !== null && position > read.position) roots.push({ position, id });
      }
      if (roots.length === 0) return;
      newest = Math.max(newest, ...roots.map(({ position }) => position));
      read = withSeen(read, roots);
      if (read.position > acknowledged) schedule();
    },
    added({ position, root, author }) {
      if (position === null || root !== null) return;
      newest = Math.max(newest, position);
      if (author.id !== viewerId || (isPaused && position <= newestWhenPaused)) return;
      isPaused = false;
      setReadTo(position);
    },
    counted(unread, readTo) {
      const hasAdvanced = readTo !== undefined && serverReadTo !== undefined && readTo > serverReadTo;
      if (hasAdvanced && !isPaused) setReadTo(readTo);
      serverReadTo = readTo ?? serverReadTo;
      if (unread > 0) newestUnread = newest;
      else if (wasUnread && !isPaused) setReadTo(newestUnread);
      wasUnread = unread > 0;
    },
    hasReadUntil({ position }) {
      return !isPaused && read !== undefined && position !== null && read.position >= position - 1;
    },
    async markUnread({ id }) {
      isPaused = true;
      newestWhenPaused = newest;
      try {
        await api.mutateUncached(MarkRoomUnreadDocument, { input: { messageId: id } });
      } catch (error) {
        isPaused = false;
        throw error;
      }
    },
    async markAllRead() {
      const known = newest;
      await api.mutateUncached(MarkRoomReadDocument, { input: { roomId } });
      isPaused = false;
      setReadTo(known);
    },
    stop() {
      stopping.abort();
      clearTimeout(timer);
    },
  };
}
