import type { Held, RateLimit, UserLimits, UserUsage } from '../core/rateLimits.ts';

export interface UserUsageOptions {
  readonly limits: UserLimits;
  /** Called for every refusal, with the limit's name. */
  readonly onRefused?: (limit: keyof UserLimits) => void;
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number;
}

/** Counts in the memory of this server only: each query is counted, and must not wait for another system. */
export function createUserUsage({
  limits,
  onRefused,
  now = () => performance.now(),
}: UserUsageOptions): UserUsage {
  const places = {
    user: createPlaces((what) => limits[what]),
    network: createPlaces((what) => limits[OF_NETWORK[what]]),
  };
  const budgets = {
    user: budgetOf(limits.objects, now),
    network: budgetOf(limits.networkObjects, now),
  };

  return {
    take(what, { user, network }) {
      if (user !== null && !places.user.take(what, user)) {
        onRefused?.(what);
        return undefined;
      }
      if (!places.network.take(what, network)) {
        if (user !== null) places.user.give(what, user);
        onRefused?.(OF_NETWORK[what]);
        return undefined;
      }
      let given = false;
      // One function for both: a server holds it for each socket and subscription.
      return () => {
        if (given) return;
        given = true;
        if (user !== null) places.user.give(what, user);
        places.network.give(what, network);
      };
    },
    read({ user, network }, count) {
      // First what refuses, then what counts: a refused read costs neither of them.
      const waitOfNetwork = budgets.network.wait(network, count);
      const waitOfUser = user === null ? 0 : budgets.user.wait(user, count);
      if (waitOfUser > 0) onRefused?.('objects');
      else if (waitOfNetwork > 0) onRefused?.('networkObjects');
      const waitMs = Math.max(waitOfUser, waitOfNetwork);
      if (waitMs > 0) return waitMs;
      budgets.network.spend(network, count);
      if (user !== null) budgets.user.spend(user, count);
      return 0;
    },
  };
}

const OF_NETWORK = {
  sockets: 'networkSockets',
  subscriptions: 'networkSubscriptions',
  operations: 'networkOperations',
} as const satisfies Readonly<Record<Held, keyof UserLimits>>;

/** Counts what is held and who holds it. A holder of nothing has no entry. */
function createPlaces(maxOf: (what: Held) => number | undefined) {
  const held: Readonly<Record<Held, Map<string, number>>> = {
    sockets: new Map(),
    subscriptions: new Map(),
    operations: new Map(),
  };
  return {
    /** False if there is no place left. */
    take(what: Held, holder: string): boolean {
      const max = maxOf(what);
      if (max === undefined) return true;
      const count = held[what].get(holder) ?? 0;
      if (count >= max) return false;
      held[what].set(holder, count + 1);
      return true;
    },
    give(what: Held, holder: string): void {
      const left = (held[what].get(holder) ?? 0) - 1;
      if (left > 0) held[what].set(holder, left);
      else held[what].delete(holder);
    },
  };
}

interface Budget {
  /** 0, or the milliseconds until `count` fits. */
  wait(holder: string, count: number): number;
  /** Takes `count`, which fits. */
  spend(holder: string, count: number): void;
}

const UNLIMITED: Budget = { wait: () => 0, spend: () => {} };

const budgetOf = (limit: RateLimit | undefined, now: () => number): Budget =>
  limit === undefined ? UNLIMITED : createTokenBuckets(limit, now);

/** Sums of fractions are a little too low now and then. */
const ROUNDING = 1e-6;

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * A token bucket for each user or network. It is our own, because the library that counts actions consumes what it
 * refuses, and says when the next single one fits: a client that obeyed it with a large query would never be let
 * through. More than the bucket holds is taken from a full one, which then has a debt.
 */
function createTokenBuckets({ max, seconds }: RateLimit, now: () => number): Budget {
  const perMs = max / (seconds * 1_000);
  const buckets = new Map<string, Bucket>();
  let sweptAt = now();

  /** A bucket that is full again needs no entry. */
  function sweep(at: number): void {
    if (at - sweptAt < seconds * 1_000) return;
    sweptAt = at;
    for (const [user, bucket] of buckets)
      if (bucket.tokens + (at - bucket.at) * perMs >= max) buckets.delete(user);
  }

  function tokensOf(holder: string, at: number): number {
    const bucket = buckets.get(holder);
    return bucket === undefined ? max : Math.min(max, bucket.tokens + (at - bucket.at) * perMs);
  }

  return {
    wait(holder, count) {
      const missing = Math.min(count, max) - tokensOf(holder, now());
      return missing > ROUNDING ? Math.max(1, Math.ceil(missing / perMs)) : 0;
    },
    spend(holder, count) {
      const at = now();
      sweep(at);
      buckets.set(holder, { tokens: tokensOf(holder, at) - count, at });
    },
  };
}
