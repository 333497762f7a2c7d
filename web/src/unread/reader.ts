import type { Api } from '../api/api.ts';
import { asApiError, isTemporary } from '../api/errors.ts';
import { MarkRoomReadDocument, MarkRoomUnreadDocument } from '../generated/graphql.ts';
import type { Message } from '../timeline/message.ts';
import { type Frontier, frontierAt, withSeen } from './frontier.ts';

/** Reads a room for the viewer: what was on the screen while they looked, and nothing else. */
export interface Reader {
  /** What has been read when the room is opened: everything before this position. */
  start(firstUnreadPosition: number): void;
  /** Roots that are on the screen now; only called while the page is visible and has the focus. */
  seen(messages: readonly Message[]): void;
  /** Unread from this root on, and from then on nothing is read until the room is opened again. */
  markUnread(message: Message): Promise<void>;
  /** Everything, seen or not: somebody asked for it. */
  markAllRead(): Promise<void>;
  stop(): void;
}

/** Scrolling acknowledges at most this often. */
const SETTLE_MS = 250;

export function createReader(api: Pick<Api, 'fetch' | 'connection'>, roomId: string): Reader {
  let frontier: Frontier | undefined;
  let held = false;
  let acknowledged = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Ids by position, of what was seen and is not acknowledged. */
  const ids = new Map<number, string>();

  async function acknowledge(): Promise<void> {
    timer = undefined;
    const position = frontier?.position ?? 0;
    const upTo = ids.get(position);
    if (held || position <= acknowledged || upTo === undefined) return;
    const before = acknowledged;
    acknowledged = position;
    try {
      await api.fetch(MarkRoomReadDocument, { input: { roomId, upTo } });
      for (const old of ids.keys()) if (old < position) ids.delete(old);
    } catch (error) {
      acknowledged = Math.min(acknowledged, before);
      if (!isTemporary(asApiError(error))) return;
      // Away: what was read is told when the server is back.
      await api.connection.gate.wait();
      if (!held) schedule();
    }
  }

  function schedule(): void {
    timer ??= setTimeout(() => void acknowledge(), SETTLE_MS);
  }

  return {
    start(firstUnreadPosition) {
      frontier = frontierAt(firstUnreadPosition - 1);
      acknowledged = firstUnreadPosition - 1;
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
      frontier = withSeen(frontier, positions);
      if (frontier.position > acknowledged) schedule();
    },
    async markUnread({ id }) {
      held = true;
      await api.fetch(MarkRoomUnreadDocument, { input: { messageId: id } });
    },
    async markAllRead() {
      await api.fetch(MarkRoomReadDocument, { input: { roomId } });
    },
    stop() {
      held = true;
      clearTimeout(timer);
    },
  };
}
