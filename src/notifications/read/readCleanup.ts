import pLimit from 'p-limit';
import { idFrom } from '../../core/ids.ts';
import type { Timestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { ConditionFailed } from '../../dynamo/errors.ts';
import type { Item } from '../../dynamo/item.ts';
import { type Key, keys, parseKey, ranges } from '../../dynamo/keys.ts';
import { AGAIN, optimistic } from '../../dynamo/optimistic.ts';
import type { JobKind, Jobs } from '../../jobs/jobs.ts';
import { movedTo, moves, unpoints } from '../derive/moving.ts';
import { type Notification, notificationOf, type Retention, type Subject } from '../notification.ts';

/** What one step of a job looks at. */
const NOTIFICATIONS_A_STEP = 25;
const PEOPLE_A_STEP = 250;
const WRITES_AT_ONCE = 8;

/** People who are counted in a read notification: remembered for as long as it is kept. */
interface Remembered extends Subject {
  readonly user: string;
  readonly in: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** Somebody has read all their notifications of earlier epochs than this. */
interface ReadAll {
  readonly user: string;
  readonly epoch: number;
  readonly readAt: Timestamp;
}

export interface AfterReadingOptions {
  readonly dynamo: Dynamo;
  readonly jobs: Jobs;
  readonly retention: Retention;
}

export type AfterReading = ReturnType<typeof createAfterReading>;

/** What is left to be written once somebody has read: nothing that anybody waits for. */
export function createAfterReading({ dynamo, jobs, retention }: AfterReadingOptions) {
  /** All who are counted in a read notification, by a bounded part of a range that has others as well. */
  const remembered: JobKind<Remembered & Item> = {
    name: 'remembered',
    async step(about, cursor) {
      const after = cursor === null ? {} : { after: cursor };
      const range = ranges.notified(about.user, about);
      const { items, more } = await dynamo.query(range, { limit: PEOPLE_A_STEP, ...after });
      const actors = items.flatMap((item) => {
        const key = parseKey(item as Item & Key);
        return key.type === 'notified' && item.in === about.in ? [key.actor] : [];
      });
      await pLimit(WRITES_AT_ONCE).map(actors, (actor) => remember(about, actor));
      return more ? ((items.at(-1)?.sk as string | undefined) ?? null) : null;
    },
  };

  async function remember({ user, in: id, expiresAt, ...subject }: Remembered, actor: string): Promise<void> {
    try {
      await dynamo.update(keys.notified(user, subject, actor), {
        update: 'SET expiresAt = :expiresAt',
        condition: '#in = :id',
        names: { '#in': 'in' },
        values: { ':expiresAt': expiresAt, ':id': id },
      });
    } catch (error) {
      // Counted in another by now, or in none.
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }

  /** Every notification of an earlier epoch, by the pointers to them. */
  const readAll: JobKind<ReadAll & Item> = {
    name: 'readAll',
    async step({ user, epoch, readAt }, cursor) {
      const after = cursor === null ? {} : { after: cursor };
      const { items, more } = await dynamo.query(ranges.pointers(user), {
        limit: NOTIFICATIONS_A_STEP,
        ...after,
      });
      await pLimit(WRITES_AT_ONCE).map(items, ({ id }) => settle({ user, epoch, readAt }, id as string));
      return more ? ((items.at(-1)?.sk as string | undefined) ?? null) : null;
    },
  };

  /** Its item says that it was read, and no pointer that it is unread. */
  const settle = ({ user, epoch, readAt }: ReadAll, id: string): Promise<void> =>
    optimistic(async () => {
      const item = await dynamo.get(keys.notification(user, id));
      const one = item === undefined ? undefined : notificationOf(user, id, item);
      if (one === undefined || one.readAt !== null || one.epoch >= epoch) return;
      const moved = movedTo(one, readAt, retention);
      // A newer notification of the same kind and message has a pointer of its own, and settles this one.
      const failed = await dynamo.tryTransact({ notification: moves(moved), pointer: unpoints(moved) });
      return failed === undefined ? undefined : AGAIN;
    });

  return {
    kinds: [remembered, readAll] as const,

    /** A notification was read, by itself or with others. */
    async wasRead({ user, id, kind, room, t, c, count, actors, expiresAt }: Notification): Promise<void> {
      if (expiresAt === null) return;
      const about = { user, in: id, kind, room, t, c, expiresAt };
      // As a rule it names all whom it counts.
      if (actors.length === count) await Promise.all(actors.map((actor) => remember(about, actor.user)));
      else await jobs.begin(remembered, idFrom(`remembered:${user}:${id}`), about);
    },

    allWereRead: (about: ReadAll): Promise<void> =>
      jobs.begin(readAll, idFrom(`readAll:${about.user}:${about.epoch}`), { ...about }),
  };
}
