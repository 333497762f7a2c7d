import { type ErrorCode, errorCatalogue, TsudoiError } from '../core/errors.ts';
import type { RateLimit } from '../core/rateLimits.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import { AGAIN, type Again } from '../dynamo/optimistic.ts';
import type { Write } from '../dynamo/write.ts';
import type { Messages } from '../messages/messages.ts';
import { Superseded } from '../messages/send.ts';
import type { Timer, TimerKind } from '../timers/timer.ts';
import { createMentionTurns } from './mentionTurns.ts';
import {
  type AboutScheduled,
  changedScheduledWrite,
  removedScheduledWrites,
  SCHEDULED_TIMER,
  type ScheduledFailure,
  type ScheduledMessage,
  scheduledOf,
  waitingScheduledWrites,
} from './scheduledMessage.ts';
import { checkTarget } from './target.ts';

export interface ScheduledSendingOptions {
  readonly dynamo: Dynamo;
  readonly send: Messages['send'];
  /** How many people one user may mention per time. Absent: there is no limit. */
  readonly mentionLimit: RateLimit | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Sends scheduled messages when they are due, with the rights that their authors have then. The message is stored and
 * the scheduled one removed in one transaction, which requires the version that was read: so it is sent once, also by
 * two processes, after crashes, and if the user changes or cancels it at the same moment. What is refused for good
 * stays as a failed one. Everything else is tried again, by the timer. One that mentions more people than its author
 * may at that moment is moved to its turn, unless it would be refused anyway.
 */
export function createScheduledSending(options: ScheduledSendingOptions): TimerKind<AboutScheduled> {
  const { dynamo, send, mentionLimit, now } = options;
  const turnOf = createMentionTurns({ dynamo, limit: mentionLimit, now });

  const handle = async (timer: Timer<AboutScheduled>): Promise<void> => {
    await dynamo.optimistic(async () => {
      const due = await readDue(timer);
      if (due === undefined) return;
      const { one, isFormer } = due;
      // The job that deletes the account has not reached it yet.
      if (isFormer) return written(await dynamo.tryTransact({ message: removedScheduledWrites(one) }));
      const turn = await turnOf(one);
      // Its timer must have another key than this one, which is deleted afterwards.
      const waits = turn !== undefined && turn.at > Math.max(now(), timer.due);
      // One that is refused takes no turn from the others. `send` says why, or that it was sent before.
      if (waits && (await isAllowed(one))) {
        const waiting = waitingScheduledWrites(one, turn);
        return written(await dynamo.tryTransact({ waiting, account: hasAccount(one.author) }));
      }
      try {
        await send(one, [...removedScheduledWrites(one, turn), hasAccount(one.author)]);
      } catch (error) {
        if (error instanceof Superseded) return AGAIN;
        const failure = failureOf(error);
        if (failure === undefined) throw error;
        return fail(one, failure);
      }
      return;
    });
  };

  /** Undefined if this timer is not the one that sends it: it was moved, cancelled, or sent. */
  async function readDue({ about: { user, id }, due, failures }: Timer<AboutScheduled>) {
    const [item, profile] = await dynamo.batchGet([keys.scheduledMessage(user, id), keys.user(user)]);
    if (item === undefined) return undefined;
    const one = scheduledOf(user, id, item);
    if (one.failure !== null || one.sendAt !== (failures?.setFor ?? due)) return undefined;
    return { one, isFormer: profile === undefined || profile.deletedAt !== undefined };
  }

  /** Whether its author may send it now. One round trip for those who are in the room. */
  async function isAllowed(one: ScheduledMessage): Promise<boolean> {
    try {
      await checkTarget(dynamo, one);
      return true;
    } catch (error) {
      if (failureOf(error) === undefined) throw error;
      return false;
    }
  }

  const fail = async (one: ScheduledMessage, failure: ScheduledFailure): Promise<Again | undefined> =>
    written(await dynamo.tryTransact({ message: changedScheduledWrite(one, { ...one, failure }) }));

  return {
    name: SCHEDULED_TIMER,
    handle,
    async givenUp(timer) {
      await dynamo.optimistic(async () => {
        const due = await readDue(timer);
        return due === undefined ? undefined : fail(due.one, { code: 'INTERNAL', reason: null });
      });
    },
  };
}

const written = (failed: object | undefined): Again | undefined => (failed === undefined ? undefined : AGAIN);

/** No message is sent for a user who has deleted their account. */
const hasAccount = (user: string): Write => ({
  check: keys.user(user),
  condition: 'attribute_exists(pk) AND attribute_not_exists(deletedAt)',
});

/** Why the message cannot be sent. Undefined if it is worth another attempt. */
function failureOf(error: unknown): ScheduledFailure | undefined {
  if (!(error instanceof TsudoiError)) return undefined;
  const code: ErrorCode = error.code;
  return errorCatalogue[code].retryable ? undefined : { code, reason: error.details.reason ?? null };
}
