/** Write units a second. */
export interface Rates {
  readonly ofJob: number;
  /** For all jobs together. */
  readonly inAll: number;
  /** DynamoDB's own limit for a partition is 1,000. */
  readonly ofPartition: number;
}

const RATES: Rates = { ofJob: 200, inAll: 1_000, ofPartition: 250 };

export interface BudgetOptions {
  readonly rates?: Rates;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** How much each job may write at which time, in one process: the one that runs the timers. */
export interface Budget {
  /**
   * Reserves write units, by the partition that they are written to, and returns when they may be written, in
   * milliseconds since 1970. Reservations are met in the order in which they are made, so jobs with several steps take
   * turns. A job that has a reservation keeps it.
   */
  reserve(job: string, units: ReadonlyMap<string, number>): number;
  /** The reservation was used, for this many units, and the rest is given back. */
  settle(job: string, units: number): void;
}

interface Share {
  /** The units of `bucket` that are reserved are written by this time, at its rate. */
  readonly bucket: string;
  readonly rate: number;
  readonly units: number;
}

/** What a job that does not come back has reserved is forgotten after this time. */
const FORGOTTEN_AFTER_MS = 60_000;
/** How many buckets are kept before those that are full again are removed. */
const BUCKETS = 1_000;

export function createBudget({ rates = RATES, now }: BudgetOptions): Budget {
  /** When each bucket has written everything that is reserved (milliseconds since 1970). Absent: now. */
  const busyUntil = new Map<string, number>();
  const reserved = new Map<string, { readonly at: number; readonly shares: readonly Share[] }>();

  function sharesOf(job: string, units: ReadonlyMap<string, number>): Share[] {
    const all = [...units.values()].reduce((sum, one) => sum + one, 0);
    return [
      { bucket: `job ${job}`, rate: rates.ofJob, units: all },
      { bucket: 'all', rate: rates.inAll, units: all },
      ...[...units].map(([partition, some]) => ({
        bucket: `partition ${partition}`,
        rate: rates.ofPartition,
        units: some,
      })),
    ];
  }

  function prune(): void {
    for (const [job, { at }] of reserved) if (at < now() - FORGOTTEN_AFTER_MS) reserved.delete(job);
    if (busyUntil.size < BUCKETS) return;
    for (const [bucket, until] of busyUntil) if (until <= now()) busyUntil.delete(bucket);
  }

  return {
    reserve(job, units) {
      const earlier = reserved.get(job);
      if (earlier !== undefined) return earlier.at;
      prune();
      const shares = sharesOf(job, units);
      const at = Math.max(now(), ...shares.map(({ bucket }) => busyUntil.get(bucket) ?? 0));
      for (const { bucket, rate, units: some } of shares) {
        const from = Math.max(now(), busyUntil.get(bucket) ?? 0);
        busyUntil.set(bucket, from + (some / rate) * 1_000);
      }
      reserved.set(job, { at, shares });
      return at;
    },
    settle(job, units) {
      const used = reserved.get(job);
      reserved.delete(job);
      const all = used?.shares[0]?.units ?? 0;
      if (used === undefined || all === 0) return;
      for (const { bucket, rate, units: some } of used.shares) {
        const back = some * (1 - units / all);
        busyUntil.set(bucket, (busyUntil.get(bucket) ?? now()) - (back / rate) * 1_000);
      }
    },
  };
}
