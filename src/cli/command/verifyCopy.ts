import { type Clock, sleep, systemClock } from '../../core/clock.ts';
import { every } from '../../core/every.ts';
import type { Log } from '../../core/log.ts';
import { TIMEOUTS, type Timeouts } from '../../dynamo/client.ts';
import { type Key, keyName } from '../../dynamo/keys.ts';
import { type Compared, compareSides } from '../../reshape/carry/comparing.ts';
import { copyOf } from '../../reshape/carry/marks.ts';
import { createPersist } from '../../reshape/carry/persist.ts';
import { type Reach, reachOf } from '../../reshape/carry/reach.ts';
import type { Sides } from '../../reshape/carry/sides.ts';
import { changeState } from '../../reshape/carry/state.ts';
import { createThrottle } from '../../reshape/carry/throttle.ts';
import { showProgress } from './progress.ts';
import { Refusal } from './run.ts';

/** One equal comparison may be chance: a difference that another one hides. */
const COMPARISONS = 2;
/** An outage that lasts longer ends the command. Milliseconds. */
const PATIENCE_MS = 300_000;
/**
 * It reads both tables in 16 parts at the same time, and no user waits for it. With the limits of servers, a database
 * that is busy would answer none of them in time, again and again.
 */
export const VERIFY_TIMEOUTS: Timeouts = { ...TIMEOUTS, attemptMs: 10_000, callMs: 30_000 };
/** Without an answer of `carry` in this time, nothing is compared. Milliseconds. */
const ANSWER_MAX_MS = 30_000;
const ANSWER_LOOK_MS = 250;
/** From one look at the rate of the copy to the next. */
const RATE_LOOK_MS = 1_000;
/** The exit code if it is not known whether the tables are equal. */
const UNDECIDED = 2;
const UNANSWERED =
  'It is not known whether the tables are equal: `carry` has not answered for 30 s. It is not running, of an earlier release, or too far behind. See `lagMs` in `status`.';

export interface VerifyOptions {
  /** Write units a second; four times that is read. Default: the rate of the copy, also if that changes. */
  readonly rate: number | undefined;
  /** Items of the source, as the database counts them: a number that is hours old. */
  readonly items: number;
  readonly clock?: Clock;
}

/** Compares both tables and notes that they are equal. Throws `Refusal` if they are not, or if that is not known. */
export async function verifyCopy(
  sides: Sides,
  log: Log,
  { rate, items, clock = systemClock }: VerifyOptions,
): Promise<void> {
  const state = await copyOf(sides);
  if (state.progress.reads !== 'nothing') throw new Refusal('Not everything is copied yet. See `status`.');
  // Until the process ends.
  const { signal } = new AbortController();
  const throttle = createThrottle(rate ?? state.rate, { clock, signal });
  const persist = createPersist({ log, clock, signal, patienceMs: PATIENCE_MS });
  const reach = reachOf(sides.target.dynamo, () => copyOf(sides));
  const total = items === 0 ? {} : { total: 2 * items * COMPARISONS };
  const progress = showProgress({ what: 'items', ...total, elsewhere: 'json' });
  let done = 0;
  const followRate = async () => throttle.change((await copyOf(sides)).rate);
  const stopFollowing = rate === undefined ? every(RATE_LOOK_MS, followRate, { clock }) : undefined;
  try {
    await persist(() => answerOf(reach, clock));
    for (let round = 1; round <= COMPARISONS; round++) {
      const before = done;
      const compared = await compareSides({
        sides,
        throttle,
        persist,
        clock,
        now: Date.now,
        reach,
        onItems(count) {
          done += count;
          progress.add(count);
        },
        // The comparisons that follow will need as much.
        onExpected: (expected) => progress.expect(before + expected * (COMPARISONS + 1 - round)),
      });
      const { isEarly: _, unansweredMs: __, ...result } = compared;
      process.stdout.write(`${JSON.stringify({ round, ...result })}\n`);
      if (compared.differences + compared.undecided === 0) continue;
      await changeState(sides.target.dynamo, { verified: false });
      throw refusalOf(compared);
    }
  } finally {
    await stopFollowing?.();
    progress.stop();
  }
  await changeState(sides.target.dynamo, { verified: true });
}

/** Waits for a running `carry` to answer. Throws `Refusal` if none does, before hours are spent on reading. */
async function answerOf({ ask, answered }: Reach, clock: Clock): Promise<void> {
  const number = await ask();
  const until = clock.now() + ANSWER_MAX_MS;
  for (; (await answered()) < number; await sleep(clock, ANSWER_LOOK_MS)) {
    if (clock.now() >= until) throw new Refusal(UNANSWERED, UNDECIDED);
  }
}

function refusalOf({ differences, undecided, examples, unansweredMs, isEarly }: Compared): Refusal {
  const [first] = examples;
  const least = isEarly ? 'At least ' : '';
  if (differences > 0) {
    return new Refusal(
      `${least}${differences} ${differences === 1 ? 'item differs' : 'items differ'}, such as ${nameOf(first)}, and \`carry\` has nothing left to carry. Copy into an empty table.`,
    );
  }
  const seconds = Math.round(unansweredMs / 1_000);
  return new Refusal(
    `It is not known whether the tables are equal: ${least.toLowerCase()}${undecided} ${undecided === 1 ? 'item' : 'items'}, such as ${nameOf(first)}, changed all the time for a minute, or \`carry\`, which has not answered for ${seconds} s, has not reached what changed. Run this again, when less is written.`,
    UNDECIDED,
  );
}

const nameOf = (key: Key | undefined): string => JSON.stringify(key && keyName(key));
