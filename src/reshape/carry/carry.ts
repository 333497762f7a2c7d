import { type Clock, systemClock } from '../../core/clock.ts';
import { StartError } from '../../core/errors.ts';
import { every } from '../../core/every.ts';
import type { OutageLog } from '../../core/log.ts';
import type { BulkWriteOptions } from '../../dynamo/bulkWrite.ts';
import { lockTable } from '../../stream/lock.ts';
import { retriedHealth } from '../../stream/log.ts';
import type { Pacing } from '../../stream/reader.ts';
import { createCarrier } from './carrier.ts';
import { createCopying } from './copying.ts';
import { createFollowing, type Following } from './following.ts';
import { createPersist } from './persist.ts';
import type { Sides } from './sides.ts';
import { type CarryState, changeState, type Progress } from './state.ts';
import { createThrottle } from './throttle.ts';

const SAVE_MS = 1_000;

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
  /** Resolves when nothing is written any more. */
  stop(): Promise<void>;
}

/**
 * Follows the source, and copies what was there before. Throws `StartError` if another one carries into this table. A run that
 * is killed at any moment leaves a copy that the next one continues.
 */
export async function startCarrying(options: CarryOptions): Promise<Carrying> {
  const { sides, state, by, pacing, log, now, clock = systemClock, onWait, onState } = options;
  const { dynamo } = sides.target;
  const running = () => new StartError('Another command carries into this table. See `status`.');
  const lock = await lockTable({
    ...{ dynamo, name: 'carry', running, clock },
    ...(onWait === undefined ? {} : { onWait }),
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
  const carrierAt = (mayWrite: (units: number) => Promise<void>) =>
    createCarrier({ sides, by, now, mayWrite, onWritten });
  const copying = createCopying({
    ...{ sides, throttle, clock, persist, from: state.progress },
    carrier: carrierAt(async (units) => {
      await throttle.pay('writes', units);
      await lock.check();
    }),
  });
  const following = createFollowing({
    ...{ sides, pacing, log, clock, persist, lookMs: options.lookMs },
    // It would never end if it were slower than the servers.
    carrier: carrierAt(lock.check),
    async onTrimmed() {
      copying.again();
      await save();
    },
  });

  async function save(): Promise<void> {
    const progress: Progress = { ...copying.progress, written, lagMs: following.lagMs() };
    // What was compared before proves nothing if changes were missed.
    const begun = progress.reads === 'nothing' ? {} : { verified: false };
    const stored = await changeState(dynamo, { progress, ...begun });
    if (stored === undefined) return fail(running());
    throttle.change(stored.rate);
    onState?.(stored);
  }

  await following.start();
  const stopSaving = every(SAVE_MS, save, { clock, health });
  const copied = copying.run(signal);
  copied.catch(fail);

  let stopped: Promise<void> | undefined;

  async function stop(): Promise<void> {
    stopping.abort();
    await copied.catch(() => {});
    await following.stop();
    await stopSaving();
    // The next run continues where the last save was.
    await save().catch(() => {});
    await lock.release();
  }

  return {
    following,
    ended: Promise.race([failed, copied]),
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}
