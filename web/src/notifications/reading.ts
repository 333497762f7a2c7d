import type { Api } from '../api/api.ts';
import { type ApiError, asApiError, isTemporary } from '../api/errors.ts';
import { MarkNotificationsReadDocument } from '../generated/graphql.ts';
import type { Badge } from '../unread/badge.ts';
import type { Notification } from './listing.ts';

/** Reads notifications for the viewer: those that were on the screen while they looked, and no others. */
export interface Reading {
  /** What is on the screen now; nothing where nobody looks. */
  onScreen(notifications: readonly Notification[]): void;
  /** Somebody goes to what it is about. */
  opened(notification: Notification): void;
  /** All there are, seen or not: somebody asked for it. Rejects with `ApiError`. */
  all(): Promise<void>;
  /** What was seen is still told. */
  stop(): void;
}

export interface ReadingOptions {
  readonly api: Pick<Api, 'fetch' | 'connection'>;
  readonly badge: Pick<Badge, 'fewer'>;
  /** As they are once they were read. */
  onRead(notifications: readonly Notification[]): void;
  /** They could not be read. */
  onProblem(error: ApiError): void;
}

/** What flits by was not seen. */
const SEEN_AFTER_MS = 300;
/** While there is no answer it is tried again, a few seconds apart. */
const ATTEMPTS = 40;

export function createReading({ api, badge, onRead, onProblem }: ReadingOptions): Reading {
  let visible: readonly Notification[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Being told as read, or refused as that. */
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

  /** All or none are marked: where one of them is gone, the others are tried without it. */
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
