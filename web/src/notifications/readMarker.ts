import type { Api } from '../api/api.ts';
import { type ApiError, asApiError, isTemporary } from '../api/errors.ts';
import { withRetry } from '../api/retry.ts';
import { MarkNotificationsReadDocument } from '../generated/graphql.ts';
import type { Badge } from '../unread/badge.ts';
import type { Notification } from './listing.ts';

/** Marks notifications as read once they were on the screen while the viewer looked at it. */
export interface ReadMarker {
  /** Sets what is on the screen now. Empty while the window is hidden or without focus. */
  onScreen(notifications: readonly Notification[]): void;
  /** The viewer opened the notification's message. */
  opened(notification: Notification): void;
  /** Marks all notifications as read, at the viewer's request. Rejects with `ApiError`. */
  all(): Promise<void>;
  /** Stops watching. Requests in flight are not cancelled. */
  stop(): void;
}

export interface ReadMarkerOptions {
  readonly api: Pick<Api, 'mutateUncached' | 'connection'>;
  readonly badge: Pick<Badge, 'optimisticallySubtract'>;
  /** As they are once they were read. */
  onRead(notifications: readonly Notification[]): void;
  /** Called if they could not be marked as read. */
  onProblem(error: ApiError): void;
}

/** A notification counts as seen after this time on the screen. */
const SEEN_AFTER_MS = 300;
/** A reading is sent this often while the server does not answer: for about 3 minutes. */
const MAX_ATTEMPTS = 40;

export function createReadMarker({ api, badge, onRead, onProblem }: ReadMarkerOptions): ReadMarker {
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
    const settle = badge.optimisticallySubtract(countOf(unread), countOf(unread.filter(isRootMention)));
    try {
      onRead(await markRead(unread.map(({ id }) => id)));
      settle(true);
    } catch (thrown) {
      settle(false);
      const error = asApiError(thrown);
      if (isTemporary(error)) for (const { id } of unread) handled.delete(id);
      if (error.code !== 'NOT_FOUND') onProblem(error);
    }
  }

  /** The server marks all or none: if one of them does not exist any more, the others are marked without it. */
  async function markRead(ids: readonly string[]): Promise<readonly Notification[]> {
    try {
      return await markAllOrNone(ids);
    } catch (thrown) {
      if (asApiError(thrown).code !== 'NOT_FOUND' || ids.length === 1) throw thrown;
      const half = Math.ceil(ids.length / 2);
      const halves = [ids.slice(0, half), ids.slice(half)];
      const marked = await Promise.allSettled(halves.map((some) => markRead(some)));
      return marked.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    }
  }

  async function markAllOrNone(ids: readonly string[]): Promise<readonly Notification[]> {
    let attempts = 0;
    const attempt = async () => {
      attempts++;
      const { markNotificationsRead } = await api.mutateUncached(MarkNotificationsReadDocument, {
        input: { ids: [...ids] },
      });
      return markNotificationsRead.notifications;
    };
    return withRetry(api.connection.backoff, attempt, {
      isRetryable: ({ code }) => code === 'OFFLINE' && attempts < MAX_ATTEMPTS,
    });
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
      const settle = badge.optimisticallySubtract(Number.POSITIVE_INFINITY);
      try {
        await api.mutateUncached(MarkNotificationsReadDocument, { input: {} });
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

const countOf = (notifications: readonly Notification[]): number =>
  notifications.reduce((sum, { actorCount }) => sum + actorCount, 0);

/** The root counts in the total by itself, until it is read. */
const isRootMention = ({ kind, message }: Notification): boolean =>
  kind === 'MENTION' && message !== null && message.root === null;
