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
}

export interface TimerHost {
  /** Resolves after the first look. It does not reject: a database that cannot be reached is tried again. */
  start(): Promise<void>;
  /** Resolves when no handler runs and the lease is given back. */
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
/** A timer may run this much too early. */
const CLOCK_TOLERANCE_MS = 2_000;

/**
 * Decides whether this process handles the timers: if it has the lease, and if its clock agrees with the database's. A
 * lease does not stop a process that was suspended: what happens outside of the table is claimed there first.
 */
export function createTimerHost(options: TimerHostOptions): TimerHost {
  const { runner, leases, serverClock, clock, log, everyMs = RENEW_EVERY_MS } = options;
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
  let rounds = 0;
  let end = async () => {};

  function isClockRight(): boolean {
    const { least = 0, most = 0 } = serverClock.offset() ?? {};
    const isRight = least <= CLOCK_TOLERANCE_MS && most >= -CLOCK_TOLERANCE_MS;
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
      await runner.pause();
      // So that a process whose clock is right can take it at once.
      await giveBack();
      // Learns the time, so that the next round knows whether the clock is right again.
      await leases?.list();
      return;
    }
    active = await hold();
    if (!active) return runner.pause();
    if (!wasActive || rounds++ % 2 === 0) await runner.look();
  }

  return {
    async start() {
      await round().then(() => health.worked(), health.failed);
      end = every(everyMs, round, { clock, health });
    },
    async stop() {
      await end();
      active = false;
      await runner.pause();
      try {
        await giveBack();
      } catch (error) {
        // The next owner takes it when it is stale.
        log.warn({ err: error }, 'The lease of the timers was not given back');
      }
    },
    state: () => ({ ...runner.state(), active, reachable: health.good, clockIsRight: clockHealth.good }),
  };
}
