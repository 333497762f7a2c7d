import type { RateLimit } from '../core/rateLimits.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import { handlesMentioned } from '../messages/mentions.ts';
import type { ScheduledMessage, Turn } from './scheduledMessage.ts';

export interface MentionTurnsOptions {
  readonly dynamo: Pick<Dynamo, 'get'>;
  /** Absent: there is no limit. */
  readonly limit: RateLimit | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * The limit of mentions for messages that are due. It is counted in the table, by the transaction that sends them, and
 * apart from what the user sends at that time: so it is exact, survives restarts, needs no Redis, and does not refuse
 * what they write.
 *
 * A user's bucket is one time, at which it is full again: `mentionsUntil`. A message takes its mentions, if need be
 * from the future, and that is its turn. So each one is moved once, however many are due at the same moment, unless its
 * turn passes unused.
 *
 * A turn holds for as long as the bucket takes to fill. A message whose turn passed longer ago, in an outage, is
 * counted again: otherwise all turns that passed meanwhile would be used at once. Each further turn holds twice as
 * long, so that messages are sent even if every timer is handled late.
 */
export function createMentionTurns({ dynamo, limit, now }: MentionTurnsOptions) {
  /**
   * One read. Undefined if it is sent without one: it mentions no one, its mentions are counted already, or there is no
   * limit.
   */
  return async function turnOf({ author, body, sendAt, turns }: ScheduledMessage): Promise<Turn | undefined> {
    const mentioned = handlesMentioned(body).length;
    if (mentioned === 0 || limit === undefined) return undefined;
    const fullMs = limit.seconds * 1_000;
    if (turns > 0 && now() - sendAt < fullMs * 2 ** (turns - 1)) return undefined;
    const before = (await dynamo.get(keys.scheduledCount(author)))?.mentionsUntil as number | undefined;
    // One message never takes more than a full bucket has.
    const takenMs = Math.ceil((Math.min(mentioned, limit.max) / limit.max) * fullMs);
    const until = Math.max(before ?? 0, now()) + takenMs;
    return { at: until - fullMs, before, until };
  };
}
