import type { Clock } from '../core/clock.ts';
import { every } from '../core/every.ts';
import { createHealth } from '../core/health.ts';
import type { OutageLog } from '../core/log.ts';
import type { ServerClock } from '../dynamo/serverClock.ts';
import { type Lease, LeaseLost, type Leases } from '../stream/leases.ts';
import { LOOK_EVERY_MS, type TimerRunner, type TimersState } from './runner.ts';

export interface TimerHostOptions {
  readonly runner: TimerRunner;
  /** Absent: no other process handles the timers of this table. */
  readonly leases?: Pick<Leases, 'list' | 'take'>;
  readonly serverClock: Pick<ServerClock, 'offset'>;
  readonly clock: Clock;
  readonly log: OutageLog;
  /** How often the lease is renewed, in milliseconds. Every second time the table is looked at. */
  readonly everyMs?: number;
  /** How long a stop waits for handlers after the lease was given back, in milliseconds. Default: 15 s. */
  readonly restMs?: number;
}

export interface TimerHost {
  /** Resolves after the first look. It does not reject: a database that cannot be reached is tried again. */
  start(): Promise<void>;
  /**
   * Begins no further timers at once, gives the lease back after `QUIET_MS` at the latest, and resolves when no handler
   * runs or `restMs` later. A timer whose handler is still running then is in the table, and runs again.
   */
  stop(): Promise<void>;
  state(): TimerHostState;
}

export interface TimerHostState extends TimersState {
  /** Whether the table was reached by the last try. */
  readonly reachable: boolean;
  /** Whether this process handles the timers. Otherwise another one does, or this one's clock is wrong. */
  readonly active: boolean;
  /** False if the clock of this machine differs too much from the database's. */
  readonly clockIsRight: boolean;
}

/** One lease for all partitions: a second host takes over if the first one does not renew it. */
export const TIMERS_STREAM = 'TIMERS';
const ALL = 'ALL';
/** Twice in `LOOK_EVERY_MS`, so that a lease counts as lost only after several failed renewals. */
const RENEW_EVERY_MS = LOOK_EVERY_MS / 2;
export const TIMERS_LOST_AFTER_MS = 3 * RENEW_EVERY_MS;
/** How far this clock may be behind the database's: timers run late by that. */
const BEHIND_MS = 2_000;
/**
 * How far it may seem to be ahead at the least. The header rounds to a second, so it may be ahead by one more: a timer
 * runs at most two seconds too early, and the time that the response took.
 */
const AHEAD_MS = 1_000;
/**
 * How long handlers may keep the lease that is given up: one that hangs must not hold up the timers of everyone. The
 * next owner may run its timer as well, as after a crash.
 */
const QUIET_MS = 2_000;
/** With `QUIET_MS` and the deadlines of two requests, less than the 22 s that a stop may take. */
const REST_MS = 15_000;

/**
 * Decides whether this process handles the timers: if it has the lease, and if its clock agrees with the database's. A
 * lease does not stop a process that was suspended: what happens outside of the table is claimed there first.
 */
export function createTimerHost(options: TimerHostOptions): TimerHost {
  const { runner, leases, serverClock, clock, log, everyMs = RENEW_EVERY_MS, restMs = REST_MS } = options;
  const health = createHealth({
    log,
    down: 'The timers cannot be read; they are tried again',
    up: 'The timers are read again',
  });
  const clockHealth = createHealth({
    log,
    down: 'This machine’s clock is wrong, so this process handles no timers. Synchronize it (NTP).',
    up: 'This machine’s clock is right again, and this process may handle timers',
  });
  let lease: Lease | undefined;
  let active = false;
  let stopping = false;
  let rounds = 0;
  let firstRound = Promise.resolve();
  let end = async () => {};

  function isClockRight(): boolean {
    const { least = 0, most = 0 } = serverClock.offset() ?? {};
    const isRight = least <= BEHIND_MS && most >= -AHEAD_MS;
    if (isRight) clockHealth.worked();
    else clockHealth.failed(new Error(`It differs by ${least} to ${most} ms.`));
    return isRight;
  }

  /** Whether the lease is ours. */
  async function hold(): Promise<boolean> {
    if (leases === undefined) return true;
    try {
      if (lease !== undefined) await lease.renew();
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      lease = undefined;
    }
    if (lease !== undefined) return true;
    const all = (await leases.list()).find(({ shard }) => shard === ALL);
    if (all === undefined || all.owner === undefined || all.stale) lease = await leases.take(ALL);
    return lease !== undefined;
  }

  async function giveBack(): Promise<void> {
    const held = lease;
    lease = undefined;
    await held?.release();
  }

  async function round(): Promise<void> {
    const wasActive = active;
    if (!isClockRight()) {
      active = false;
      await runner.pause(QUIET_MS);
      // So that a process whose clock is right can take it at once.
      await giveBack();
      // Learns the time, so that the next round knows whether the clock is right again.
      await leases?.list();
      return;
    }
    active = await hold();
    if (stopping) return;
    if (!active) {
      await runner.pause(QUIET_MS);
      return;
    }
    if (!wasActive || rounds++ % 2 === 0) await runner.look();
  }

  return {
    async start() {
      firstRound = round().then(() => health.worked(), health.failed);
      await firstRound;
      if (!stopping) end = every(everyMs, round, { clock, health });
    },
    async stop() {
      stopping = true;
      // The first round may be about to take the lease.
      await Promise.all([runner.pause(QUIET_MS), firstRound, end()]);
      active = false;
      try {
        await giveBack();
      } catch (error) {
        // The next owner takes it when it is stale.
        log.warn({ err: error }, 'The lease of the timers was not given back');
      }
      if (await runner.pause(restMs)) return;
      const { running } = runner.state();
      log.warn({ running }, 'Handlers of timers had not ended when the timers were stopped');
    },
    state: () => ({ ...runner.state(), active, reachable: health.good, clockIsRight: clockHealth.good }),
  };
}
