import type { Clock } from '../../core/clock.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { ifConditionHolds } from '../../dynamo/errors.ts';
import { keys } from '../../dynamo/keys.ts';
import type { Persist } from './persist.ts';
import type { CarryState } from './state.ts';

/**
 * How `verify` learns that `carry`, another process, has carried everything that was written before a moment. It asks
 * by a number in `CARRY`, and the answer is that number, when each open shard of the source has shown a sentinel that
 * was written after the question was read:
 *
 *   verify   reads a key ── asks 7 ·························· reads answered 7 ── reads the key on both sides
 *   carry                      sees 7 ── writes sentinels ── all shards have shown one: answers 7
 *
 * So no clock of another process is believed, and a run that is suspended, starved or killed does not answer.
 */
export interface Reach {
  /** Resolves to the number of the question. */
  ask(): Promise<number>;
  /** The number of the newest question that was answered. It answers all before it. */
  answered(): Promise<number>;
}

/** `state`: reads the item of the copy, or rejects if there is none. */
export const reachOf = (dynamo: Pick<Dynamo, 'update'>, state: () => Promise<CarryState>): Reach => ({
  async ask() {
    const item = await dynamo.update(keys.carry(), {
      update: 'SET asked = if_not_exists(asked, :none) + :one',
      condition: 'attribute_exists(pk)',
      values: { ':none': 0, ':one': 1 },
    });
    return Number(item.asked);
  },
  answered: async () => (await state()).answered,
});

/** A question that is open, and what was answered last, on the clock of who asks. */
export function createQuestions({ ask, answered }: Reach, clock: Clock) {
  let open: { readonly number: number; readonly at: number } | undefined;
  let reachedAt = Number.NEGATIVE_INFINITY;
  return {
    /**
     * Everything that was read from the source before this time, and is still the same there, has reached the target.
     */
    get reachedAt() {
      return reachedAt;
    },
    /** How long the open question has had no answer, in milliseconds. */
    get unansweredMs() {
      return open === undefined ? 0 : clock.now() - open.at;
    },
    /** Looks for the answer. Asks again if there is none to wait for and `isWanted`. */
    async look(isWanted: () => boolean): Promise<void> {
      if (open !== undefined && (await answered()) >= open.number) {
        reachedAt = open.at;
        open = undefined;
      }
      if (open !== undefined || !isWanted()) return;
      const at = clock.now();
      open = { number: await ask(), at };
    },
  };
}

export interface AnswersOptions {
  readonly dynamo: Pick<Dynamo, 'update'>;
  /** That of this run. */
  readonly turn: number;
  /**
   * Resolves when everything that was written to the source before the call is carried, or after the signal is aborted.
   */
  readonly drained: (signal: AbortSignal) => Promise<void>;
  /** Whether everything is copied. While it is not, the target may get what the source had before. */
  readonly isCopied: () => boolean;
  readonly persist: Persist;
  readonly signal: AbortSignal;
}

/** The answers of a run of `carry`. */
export function createAnswers({ dynamo, turn, drained, isCopied, persist, signal }: AnswersOptions) {
  let answering: Promise<void> | undefined;

  async function answer(number: number): Promise<void> {
    if (!(await persist(() => drained(signal))) || signal.aborted || !isCopied()) return;
    const note = {
      update: 'SET answered = :number',
      condition: 'turn = :turn AND asked >= :number',
      values: { ':number': number, ':turn': turn },
    };
    // Another run answers in its own turn.
    await persist(async () => void (await ifConditionHolds(dynamo.update(keys.carry(), note))));
  }

  return {
    /** To be called with each state that is read. */
    look({ asked, answered }: CarryState): void {
      if (asked <= answered || !isCopied() || signal.aborted) return;
      // What it rejects with has ended the run.
      answering ??= answer(asked)
        .catch(() => {})
        .finally(() => {
          answering = undefined;
        });
    },
    /** Resolves when none is under way. To be called after the signal was aborted. */
    ended: async (): Promise<void> => answering,
  };
}
