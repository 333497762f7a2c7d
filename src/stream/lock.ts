import { type Clock, sleep, systemClock } from '../core/clock.ts';
import { coalesced } from '../core/coalesced.ts';
import { every } from '../core/every.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { createLeases, type Lease, LeaseLost, leaseOwner } from './leases.ts';

const RENEW_MS = 2_000;
const LOST_AFTER_MS = 8_000;
/**
 * After this time without a renewal, nothing is written before one has succeeded. With the 5 s that a write may take,
 * less than LOST_AFTER_MS: no other run has begun when it arrives.
 */
const RENEWED_WITHIN_MS = 2_500;
const LOOK_MS = 500;
/** A run that is alive has renewed its lock within this time. */
const ALIVE_WITHIN_MS = RENEW_MS + 2 * LOOK_MS;

export interface LockOptions {
  readonly dynamo: Dynamo;
  readonly clock?: Clock;
  /** Called if a run that has not ended properly has to be waited for. */
  readonly onWait?: () => void;
}

export interface NamedLockOptions extends LockOptions {
  /** What is locked. The lock is a lease of the same kind as that of a shard, under a name that no stream has. */
  readonly name: string;
  /** The error of the run that is refused, or that finds that another one has taken over. */
  readonly running: () => Error;
}

export interface Lock {
  /**
   * Before each write. Throws the error of `running` if another run has taken over, because this one did nothing for
   * too long: a process that was suspended finds that out here, and not by its timer, which may come later. Throws it
   * after `release` as well: from then on another run may begin at any moment.
   */
  check(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Whether a run of this name has the table: it renews its lock meanwhile. Resolves within two seconds if there is one,
 * and after eight if it was killed or suspended.
 */
export async function isLocked({
  dynamo,
  name,
  clock = systemClock,
}: Pick<NamedLockOptions, 'dynamo' | 'name' | 'clock'>): Promise<boolean> {
  const leases = createLeases({
    dynamo,
    stream: name,
    owner: leaseOwner(),
    clock,
    lostAfterMs: LOST_AFTER_MS,
  });
  const [first] = await leases.list();
  for (let held = first; held?.owner !== undefined && !held.stale; [held] = await leases.list()) {
    if (held.counter !== first?.counter) return true;
    await sleep(clock, LOOK_MS);
  }
  return false;
}

/** Whether a run of this name has the table, or was killed while it had it. One read. */
export async function hasOwner(dynamo: Dynamo, name: string): Promise<boolean> {
  const [held] = await createLeases({ dynamo, stream: name, owner: leaseOwner() }).list();
  return held?.owner !== undefined;
}

/**
 * At most one run of this name has the table. A run that was killed holds the lock until it has not renewed it for
 * eight seconds; the next one waits for that, and refuses to begin as soon as it sees the other one alive.
 */
export async function lockTable(options: NamedLockOptions): Promise<Lock> {
  const { dynamo, name, running, clock = systemClock, onWait } = options;
  const leases = createLeases({
    dynamo,
    stream: name,
    owner: leaseOwner(),
    clock,
    lostAfterMs: LOST_AFTER_MS,
  });
  /** When the last renewal that succeeded was sent. No other run can have the lock for LOST_AFTER_MS from then on. */
  let renewedAt = clock.now();
  const lease = await taken();
  let lost: unknown;
  let isReleased = false;
  const renew = coalesced(async () => {
    const at = clock.now();
    try {
      await lease.renew();
      renewedAt = at;
    } catch (error) {
      if (error instanceof LeaseLost) lost = error;
      throw error;
    }
  });
  // What fails is tried again by the next one, or by what is to be written next.
  const stop = every(RENEW_MS, () => renew(), { clock });

  async function taken(): Promise<Lease> {
    const since = clock.now();
    let first: number | undefined;
    let isSaid = false;
    for (;;) {
      const [held] = await leases.list();
      if (held?.owner === undefined || held.stale) {
        renewedAt = clock.now();
        const mine = await leases.take(name);
        if (mine !== undefined) return mine;
        throw running();
      }
      first ??= held.counter;
      if (held.counter !== first) throw running();
      if (!isSaid && clock.now() - since >= ALIVE_WITHIN_MS) {
        isSaid = true;
        onWait?.();
      }
      await sleep(clock, LOOK_MS);
    }
  }

  return {
    async check() {
      if (isReleased) throw running();
      if (lost === undefined && clock.now() - renewedAt > RENEWED_WITHIN_MS) {
        await renew().catch((error: unknown) => {
          if (!(error instanceof LeaseLost)) throw error;
        });
      }
      // It may have been released while this waited for the renewal.
      if (isReleased || lost !== undefined) throw running();
    },
    async release() {
      isReleased = true;
      await stop();
      if (lost === undefined) await lease.release();
    },
  };
}
