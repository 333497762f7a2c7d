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
   * milliseconds since 1970: the first time from now on that no other reservation needs. A job that has a reservation
   * keeps it. No units can be written at once, without a reservation.
   */
  reserve(job: string, units: ReadonlyMap<string, number>): number;
  /** The reservation was used, for this many units, and the rest is given back. */
  settle(job: string, units: number): void;
}

/** From one time to another (milliseconds since 1970). */
interface Span {
  readonly from: number;
  /** It may be shortened. */
  until: number;
}

/** What a job that does not come back has reserved is forgotten after this time. */
const FORGOTTEN_AFTER_MS = 60_000;
/** How many buckets are kept before those without a reservation are removed. */
const BUCKETS = 1_000;

export const sumOf = (units: ReadonlyMap<string, number>): number =>
  [...units.values()].reduce((sum, one) => sum + one, 0);

export function createBudget({ rates = RATES, now }: BudgetOptions): Budget {
  /** The times in which each bucket writes what is reserved, in order. */
  const buckets = new Map<string, Span[]>();
  const reserved = new Map<
    string,
    { readonly at: number; readonly units: number; readonly spans: readonly Span[] }
  >();

  /** How long each bucket takes for the units (milliseconds). */
  function timesOf(job: string, units: ReadonlyMap<string, number>): Array<readonly [string, number]> {
    const all = sumOf(units);
    return [
      [`job ${job}`, (all / rates.ofJob) * 1_000],
      ['all', (all / rates.inAll) * 1_000],
      ...[...units].map(
        ([partition, some]) => [`partition ${partition}`, (some / rates.ofPartition) * 1_000] as const,
      ),
    ];
  }

  /** The first time from `from` on at which the bucket has nothing to write for that long. */
  function firstGap(bucket: string, from: number, ms: number): number {
    let at = from;
    for (const span of buckets.get(bucket) ?? []) {
      if (span.from >= at + ms) break;
      at = Math.max(at, span.until);
    }
    return at;
  }

  function prune(): void {
    for (const [job, { at }] of reserved) if (at < now() - FORGOTTEN_AFTER_MS) reserved.delete(job);
    if (buckets.size < BUCKETS) return;
    for (const [bucket, spans] of buckets)
      if (spans.every(({ until }) => until <= now())) buckets.delete(bucket);
  }

  function book(bucket: string, span: Span): void {
    const kept = (buckets.get(bucket) ?? []).filter(({ until }) => until > now());
    const next = kept.findIndex(({ from }) => from >= span.until);
    buckets.set(bucket, next < 0 ? [...kept, span] : kept.toSpliced(next, 0, span));
  }

  return {
    reserve(job, units) {
      const earlier = reserved.get(job);
      if (earlier !== undefined) return earlier.at;
      const all = sumOf(units);
      // `settle` would divide by zero, and no time would be free from then on.
      if (all === 0) return now();
      prune();
      const times = timesOf(job, units);
      let at = now();
      // Each bucket may move it on, and then the ones before have to be asked again.
      for (let last = Number.NaN; at !== last; ) {
        last = at;
        for (const [bucket, ms] of times) at = firstGap(bucket, at, ms);
      }
      const spans = times.map(([bucket, ms]) => {
        const span = { from: at, until: at + ms };
        book(bucket, span);
        return span;
      });
      reserved.set(job, { at, units: all, spans });
      return at;
    },
    settle(job, units) {
      const used = reserved.get(job);
      if (used === undefined) return;
      reserved.delete(job);
      for (const span of used.spans) span.until = span.from + ((span.until - span.from) * units) / used.units;
    },
  };
}
