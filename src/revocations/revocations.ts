import { conflict, unavailable } from '../core/errors.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ConditionsFailed } from '../dynamo/errors.ts';
import { type Key, keys, parseKey, ranges } from '../dynamo/keys.ts';
import type { Write } from '../dynamo/write.ts';
import { type Revocation, revocationItem, revocationOf, type Target } from './revocation.ts';

/** In force at a time: what every server keeps in memory, 2 MB of it. */
const REVOCATIONS_MAX = 10_000;

/** How often another one, made at the same moment, may come in between. */
const ATTEMPTS = 10;
const PAGE = 1_000;

export interface RevocationsOptions {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly max?: number;
}

export type Revocations = ReturnType<typeof createRevocations>;

/**
 * The list of revocations. It is numbered by one item that each of them moves, so whoever has read up to a
 * number asks for what comes behind it and misses none, whatever the clocks of the machines say.
 */
export function createRevocations({ dynamo, now = Date.now, max = REVOCATIONS_MAX }: RevocationsOptions) {
  /** Those with a higher number than `last`, also where they have expired and linger. A query, in most cases empty. */
  async function since(last: number): Promise<Revocation[]> {
    const found: Revocation[] = [];
    for (let from = last + 1, more = true; more; ) {
      const page = await dynamo.query(ranges.revocations(from), { limit: PAGE });
      for (const item of page.items) {
        const key = parseKey(item as unknown as Key);
        if (key.type === 'revocation') found.push(revocationOf(key.number, item));
      }
      more = page.more;
      from = (found.at(-1)?.number ?? from) + 1;
    }
    return found;
  }

  /**
   * Refuses tokens from now on, until `expiresAt` (seconds since 1970). All that is in force is read, then one
   * transaction. Throws CONFLICT where too many are in force.
   */
  async function revoke(target: Target, expiresAt: number): Promise<Revocation> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const inForce = (await since(0)).filter((one) => one.expiresAt * 1_000 > now());
      if (inForce.length >= max) {
        throw conflict(`${max} revocations are in force already. Change the key that signs tokens instead.`);
      }
      const last = (await dynamo.get(keys.lastRevocation()))?.number;
      const revocation = { ...target, number: Number(last ?? 0) + 1, expiresAt };
      if (await appended(revocation, last)) return revocation;
    }
    throw unavailable();
  }

  /** False where somebody else was first. */
  async function appended(revocation: Revocation, last: unknown): Promise<boolean> {
    const names = { '#number': 'number' };
    const counted: Write = {
      put: { ...keys.lastRevocation(), v: 1, number: revocation.number },
      ...(last === undefined
        ? { condition: 'attribute_not_exists(pk)' }
        : { condition: '#number = :last', names, values: { ':last': last } }),
    };
    try {
      await dynamo.transact([counted, { put: revocationItem(revocation) }]);
      return true;
    } catch (error) {
      if (error instanceof ConditionsFailed) return false;
      throw error;
    }
  }

  return { since, revoke };
}
