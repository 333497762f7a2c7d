import { badUserInput, notFound } from '../../core/errors.ts';
import { idFrom } from '../../core/ids.ts';
import { secondsOf, type Timestamp, type Timestamps } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { ifConditionHolds } from '../../dynamo/errors.ts';
import type { Item } from '../../dynamo/item.ts';
import { isId, keyOf, keys, parseKey, ranges } from '../../dynamo/keys.ts';
import { AGAIN } from '../../dynamo/optimistic.ts';
import { createJobs, type JobKind } from '../../jobs/jobs.ts';
import { loadMessageAsMember } from '../../messages/change.ts';
import type { Message, MessageKey } from '../../messages/message.ts';
import { badgeOf } from '../../unread/badge/badge.ts';
import { asRead, sameEpoch } from '../derive/store.ts';
import {
  applyReadAll,
  isExpired,
  type Notification,
  notificationOf,
  type Retention,
} from '../notification.ts';
import { AT_ONCE, writeRead } from './writeRead.ts';

/** The most notifications that one call can mark as read by id. */
export const READ_MAX = 100;
/** How many unread notifications of a thread's messages one step reads. Most threads have fewer. */
const THREAD_STEP = 100;

/** A user has read a thread up to its newest message at that time, as a job stores it. */
interface ThreadRead {
  readonly user: string;
  readonly room: string;
  readonly t: Timestamp;
  /** The `ts` of the newest message. Within a thread, timestamps have the order in which replies were stored. */
  readonly upTo: Timestamp;
}

export interface NotificationReadingOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
  readonly retention: Retention;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export type NotificationReading = ReturnType<typeof createNotificationReading>;

/** Marks notifications as read, which takes them out of the badge. */
export function createNotificationReading(options: NotificationReadingOptions) {
  const { dynamo, timestamps, retention, now = Date.now } = options;
  const jobs = createJobs({ dynamo, now });

  /**
   * Marks these notifications as read and resolves to their new values, in the order of `ids`, each once. One that is
   * already read does not change. An activity that arrives meanwhile is either in the notification that is read or in a
   * new one, because the transaction requires that the notification has not changed. One round trip to read, and one
   * for each AT_ONCE unread notifications, two if roots mention the user in them. Throws BAD_USER_INPUT for more than
   * READ_MAX ids. Throws NOT_FOUND, with nothing changed, if one of them does not exist, expired or belongs to another
   * user.
   */
  async function markRead(user: string, ids: readonly string[]): Promise<Notification[]> {
    if (ids.length > READ_MAX) {
      throw badUserInput(
        'input.ids',
        `At most ${READ_MAX} ids are allowed. Without ids, all notifications are marked as read.`,
        READ_MAX,
      );
    }
    return readWanted(user, [...new Set(ids)], { mustExist: true });
  }

  interface Wanted {
    /** Otherwise those that do not exist are left out. */
    readonly mustExist?: true;
    /** The others are not changed. */
    readonly isWanted?: (one: Notification) => boolean;
  }

  function readWanted(
    user: string,
    ids: readonly string[],
    { mustExist, isWanted = () => true }: Wanted,
  ): Promise<Notification[]> {
    return dynamo.optimistic(async (attempt) => {
      const found = await load(user, ids);
      // A notification that was deleted between two attempts is left out.
      if (mustExist === true && attempt === 0 && found.notifications.length < ids.length) throw notFound();
      const { epoch } = found;
      const notifications = found.notifications.filter(isWanted);
      const readAt = timestamps.next();
      const unread = notifications.filter((one) => one.readAt === null);
      const read = unread.map((one) => asRead(one, readAt, retention));
      for (let i = 0; i < read.length; i += AT_ONCE) {
        if (!(await writeRead(dynamo, { user, epoch, read: read.slice(i, i + AT_ONCE) }))) return AGAIN;
      }
      const byId = new Map(read.map((one) => [one.id, one]));
      return notifications.map((one) => byId.get(one.id) ?? one);
    });
  }

  async function load(user: string, ids: readonly string[]) {
    const wellFormed = ids.filter(isId);
    const [badgeItem, ...items] = await dynamo.batchGet([
      keys.badge(user),
      ...wellFormed.map((id) => keys.notification(user, id)),
    ]);
    const badge = badgeOf(badgeItem);
    const notifications = wellFormed.flatMap((id, i): Notification[] => {
      const item = items[i];
      if (item === undefined) return [];
      const one = applyReadAll(notificationOf(user, id, item), badge, retention);
      return isExpired(one, secondsOf(now())) ? [] : [one];
    });
    return { epoch: badge.epoch, notifications };
  }

  /**
   * Marks all notifications as read. One read and one update, for any number of them: it raises the badge's epoch, and
   * notifications of an earlier epoch count as read. Their items are updated in the background.
   */
  async function markAllRead(user: string): Promise<void> {
    const { total, epoch } = badgeOf(await dynamo.get(keys.badge(user)));
    if (total === 0) return;
    // If the condition fails, all were marked as read meanwhile, perhaps by an attempt whose response was lost.
    await ifConditionHolds(
      dynamo.update(keys.badge(user), {
        update: 'SET #total = :none, epoch = :next, readAllAt = :at, rev = rev + :one',
        condition: sameEpoch(epoch),
        names: { '#total': 'total' },
        values: { ':none': 0, ':next': epoch + 1, ':at': timestamps.next(), ':one': 1, ':epoch': epoch },
      }),
    );
  }

  /** Its name and fields are stored with each job. */
  const threadReadJob: JobKind<ThreadRead & Item> = {
    name: 'threadRead',
    async step({ user, room, t, upTo }, cursor) {
      const after = cursor === null ? {} : { after: cursor };
      const range = ranges.threadPointers(user, room, t);
      const { items, more } = await dynamo.query(range, { limit: THREAD_STEP, ...after });
      const ids = items.flatMap((item) => {
        const key = parseKey(keyOf(item));
        const isOfReading = key.type === 'pointer' && (key.kind === 'REPLY' || key.kind === 'MENTION');
        return isOfReading && key.ts <= upTo ? [item.id as string] : [];
      });
      // A newer reply in it was not there yet.
      const isWanted = ({ latest }: Notification) => latest === null || latest <= upTo;
      if (ids.length > 0) await readWanted(user, ids, { isWanted });
      return more ? ((items.at(-1)?.sk as string | undefined) ?? null) : null;
    },
  };

  /**
   * Marks what a thread has notified the user of as read, up to its newest message now: its REPLY notification, and
   * mentions in it. Resolves to the root. One round trip for access, one for the unread notifications of the thread's
   * messages, and those of `markRead` if there are any. If there are more than THREAD_STEP, a job does the rest. Throws
   * NOT_FOUND and FORBIDDEN.
   */
  async function markThreadRead(user: string, { room, threadTs }: MessageKey): Promise<Message> {
    const { message } = await loadMessageAsMember(dynamo, user, { room, threadTs, ts: threadTs });
    const upTo = message.lastReplyAt ?? threadTs;
    const id = idFrom(`threadRead:${user}:${room}:${threadTs}:${timestamps.next()}`);
    await jobs.begin(threadReadJob, id, { user, room, t: threadTs, upTo });
    return message;
  }

  return { markRead, markAllRead, markThreadRead, threadReadJob };
}
