import { wrongTime } from '../core/ahead.ts';
import { defined } from '../core/defined.ts';
import { conflict, notFound, type TsudoiError } from '../core/errors.ts';
import { idFrom, newId } from '../core/ids.ts';
import { secondsOf } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { ItemLoader } from '../dynamo/itemLoader.ts';
import { hashed, keys, scheduledList } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import { handlesMentioned } from '../messages/mentions.ts';
import { isUnusedKey, isUsedKey, type SendInput } from '../messages/send.ts';
import { setTimer } from '../timers/timer.ts';
import {
  changedScheduledWrite,
  countScheduled,
  newScheduledWrite,
  removedScheduledWrites,
  SCHEDULED_MAX,
  type ScheduledMessage,
  scheduledOf,
  timerOfScheduled,
} from './scheduledMessage.ts';
import { checkTarget } from './target.ts';

export interface ScheduledOptions {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface NewScheduledMessage extends SendInput {
  /** Milliseconds since 1970. */
  readonly sendAt: number;
}

export interface ScheduledChange {
  readonly body?: string;
  /** Milliseconds since 1970. */
  readonly sendAt?: number;
  /** The version that may be changed. Absent: the current one, whichever it is. */
  readonly version?: number;
}

interface ScheduledPage {
  readonly limit: number;
  /** The cursor to start after. Undefined: from the beginning. */
  readonly from: string | undefined;
}

export type Scheduled = ReturnType<typeof createScheduled>;

/**
 * Messages that users send later. The item and its timer are written, moved and removed together; `sending.ts` sends
 * what is due. Only the user sees them.
 */
export function createScheduled({ dynamo, now }: ScheduledOptions) {
  /** BAD_USER_INPUT if a new time (milliseconds since 1970) is too near or too far. */
  const wrongSendAt = (sendAt: number | undefined): TsudoiError | undefined =>
    sendAt === undefined ? undefined : wrongTime('input.sendAt', sendAt, now());

  /**
   * One batch of reads and one transaction. With an idempotency key it is scheduled once, however often the request is
   * repeated. Throws NOT_FOUND and FORBIDDEN as `send` does, BAD_USER_INPUT for a time that is too near or too far, and
   * CONFLICT above SCHEDULED_MAX, in a closed thread, if the key was used for something else, and once the message was
   * sent. A repeated request for a time that has passed is one batch of reads.
   */
  async function schedule(input: NewScheduledMessage): Promise<ScheduledMessage> {
    const { author, idempotencyKey: key } = input;
    const content = key === undefined ? null : contentHash(input);
    const id = key === undefined ? newId() : idFrom(`scheduled:${author}:${key}`);
    const wrong = wrongSendAt(input.sendAt);
    if (wrong !== undefined) {
      if (key === undefined) throw wrong;
      // It was in time when it was sent first.
      const [item, used] = await dynamo.batchGet([
        keys.scheduledMessage(author, id),
        keys.idempotencyRecord(author, key),
      ]);
      const stored = item === undefined ? null : scheduledOf(author, id, item);
      if (stored?.content === content) return stored;
      throw isUsedKey(used, secondsOf(now())) ? keyReused() : wrong;
    }
    return dynamo.optimistic(async () => {
      // For the user, who learns of it now. It is checked again when the message is sent.
      await checkTarget(dynamo, input);
      const one: ScheduledMessage = { ...input, id, content, turns: 0, failure: null, version: 1 };
      const failed = await dynamo.tryTransact({
        message: newScheduledWrite(one),
        count: countScheduled(author),
        timer: setTimer(timerOfScheduled(one)),
        unused:
          key === undefined
            ? undefined
            : { check: keys.idempotencyRecord(author, key), ...isUnusedKey(secondsOf(now())) },
      });
      if (failed === undefined) return one;
      if (failed.message !== undefined) {
        const stored = scheduledOf(author, id, failed.message.item ?? {});
        if (content === null) return AGAIN;
        if (stored.content === content) return stored;
      }
      if (failed.message !== undefined || failed.unused !== undefined) {
        throw keyReused();
      }
      throw conflict('LIMIT_REACHED', `You can schedule at most ${SCHEDULED_MAX} messages.`);
    });
  }

  /**
   * One read and one transaction. Throws NOT_FOUND if it was sent, BAD_USER_INPUT, and CONFLICT for another version.
   */
  async function update(user: string, id: string, change: ScheduledChange): Promise<ScheduledMessage> {
    const { body, sendAt, version } = change;
    const wrong = wrongSendAt(sendAt);
    if (wrong !== undefined) throw wrong;
    return dynamo.optimistic(async () => {
      const before = await find(user, id);
      if (before === null) throw notFound();
      if (version !== undefined && version !== before.version) {
        throw conflict('VERSION_CHANGED', 'Another request changed this message first.');
      }
      if (body === undefined && sendAt === undefined) return before;
      const isOpen = before.failure === null;
      const moves = sendAt !== undefined && (sendAt !== before.sendAt || !isOpen);
      const after = {
        ...before,
        ...defined({ body, sendAt }),
        // It was counted for this time, and for the mentions in this text.
        turns: moves || mentionsMore(before, body) ? 0 : before.turns,
        failure: sendAt === undefined ? before.failure : null,
        version: before.version + 1,
      };
      const failed = await dynamo.tryTransact({
        message: changedScheduledWrite(before, after),
        // One that could not be sent has no timer.
        old: moves && isOpen ? deleteTimer(before) : undefined,
        next: moves ? setTimer(timerOfScheduled(after)) : undefined,
      });
      return failed === undefined ? after : AGAIN;
    });
  }

  /** One read and one transaction. Resolves to what was removed; null if it was sent or cancelled before. */
  const cancel = (user: string, id: string): Promise<ScheduledMessage | null> =>
    dynamo.optimistic(async () => {
      const one = await find(user, id);
      if (one === null) return null;
      const failed = await dynamo.tryTransact({
        message: removedScheduledWrites(one),
        timer: one.failure === null ? deleteTimer(one) : undefined,
      });
      return failed === undefined ? one : AGAIN;
    });

  async function find(user: string, id: string): Promise<ScheduledMessage | null> {
    const item = await dynamo.get(keys.scheduledMessage(user, id));
    return item === undefined ? null : scheduledOf(user, id, item);
  }

  /** The next one first. Two round trips: the index, which lags, and the messages. */
  async function list(user: string, { limit, from }: ScheduledPage, items: ItemLoader) {
    const gsi1pk = scheduledList.pk(user);
    const startKey =
      from === undefined
        ? {}
        : { startKey: { ...keys.scheduledMessage(user, scheduledList.id(from)), gsi1pk, gsi1sk: from } };
    const page = await dynamo.queryIndex(gsi1pk, { limit, ...startKey });
    const cursors = page.items.map(({ gsi1sk }) => gsi1sk as string);
    const ids = cursors.map(scheduledList.id);
    const found = await items.loadMany(ids.map((id) => keys.scheduledMessage(user, id)));
    const nodes = found.flatMap((item, i) => {
      const id = ids[i];
      // One that has just moved is listed at its old time as well.
      return item === undefined || id === undefined || item.gsi1sk !== cursors[i]
        ? []
        : [scheduledOf(user, id, item)];
    });
    return { nodes, more: page.more, end: cursors.at(-1) };
  }

  return { schedule, update, cancel, find, list, wrongSendAt };
}

const keyReused = () =>
  conflict('KEY_REUSED', 'This idempotency key belongs to another message, or to one that was already sent.');

const mentionsMore = (before: ScheduledMessage, body = before.body): boolean =>
  handlesMentioned(body).length > handlesMentioned(before.body).length;

const deleteTimer = (one: ScheduledMessage) => {
  const { due, id } = timerOfScheduled(one);
  return { delete: keys.timer(due, id) };
};

const contentHash = ({ room, body, replyTo, sendAt }: NewScheduledMessage): string =>
  hashed(JSON.stringify([room, body, replyTo?.threadTs ?? null, replyTo?.ts ?? null, sendAt]));
