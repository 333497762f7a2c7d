import type { Api } from '../api/api.ts';
import { asApiError, isTemporary } from '../api/errors.ts';
import { MarkRoomReadDocument, MarkRoomUnreadDocument } from '../generated/graphql.ts';
import type { Message } from '../timeline/message.ts';
import { type Frontier, frontierAt, withReadTo, withSeen } from './frontier.ts';

/** How far a room is read when it is opened, in positions of its roots. */
export interface ReadWhenOpened {
  /** Everything before this one has been read. */
  readonly firstUnread: number;
  /** Of the newest root there is; 0: there is none. */
  readonly newest: number;
}

/** Reads a room for the viewer: what was on the screen while they looked, and nothing else. */
export interface Reader {
  start(opened: ReadWhenOpened): void;
  /** Roots that are on the screen now; only called while the page is visible and has the focus. */
  seen(messages: readonly Message[]): void;
  /** Somebody has written. Who writes a root has read what is before it: the server sees it so, too. */
  added(message: Message): void;
  /**
   * The badge of the room, whenever the server tells it: how many are unread, and up to which position it counts as
   * read, where that was told. Both tell of what was read on another device.
   */
  counted(unread: number, readTo?: number): void;
  /** Whether this is a root, and everything before it has been read. */
  hasReadUntil(message: Message): boolean;
  /** Unread from this root on; then nothing is read until it is opened again, all marked, or answered. */
  markUnread(message: Message): Promise<void>;
  /** Everything, seen or not: somebody asked for it. */
  markAllRead(): Promise<void>;
  stop(): void;
}

/** Scrolling acknowledges at most this often. */
const SETTLE_MS = 250;

export function createReader(
  api: Pick<Api, 'fetch' | 'connection'>,
  room: { readonly roomId: string; readonly viewerId: string },
): Reader {
  const { roomId, viewerId } = room;
  let frontier: Frontier | undefined;
  let held = false;
  let stopped = false;
  let acknowledged = 0;
  /** The highest position that is known. */
  let newest = 0;
  /** And what it was when something was last told to be unread: a badge of zero may be older than a message. */
  let newestUnread = 0;
  let wasUnread = false;
  /** As the server last told it. What it tells again may be older than what was marked as unread since. */
  let toldReadTo: number | undefined;
  /** And what it was when the viewer marked something as unread. */
  let newestWhenHeld = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Ids by position, of what was seen and is not acknowledged. */
  const ids = new Map<number, string>();

  async function acknowledge(): Promise<void> {
    timer = undefined;
    const position = frontier?.position ?? 0;
    const upTo = ids.get(position);
    if (held || stopped || position <= acknowledged || upTo === undefined) return;
    const before = acknowledged;
    acknowledged = position;
    try {
      await api.fetch(MarkRoomReadDocument, { input: { roomId, upTo } });
      for (const old of ids.keys()) if (old < position) ids.delete(old);
    } catch (error) {
      acknowledged = Math.min(acknowledged, before);
      const refusal = asApiError(error);
      if (!isTemporary(refusal)) return;
      // Away: what was read is told when the server is back.
      if (refusal.retryAfterMs === undefined) await api.connection.gate.wait();
      schedule(refusal.retryAfterMs);
    }
  }

  function schedule(ms = SETTLE_MS): void {
    if (!stopped) timer ??= setTimeout(() => void acknowledge(), ms);
  }

  /** The server has everything up to there as read. */
  function isReadTo(position: number): void {
    acknowledged = Math.max(acknowledged, position);
    if (frontier === undefined) return;
    frontier = withReadTo(frontier, position);
    for (const old of ids.keys()) if (old < frontier.position) ids.delete(old);
    if (frontier.position > acknowledged) schedule();
  }

  return {
    start(opened) {
      frontier = frontierAt(opened.firstUnread - 1);
      acknowledged = opened.firstUnread - 1;
      newest = Math.max(opened.newest, acknowledged);
      newestUnread = newest;
      held = false;
    },
    seen(messages) {
      if (frontier === undefined || held) return;
      const positions: number[] = [];
      for (const { id, position } of messages) {
        if (position === null || position <= frontier.position) continue;
        ids.set(position, id);
        positions.push(position);
      }
      if (positions.length === 0) return;
      newest = Math.max(newest, ...positions);
      frontier = withSeen(frontier, positions);
      if (frontier.position > acknowledged) schedule();
    },
    added({ position, root, author }) {
      if (position === null || root !== null) return;
      newest = Math.max(newest, position);
      if (author.id !== viewerId || (held && position <= newestWhenHeld)) return;
      held = false;
      isReadTo(position);
    },
    counted(unread, readTo) {
      if (readTo !== undefined && toldReadTo !== undefined && readTo > toldReadTo && !held) isReadTo(readTo);
      toldReadTo = readTo ?? toldReadTo;
      if (unread > 0) newestUnread = newest;
      else if (wasUnread && !held) isReadTo(newestUnread);
      wasUnread = unread > 0;
    },
    hasReadUntil({ position }) {
      return !held && frontier !== undefined && position !== null && frontier.position >= position - 1;
    },
    async markUnread({ id }) {
      held = true;
      newestWhenHeld = newest;
      try {
        await api.fetch(MarkRoomUnreadDocument, { input: { messageId: id } });
      } catch (error) {
        held = false;
        throw error;
      }
    },
    async markAllRead() {
      const known = newest;
      await api.fetch(MarkRoomReadDocument, { input: { roomId } });
      held = false;
      isReadTo(known);
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
