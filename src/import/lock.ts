import { type Clock, sleep, systemClock } from '../core/clock.ts';
import { every } from '../core/every.ts';
import { singleFlight } from '../core/singleFlight.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { createLeases, type Lease, LeaseLost, leaseOwner } from '../stream/leases.ts';

/** Another import of this table is running. */
export class ImportRunning extends Error {
  override readonly name = 'ImportRunning';
  constructor() {
    super('Another import into this table is running. Wait until it has ended.');
  }
}

/** A lease of the same kind as that of a shard, under a name that no stream has. */
const NAME = 'import';
const RENEW_MS = 2_000;
const LOST_AFTER_MS = 8_000;
/**
 * After this time without a renewal, nothing is written before one has succeeded. With the 5 s that a write may take, less
 * than LOST_AFTER_MS: no other run has begun when it arrives.
 */
const RENEWED_WITHIN_MS = 2_500;
const LOOK_MS = 500;

export interface LockOptions {
  readonly dynamo: Dynamo;
  readonly clock?: Clock;
  /** Called if a run that has not ended properly has to be waited for. */
  readonly onWait?: () => void;
}

/**
 * At most one import of a table runs. A run that was killed holds the lock until it has not renewed it for eight seconds;
 * the next one waits for that, and refuses to begin as soon as it sees the other one alive. Throws `ImportRunning`.
 */
export async function lockImports({ dynamo, clock = systemClock, onWait }: LockOptions) {
  const leases = createLeases({
    dynamo,
    stream: NAME,
    owner: leaseOwner(),
    lostAfterMs: LOST_AFTER_MS,
    clock,
  });
  /** When the last renewal that succeeded was sent. No other run can have the lock for LOST_AFTER_MS from then on. */
  let renewedAt = clock.now();
  const lease = await taken();
  let lost: unknown;
  const renew = singleFlight(async () => {
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
    let first: number | undefined;
    for (;;) {
      const [held] = await leases.list();
      if (held?.owner === undefined || held.stale) {
        renewedAt = clock.now();
        const mine = await leases.take(NAME);
        if (mine !== undefined) return mine;
        throw new ImportRunning();
      }
      if (first === undefined) onWait?.();
      first ??= held.counter;
      if (held.counter !== first) throw new ImportRunning();
      await sleep(clock, LOOK_MS);
    }
  }

  return {
    /**
     * Before each write. Throws `ImportRunning` if another run has taken over, because this one did nothing for too long: a
     * process that was suspended finds that out here, and not by its timer, which may come later.
     */
    async check(): Promise<void> {
      if (lost === undefined && clock.now() - renewedAt > RENEWED_WITHIN_MS) {
        await renew().catch((error: unknown) => {
          if (!(error instanceof LeaseLost)) throw error;
        });
      }
      if (lost !== undefined) throw new ImportRunning();
    },
    async release(): Promise<void> {
      await stop();
      if (lost === undefined) await lease.release();
    },
  };
}
