import { type Clock, systemClock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { TIMEOUTS, type Timeouts } from '../../dynamo/client.ts';
import { type Key, keyName } from '../../dynamo/keys.ts';
import { type Compared, compareSides } from '../../reshape/carry/comparing.ts';
import { copyOf } from '../../reshape/carry/marks.ts';
import { createPersist } from '../../reshape/carry/persist.ts';
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
 * It reads both tables in 16 parts at the same time, and no user waits for it. With the limits of servers, a database that is busy would answer
 * none of them in time, again and again.
 */
export const VERIFY_TIMEOUTS: Timeouts = { ...TIMEOUTS, attemptMs: 10_000, callMs: 30_000 };
/** The exit code if it is not known whether the tables are equal. */
const UNDECIDED = 2;

export interface VerifyOptions {
  /** Write units a second; four times that is read. Default: the rate of the copy. */
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
  const lagMs = async () => (await copyOf(sides)).progress.lagMs;
  const total = items === 0 ? {} : { total: 2 * items * COMPARISONS };
  const progress = showProgress({ what: 'items', ...total, elsewhere: 'json' });
  let done = 0;
  try {
    for (let round = 1; round <= COMPARISONS; round++) {
      const before = done;
      const compared = await compareSides({
        ...{ sides, throttle, persist, clock, now: Date.now, lagMs },
        onItems(count) {
          done += count;
          progress.add(count);
        },
        // The comparisons that follow will need as much.
        onExpected: (expected) => progress.expect(before + expected * (COMPARISONS + 1 - round)),
      });
      const { isEarly: _, lagMs: __, ...result } = compared;
      process.stdout.write(`${JSON.stringify({ round, ...result })}\n`);
      if (compared.differences + compared.undecided === 0) continue;
      await changeState(sides.target.dynamo, { verified: false });
      throw refusalOf(compared);
    }
  } finally {
    progress.stop();
  }
  await changeState(sides.target.dynamo, { verified: true });
}

function refusalOf({ differences, undecided, examples, lagMs, isEarly }: Compared): Refusal {
  const [first] = examples;
  const least = isEarly ? 'At least ' : '';
  if (differences > 0) {
    return new Refusal(
      `${least}${differences} ${differences === 1 ? 'item differs' : 'items differ'}, such as ${nameOf(first)}. Is \`carry\` running?`,
    );
  }
  const seconds = Math.round(lagMs / 1_000);
  return new Refusal(
    `It is not known whether the tables are equal: ${least.toLowerCase()}${undecided} ${undecided === 1 ? 'item' : 'items'}, such as ${nameOf(first)}, changed all the time for a minute, or \`carry\`, which is ${seconds} s behind, has not reached what changed. Run this again, when less is written.`,
    UNDECIDED,
  );
}

const nameOf = (key: Key | undefined): string => JSON.stringify(key && keyName(key));
