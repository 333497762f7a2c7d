import { type Clock, systemClock } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import { StartError } from '../../core/errors.ts';
import { every } from '../../core/every.ts';
import type { OutageLog } from '../../core/log.ts';
import type { BulkWriteOptions } from '../../dynamo/bulkWrite.ts';
import { lockTable } from '../../stream/lock.ts';
import { retriedHealth } from '../../stream/log.ts';
import type { Pacing } from '../../stream/reader.ts';
import { assertInUse, readTableShape } from '../tableShape.ts';
import { createCarrier } from './carrier.ts';
import { createCopying } from './copying.ts';
import { createFollowing, type Following } from './following.ts';
import { CARRIES, copyOf, refuse } from './marks.ts';
import { createPersist } from './persist.ts';
import { createAnswers } from './reach.ts';
import type { Sides } from './sides.ts';
import { type CarryState, changeState, type Progress } from './state.ts';
import { createThrottle } from './throttle.ts';
import { beginTurn, endTurn, FENCES, fenceOf } from './turn.ts';

const SAVE_MS = 1_000;
/** The name of the lock that a carrier holds in the target. */
export const CARRY_LOCK = 'carry';

export interface CarryOptions {
  readonly sides: Sides;
  /** As it was found. */
  readonly state: CarryState;
  readonly by: BulkWriteOptions['by'];
  readonly pacing: Pacing;
  readonly log: OutageLog;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly clock?: Clock;
  /** See `SentinelWatchOptions`. */
  readonly lookMs?: number | undefined;
  /**
   * Asked when no other run can write any more. Throws if this one may not begin. Default: if the source is not in use.
   */
  readonly mayBegin?: () => Promise<void>;
  /** Called if a run that was killed has to be waited for. */
  readonly onWait?: () => void;
  /** Called once a second, with what is stored. */
  readonly onState?: (state: CarryState) => void;
}

/** A carrier at work. */
export interface Carrying {
  readonly following: Following;
  /** Rejects if it cannot go on. Resolves after `stop`. */
  readonly ended: Promise<void>;
  /**
   * Resolves to the turn when nothing is written any more, nothing that was sent can arrive, and the copy is verified.
   * Throws `StartError` if it is not, or another run has begun. Until `stop` none can begin, as long as this process is
   * not suspended.
   */
  finish(): Promise<number>;
  /** Resolves when nothing is written any more, and another run may begin. */
  stop(): Promise<void>;
}

/**
 * Follows the source, and copies what was there before. Throws `StartError` if another one carries into this table. A
 * run that is killed at any moment leaves a copy that the next one continues.
 */
export async function startCarrying(options: CarryOptions): Promise<Carrying> {
  const { sides, state, by, pacing, log, now, clock = systemClock, onWait, onState } = options;
  const { mayBegin = async () => assertInUse(await readTableShape(sides.source.dynamo)) } = options;
  const { dynamo } = sides.target;
  const running = () => new StartError(CARRIES);
  const lock = await lockTable({
    dynamo,
    name: CARRY_LOCK,
    running,
    clock,
    ...defined({ onWait }),
  });
  const turn = await begin().catch(async (error: unknown) => {
    await lock.release();
    throw error;
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  const throttle = createThrottle(state.rate, { clock, signal });
  const health = retriedHealth(log, 'Carrying');
  let written = state.progress.written;
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => {});

  const persist = createPersist({ log, clock, signal, onFatal: (error) => fail(error) });
  const onWritten = (items: number) => {
    written += items;
  };
  const carriersAt = (isFenced: boolean, mayWrite: (units: number) => Promise<void>) =>
    Array.from({ length: FENCES }, (_, writer) =>
      createCarrier({
        sides,
        by,
        now,
        mayWrite,
        onWritten,
        fenced: running,
        fence: isFenced ? fenceOf(turn, writer) : undefined,
      }),
    );
  const copying = createCopying({
    sides,
    throttle,
    clock,
    persist,
    from: state.progress,
    // Batches cost half as much and have no conditions. When the copy is verified, they were sent long ago.
    carriers: carriersAt(by === 'transactions', async (units) => {
      await throttle.pay('writes', units);
      await lock.check();
    }),
  });
  const following = createFollowing({
    sides,
    pacing,
    log,
    clock,
    persist,
    lookMs: options.lookMs,
    // It would never end if it were slower than the servers.
    carriers: carriersAt(true, lock.check),
    async onTrimmed() {
      copying.again();
      await save();
    },
  });

  const answers = createAnswers({
    dynamo,
    turn,
    drained: following.drained,
    persist,
    signal,
    isCopied: () => copying.progress.reads === 'nothing',
  });

  async function begin(): Promise<number> {
    const own = await beginTurn(dynamo);
    if (own === undefined) {
      // It may have been put in use meanwhile.
      await copyOf(sides);
      throw running();
    }
    // In this order: a switch or hand-over that sees no other turn has put the source out of use before.
    await copyOf(sides);
    await mayBegin();
    return own;
  }

  async function save(): Promise<void> {
    const progress: Progress = { ...copying.progress, written, lagMs: following.lagMs() };
    // What was compared before proves nothing if changes were missed.
    const begun = progress.reads === 'nothing' ? {} : { verified: false };
    const stored = await changeState(dynamo, { progress, ...begun });
    if (stored === undefined) return fail(running());
    throttle.change(stored.rate);
    answers.look(stored);
    onState?.(stored);
  }

  await following.start();
  const stopSaving = every(SAVE_MS, save, { clock, health });
  const copied = copying.run(signal);
  copied.catch(fail);

  let halted: Promise<void> | undefined;
  let stopped: Promise<void> | undefined;

  async function halt(): Promise<void> {
    stopping.abort();
    await copied.catch(() => {});
    await following.stop();
    await stopSaving();
    await answers.ended();
    // The next run continues where the last save was.
    await save().catch(() => {});
  }

  async function stop(): Promise<void> {
    halted ??= halt();
    await halted;
    await lock.release();
  }

  return {
    following,
    ended: Promise.race([failed, copied]),
    async finish() {
      halted ??= halt();
      await halted;
      const outcome = await endTurn(dynamo, turn);
      if (outcome === 'lost') throw running();
      if (outcome === 'unverified')
        refuse('Changes were missed, so everything is compared again. Run `carry` and `verify`, then this.');
      return turn + 1;
    },
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}
