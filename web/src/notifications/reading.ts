import type { Api } from '../api/api.ts';
import { type ApiError, asApiError, isTemporary } from '../api/errors.ts';
import { MarkNotificationsReadDocument } from '../generated/graphql.ts';
import type { Badge } from '../unread/badge.ts';
import type { Notification } from './listing.ts';

/** Marks notifications as read once they were on the screen while the viewer looked at it. */
export interface Reading {
  /** Sets what is on the screen now. Empty while the window is hidden or without focus. */
  onScreen(notifications: readonly Notification[]): void;
  /** The viewer opened the notification's message. */
  opened(notification: Notification): void;
  /** Marks all notifications as read, at the viewer's request. Rejects with `ApiError`. */
  all(): Promise<void>;
  /** Stops watching. Requests in flight are not cancelled. */
  stop(): void;
}

export interface ReadingOptions {
  readonly api: Pick<Api, 'fetch' | 'connection'>;
  readonly badge: Pick<Badge, 'fewer'>;
  /** Called with the notifications after they were marked as read. */
  onRead(notifications: readonly Notification[]): void;
  /** Called if they could not be marked as read. */
  onProblem(error: ApiError): void;
}

/** A notification counts as seen after this time on the screen. */
const SEEN_AFTER_MS = 300;
/** How often a request is sent while the server does not respond, a few seconds apart. */
const ATTEMPTS = 40;

export function createReading({ api, badge, onRead, onProblem }: ReadingOptions): Reading {
  let visible: readonly Notification[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Ids that are being marked as read, or that the server refused to mark. */
  const handled = new Set<string>();

  const isUnread = ({ id, readAt }: Notification) => readAt === null && !handled.has(id);

  function readVisible(): void {
    timer = undefined;
    const unread = visible.filter(isUnread);
    if (unread.length > 0) void read(unread);
  }

  async function read(unread: readonly Notification[]): Promise<void> {
    for (const { id } of unread) handled.add(id);
    const settle = badge.fewer(unread.reduce((sum, { actorCount }) => sum + actorCount, 0));
    try {
      onRead(await tell(unread.map(({ id }) => id)));
      settle(true);
    } catch (thrown) {
      settle(false);
      const error = asApiError(thrown);
      if (isTemporary(error)) for (const { id } of unread) handled.delete(id);
      if (error.code !== 'NOT_FOUND') onProblem(error);
    }
  }

  /** The server marks all or none. If one does not exist any more, halves are tried until the others are marked. */
  async function tell(ids: readonly string[]): Promise<readonly Notification[]> {
    try {
      return await tellOnce(ids);
    } catch (thrown) {
      if (asApiError(thrown).code !== 'NOT_FOUND' || ids.length === 1) throw thrown;
      const half = Math.ceil(ids.length / 2);
      const halves = [ids.slice(0, half), ids.slice(half)];
      const told = await Promise.allSettled(halves.map((some) => tell(some)));
      return told.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    }
  }

  async function tellOnce(ids: readonly string[]): Promise<readonly Notification[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        const { markNotificationsRead } = await api.fetch(MarkNotificationsReadDocument, {
          input: { ids: [...ids] },
        });
        return markNotificationsRead.notifications;
      } catch (thrown) {
        if (attempt === ATTEMPTS || asApiError(thrown).code !== 'OFFLINE') throw thrown;
        await api.connection.gate.wait();
      }
    }
  }

  return {
    onScreen(notifications) {
      visible = notifications;
      if (visible.some(isUnread)) timer ??= setTimeout(readVisible, SEEN_AFTER_MS);
    },
    opened(notification) {
      if (isUnread(notification)) void read([notification]);
    },
    async all() {
      const settle = badge.fewer(Number.POSITIVE_INFINITY);
      try {
        await api.fetch(MarkNotificationsReadDocument, { input: {} });
        settle(true);
      } catch (error) {
        settle(false);
        throw error;
      }
    },
    stop() {
      visible = [];
      clearTimeout(timer);
    },
  };
}
