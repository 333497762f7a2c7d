import { idFrom } from '../../core/ids.ts';
import { mapAtMost } from '../../core/mapAtMost.ts';
import type { Timestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { ifConditionHolds } from '../../dynamo/errors.ts';
import type { Item } from '../../dynamo/item.ts';
import { keyOf, keys, parseKey, ranges } from '../../dynamo/keys.ts';
import { AGAIN } from '../../dynamo/optimistic.ts';
import type { JobKind, Jobs } from '../../jobs/jobs.ts';
import { messageKeyFrom, type StoredMessageKey, storedMessageKey } from '../../messages/message.ts';
import { asRead, deletePointerWrite, markReadWrite } from '../derive/store.ts';
import { uncountedWrite } from '../mentionedRoots.ts';
import {
  type Notification,
  type NotificationKind,
  notificationOf,
  type Retention,
  type Subject,
} from '../notification.ts';

/** How much one step of a job reads. */
const NOTIFICATIONS_A_STEP = 25;
const ACTORS_A_STEP = 250;
const WRITES_AT_ONCE = 8;

/**
 * The actors that a read notification counts, as a job stores them. Their records are kept as long as the notification.
 */
interface ActorRecordExpiry extends StoredMessageKey {
  readonly user: string;
  readonly kind: NotificationKind;
  /** The notification's id. */
  readonly in: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

const subjectOf = (about: ActorRecordExpiry): Subject => ({ ...messageKeyFrom(about), kind: about.kind });

/** A user has read all notifications of epochs earlier than this one. */
interface ReadAll {
  readonly user: string;
  readonly epoch: number;
  readonly readAt: Timestamp;
}

export interface ReadCleanupOptions {
  readonly dynamo: Dynamo;
  readonly jobs: Jobs;
  readonly retention: Retention;
}

export type ReadCleanup = ReturnType<typeof createReadCleanup>;

/** Writes what remains to be written after notifications were read. No request waits for it. */
export function createReadCleanup({ dynamo, jobs, retention }: ReadCleanupOptions) {
  /** Each step reads a bounded part of the message's actor records. Its name and fields are stored with each job. */
  const expireActorRecords: JobKind<ActorRecordExpiry & Item> = {
    name: 'remembered',
    async step(about, cursor) {
      const after = cursor === null ? {} : { after: cursor };
      const range = ranges.notified(about.user, subjectOf(about));
      const { items, more } = await dynamo.query(range, { limit: ACTORS_A_STEP, ...after });
      const actors = items.flatMap((item) => {
        const key = parseKey(keyOf(item));
        return key.type === 'notified' && item.in === about.in ? [key.actor] : [];
      });
      await mapAtMost(WRITES_AT_ONCE, actors, (actor) => expireActorRecord(about, actor));
      return more ? ((items.at(-1)?.sk as string | undefined) ?? null) : null;
    },
  };

  async function expireActorRecord(about: ActorRecordExpiry, actor: string): Promise<void> {
    const { user, in: id, expiresAt } = about;
    // If the condition fails, another notification counts the actor by now, or none does.
    await ifConditionHolds(
      dynamo.update(keys.notified(user, subjectOf(about), actor), {
        update: 'SET expiresAt = :expiresAt',
        condition: '#in = :id',
        names: { '#in': 'in' },
        values: { ':expiresAt': expiresAt, ':id': id },
      }),
    );
  }

  /** Updates every notification of an earlier epoch. The pointers name them. */
  const readAll: JobKind<ReadAll & Item> = {
    name: 'readAll',
    async step({ user, epoch, readAt }, cursor) {
      const after = cursor === null ? {} : { after: cursor };
      const { items, more } = await dynamo.query(ranges.pointers(user), {
        limit: NOTIFICATIONS_A_STEP,
        ...after,
      });
      await mapAtMost(WRITES_AT_ONCE, items, ({ id }) => writeStale({ user, epoch, readAt }, id as string));
      return more ? ((items.at(-1)?.sk as string | undefined) ?? null) : null;
    },
  };

  /** Marks the item as read and deletes the pointer that names it as unread. */
  const writeStale = ({ user, epoch, readAt }: ReadAll, id: string): Promise<void> => {
    let isCounted = true;
    return dynamo.optimistic(async () => {
      const item = await dynamo.get(keys.notification(user, id));
      const one = item === undefined ? undefined : notificationOf(user, id, item);
      if (one === undefined || one.readAt !== null || one.epoch >= epoch) return;
      const read = asRead(one, readAt, retention);
      // If there is a newer notification of the same kind and message, the pointer names that one, and the write that
      // created it has updated this one.
      const failed = await dynamo.tryTransact({
        notification: markReadWrite(read),
        pointer: deletePointerWrite(read),
        // No badge counts it in an earlier epoch any more, but `verify` compares the number.
        membership: isCounted ? uncountedWrite(one) : undefined,
      });
      if (failed === undefined) return;
      isCounted = failed.membership === undefined;
      return AGAIN;
    });
  };

  return {
    kinds: [expireActorRecords, readAll] as const,

    /** To be called when a notification's item says that it was read. */
    async onRead(notification: Notification): Promise<void> {
      const { user, id, kind, count, actors, expiresAt } = notification;
      if (expiresAt === null) return;
      const about = { user, in: id, kind, ...storedMessageKey(notification), expiresAt };
      // Most notifications name all actors that they count.
      if (actors.length === count)
        await Promise.all(actors.map((actor) => expireActorRecord(about, actor.user)));
      else await jobs.begin(expireActorRecords, idFrom(`remembered:${user}:${id}`), about);
    },

    /** To be called when the badge says that all were read. */
    onReadAll: (about: ReadAll): Promise<void> =>
      jobs.begin(readAll, idFrom(`readAll:${about.user}:${about.epoch}`), { ...about }),
  };
}
