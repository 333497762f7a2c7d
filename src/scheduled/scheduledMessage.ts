import { defined } from '../core/defined.ts';
import type { ConflictReason, ErrorCode } from '../core/errors.ts';
import type { Item } from '../dynamo/item.ts';
import { isId, keys, scheduledList } from '../dynamo/keys.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import type { Write } from '../dynamo/write.ts';
import type { SendInput } from '../messages/send.ts';
import { setTimer, type Timer } from '../timers/timer.ts';

/** A message that is sent later. The item exists until it was sent, also if it could not be sent. */
export interface ScheduledMessage extends SendInput {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly sendAt: number;
  /** A hash of what was scheduled first, if there is an idempotency key: the same request again has the same. */
  readonly content: string | null;
  /**
   * How many turns it was given. Above 0: `sendAt` is its turn, for which its mentions are counted already. See
   * `mentionTurns.ts`.
   */
  readonly turns: number;
  /** Why it could not be sent. Null: it is open, and has a timer at `sendAt`. */
  readonly failure: ScheduledFailure | null;
  readonly version: number;
}

export interface ScheduledFailure {
  readonly code: ErrorCode;
  /** Only of a CONFLICT. */
  readonly reason: ConflictReason | null;
}

/**
 * When the mentions of a message may be sent. It is taken by a write on the condition that the user's `mentionsUntil`
 * is still `before`.
 */
export interface Turn {
  /** Milliseconds since 1970. Not later than now: at once. */
  readonly at: number;
  readonly before: number | undefined;
  /** `mentionsUntil` after that. */
  readonly until: number;
}

/** The most messages that one user has scheduled, with those that could not be sent. */
export const SCHEDULED_MAX = 1_000;

const scheduledItem = (one: ScheduledMessage) => ({
  ...keys.scheduledMessage(one.author, one.id),
  v: FIRST_SHAPE,
  room: one.room,
  body: one.body,
  sendAt: one.sendAt,
  rev: one.version,
  ...defined({
    replyTo: one.replyTo === undefined ? undefined : { t: one.replyTo.threadTs, c: one.replyTo.ts },
    idempotencyKey: one.idempotencyKey,
    content: one.content ?? undefined,
    turns: one.turns === 0 ? undefined : one.turns,
    failure: one.failure?.code,
    reason: one.failure?.reason ?? undefined,
  }),
  gsi1pk: scheduledList.pk(one.author),
  gsi1sk: scheduledList.sk(one.sendAt, one.id),
});

export function scheduledOf(author: string, id: string, item: Item): ScheduledMessage {
  const room = item.room as string;
  const replyTo = item.replyTo as { readonly t: string; readonly c: string } | undefined;
  return {
    author,
    id,
    room,
    body: item.body as string,
    sendAt: item.sendAt as number,
    content: (item.content as string | undefined) ?? null,
    turns: (item.turns as number | undefined) ?? 0,
    failure:
      item.failure === undefined
        ? null
        : {
            code: item.failure as ErrorCode,
            reason: (item.reason as ConflictReason | undefined) ?? null,
          },
    version: item.rev as number,
    ...defined({
      replyTo: replyTo === undefined ? undefined : { room, threadTs: replyTo.t, ts: replyTo.c },
      idempotencyKey: item.idempotencyKey as string | undefined,
    }),
  };
}

/** The name of its timers' kind. It is stored with each. */
export const SCHEDULED_TIMER = 'scheduledMessage';

export type AboutScheduled = { readonly user: string; readonly id: string };

export const timerOfScheduled = ({
  author,
  id,
  sendAt,
}: Pick<ScheduledMessage, 'author' | 'id' | 'sendAt'>): Timer<AboutScheduled> => ({
  id: `scheduled:${author}:${id}`,
  kind: SCHEDULED_TIMER,
  // Not the user alone, so that what is delivered to them has places of its own.
  owner: `scheduled:${author}`,
  due: sendAt,
  about: { user: author, id },
});

export const newScheduledWrite = (one: ScheduledMessage): Write => ({
  put: scheduledItem(one),
  condition: 'attribute_not_exists(pk)',
});

/** Replaces it on the condition that it has not changed since it was read. */
export const changedScheduledWrite = (before: ScheduledMessage, after: ScheduledMessage): Write => ({
  put: scheduledItem({ ...after, version: before.version + 1 }),
  ...isUnchanged(before),
});

export const countScheduled = (user: string): Write => ({
  key: keys.scheduledCount(user),
  update:
    'SET scheduled = if_not_exists(scheduled, :none) + :one, rev = if_not_exists(rev, :none) + :one, v = :v',
  condition: 'attribute_not_exists(scheduled) OR scheduled < :max',
  values: { ':none': 0, ':one': 1, ':max': SCHEDULED_MAX, ':v': FIRST_SHAPE },
});

/**
 * Removes it on the condition that it has not changed since it was read. Its timer is not one of these writes. `turn`:
 * it is sent, and its mentions are counted.
 */
export const removedScheduledWrites = (one: ScheduledMessage, turn?: Turn): readonly Write[] => [
  { delete: keys.scheduledMessage(one.author, one.id), ...isUnchanged(one) },
  countWrite(one.author, { removed: 1, turn }),
];

/** It waits for its turn: the message, its timer, and the mentions. Its timer of before is not one of these writes. */
export function waitingScheduledWrites(before: ScheduledMessage, turn: Turn): readonly Write[] {
  const after: ScheduledMessage = { ...before, sendAt: turn.at, turns: before.turns + 1 };
  return [
    changedScheduledWrite(before, after),
    setTimer(timerOfScheduled(after)),
    countWrite(before.author, { removed: 0, turn }),
  ];
}

function countWrite(
  user: string,
  { removed, turn }: { readonly removed: 0 | 1; readonly turn: Turn | undefined },
): Write {
  const before = turn?.before;
  return {
    key: keys.scheduledCount(user),
    // A deletion of the account may have removed the count.
    update: `SET scheduled = if_not_exists(scheduled, :removed) - :removed, rev = if_not_exists(rev, :none) + :one, v = :v${
      turn === undefined ? '' : ', mentionsUntil = :until'
    }`,
    ...(turn === undefined
      ? {}
      : {
          condition: before === undefined ? 'attribute_not_exists(mentionsUntil)' : 'mentionsUntil = :before',
        }),
    values: {
      ':none': 0,
      ':one': 1,
      ':removed': removed,
      ':v': FIRST_SHAPE,
      ...defined({ ':until': turn?.until, ':before': before }),
    },
  };
}

const isUnchanged = ({ version }: ScheduledMessage) => ({
  condition: 'rev = :was',
  values: { ':was': version },
});

/** The part of a global id after the type's name. It has the user, so that another user's is known as such. */
export const scheduledId = ({ author, id }: ScheduledMessage): string => `${author}:${id}`;

/** Undefined if it is malformed, or belongs to another user. */
export function ownScheduledId(viewer: string, id: string): string | undefined {
  const [user, own = '', ...more] = id.split(':');
  return user === viewer && isId(own) && more.length === 0 ? own : undefined;
}
