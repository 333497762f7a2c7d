import {
  type GiveBack,
  type Held,
  holderOfPlace,
  type RateLimit,
  type UserLimits,
  type UserUsage,
} from '../core/rateLimits.ts';

export interface UserUsageOptions {
  readonly limits: UserLimits;
  /** Called for every refusal, with the limit's name. */
  readonly onRefused?: (limit: keyof UserLimits) => void;
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number;
  /** See `UserUsage.refuse`. */
  readonly refusedMs?: number;
}

/**
 * The longest time that a refusal waits. The places of operations limit how many wait, so it also limits how many a
 * client has in a second: 25 with the 50 places of a user.
 */
const REFUSED_MS = 2_000;

/** Counts in the memory of this server only: each query is counted, and must not wait for another system. */
export function createUserUsage({
  limits,
  onRefused,
  now = () => performance.now(),
  refusedMs = REFUSED_MS,
}: UserUsageOptions): UserUsage {
  const places = {
    user: createPlaces((what) => limits[what]),
    network: createPlaces((what) => limits[OF_NETWORK[what]]),
  };
  const budgets = {
    user: budgetOf(limits.objects, now),
    network: budgetOf(limits.networkObjects, now),
  };
  const refusals = budgetOf(limits.refusals, now);

  /** Refuses if fewer than `room` places are left. */
  function takeBoth(
    what: Held,
    { user, network }: Holders,
    count: number,
    room: number,
  ): GiveBack | undefined {
    if (user !== null && !places.user.take(what, user, count, room)) {
      onRefused?.(what);
      return undefined;
    }
    if (network !== null && !places.network.take(what, network, count, room)) {
      if (user !== null) places.user.give(what, user, count);
      onRefused?.(OF_NETWORK[what]);
      return undefined;
    }
    let given = false;
    // One function for both: a server holds it for each socket and subscription.
    return () => {
      if (given) return;
      given = true;
      if (user !== null) places.user.give(what, user, count);
      if (network !== null) places.network.give(what, network, count);
    };
  }

  return {
    take: (what, holders) => takeBoth(what, holders, 1, 1),
    extend: (what, holders, count) => takeBoth(what, holders, count, 0),
    add: (what, holders, count) => takeBoth(what, holders, count, Number.NEGATIVE_INFINITY) ?? (() => {}),
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
    refuse(holder) {
      const { user } = holderOfPlace(holder);
      const waitMs = refusals.wait(user, 1);
      if (waitMs > 0) onRefused?.('refusals');
      // The debt ends where the wait does, so a client that stops is served as before two seconds later.
      if (waitMs < refusedMs) refusals.spend(user, 1);
      return Math.min(waitMs, refusedMs);
    },
  };
}

type Holders = Parameters<UserUsage['take']>[1];

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
    /** False if fewer than `room` places are left. */
    take(what: Held, holder: string, count: number, room: number): boolean {
      const max = maxOf(what);
      if (max === undefined) return true;
      const before = held[what].get(holder) ?? 0;
      if (before + room > max) return false;
      held[what].set(holder, before + count);
      return true;
    },
    give(what: Held, holder: string, count: number): void {
      const left = (held[what].get(holder) ?? 0) - count;
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
