import { conflict } from '../core/errors.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keyOf, keys, parseKey, ranges } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import type { Write } from '../dynamo/write.ts';
import { isOperators, type Revocation, revocationItem, revocationOf, type Target } from './revocation.ts';

/**
 * How many may be in force at a time, apart from those of users who signed out everywhere or deleted their account,
 * which have no bound and end after an hour. Every server keeps all of them in memory: 2 MB for this many.
 */
const REVOCATIONS_MAX = 10_000;
const PAGE = 1_000;

export interface RevocationsOptions {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly max?: number;
}

export type Revocations = ReturnType<typeof createRevocations>;

/**
 * The list of revocations. One item holds the last number, and each new revocation raises it. A server that has
 * read up to a number asks for higher ones and misses none, even if the machines' clocks differ.
 */
export function createRevocations({ dynamo, now = Date.now, max = REVOCATIONS_MAX }: RevocationsOptions) {
  /**
   * Those with a higher number than `last`, including expired ones that are not deleted yet. Usually one empty query.
   */
  async function since(last: number): Promise<Revocation[]> {
    const found: Revocation[] = [];
    for (let from = last + 1, more = true; more; ) {
      const page = await dynamo.query(ranges.revocations(from), { limit: PAGE });
      for (const item of page.items) {
        const key = parseKey(keyOf(item));
        if (key.type === 'revocation') found.push(revocationOf(key.number, item));
      }
      more = page.more;
      from = (found.at(-1)?.number ?? from) + 1;
    }
    return found;
  }

  /**
   * Refuses tokens from now on, until `expiresAt` (seconds since 1970). Reads all revocations, then takes one
   * transaction. Throws CONFLICT if too many are in force.
   */
  const revoke = (target: Target, expiresAt: number): Promise<Revocation> =>
    dynamo.optimistic(async () => {
      const inForce = (await since(0)).filter((one) => isOperators(one) && one.expiresAt * 1_000 > now());
      if (inForce.length >= max) {
        throw conflict(
          'LIMIT_REACHED',
          `${max} revocations are already in force. Change the key that signs tokens instead.`,
        );
      }
      const { revocation, writes } = await prepare(target, expiresAt);
      return (await dynamo.tryTransact(writes)) === undefined ? revocation : AGAIN;
    });

  /**
   * A part of a transaction that must not be written if a revocation is made between this read and the transaction. One
   * read.
   */
  async function noneSince(): Promise<Write> {
    return { check: keys.lastRevocation(), ...ifLast((await dynamo.get(keys.lastRevocation()))?.number) };
  }

  /**
   * A revocation for a transaction with the change that it follows from. One read. The writes fail if another
   * revocation was made in the meantime.
   */
  async function prepare(target: Target, expiresAt: number) {
    const last = (await dynamo.get(keys.lastRevocation()))?.number;
    const revocation: Revocation = { ...target, number: Number(last ?? 0) + 1, expiresAt };
    const lastNumber: Write = {
      put: { ...keys.lastRevocation(), v: FIRST_SHAPE, number: revocation.number },
      ...ifLast(last),
    };
    return { revocation, writes: { lastNumber, revocation: { put: revocationItem(revocation) } } };
  }

  return { since, revoke, prepare, noneSince };
}

/** Holds if no revocation was made after this one. Undefined: if there is none. */
const ifLast = (last: unknown) =>
  last === undefined
    ? { condition: 'attribute_not_exists(pk)' }
    : { condition: '#number = :last', names: { '#number': 'number' }, values: { ':last': last } };
