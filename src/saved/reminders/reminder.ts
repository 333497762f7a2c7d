/** The timer of a reminder. It belongs to the entry: see `reminding.ts`. */
import { keys } from '../../dynamo/keys.ts';
import type { Write } from '../../dynamo/write.ts';
import { type MessageKey, messageId } from '../../messages/message.ts';
import { setTimer, type Timer } from '../../timers/timer.ts';
import type { SavedEntry, SavedKey } from '../entry.ts';

/** The name of its timers' kind. It is stored with each. */
export const REMINDER_TIMER = 'reminder';

export type AboutReminder = {
  readonly user: string;
  readonly room: string;
  /** The message, by its timestamps. */
  readonly t: string;
  readonly c: string;
};

export const remindedKey = ({ user, room, t, c }: AboutReminder): SavedKey => ({
  user,
  room,
  threadTs: t,
  ts: c,
});

const timerOf = (
  { user, room, threadTs, ts }: MessageKey & Pick<SavedEntry, 'user'>,
  due: number,
): Timer<AboutReminder> => ({
  id: `reminder:${user}:${messageId({ room, threadTs, ts })}`,
  kind: REMINDER_TIMER,
  // Not the user alone, so that what is delivered to them has places of its own.
  owner: `reminder:${user}`,
  due,
  about: { user, room, t: threadTs, c: ts },
});

/** The writes that turn the timer of one entry into that of another: at most two. */
export function timerWrites(before: SavedEntry | undefined, after: SavedEntry | undefined): Write[] {
  const [old, wanted] = [before?.remindAt ?? null, after?.remindAt ?? null];
  const entry = after ?? before;
  if (entry === undefined || old === wanted) return [];
  return [
    ...(old === null ? [] : [{ delete: keys.timer(old, timerOf(entry, old).id) }]),
    ...(wanted === null ? [] : [setTimer(timerOf(entry, wanted))]),
  ];
}
