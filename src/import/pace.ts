import { type Clock, sleep, systemClock } from '../core/clock.ts';
import { ContentionError, OutageError } from '../core/errors.ts';
import { CONSUMER_BACKOFF, retryUntilDone } from '../core/retry.ts';
import { type BulkWriteOptions, bulkWrite, itemsIn, type Unit } from '../dynamo/bulkWrite.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import type { Check } from '../dynamo/write.ts';
import { createBudget } from '../jobs/budget.ts';

export interface PaceOptions {
  readonly dynamo: Dynamo;
  readonly by: BulkWriteOptions['by'];
  /** Write units a second. Undefined: as fast as the database is. */
  readonly rate: number | undefined;
  /** Called before each write: rejects if this run may not go on. */
  readonly check: () => Promise<void>;
  readonly clock?: Clock;
}

export type Pace = ReturnType<typeof createPace>;

/** The items of one of those that are written, in a shape of the table: always with the same keys in the same shape. */
type ItemsOf<One> = (one: One, shape: number) => readonly Unit[];

const ITEMS_MAX = 1_000;
/** For how long an outage of the database is waited out, as in a write of many items. */
const OUTAGE_MS = 60_000;

/** Writes within a rate. */
export function createPace({ dynamo, by, rate, check, clock = systemClock }: PaceOptions) {
  const budget =
    rate === undefined
      ? undefined
      : createBudget({ rates: { ofJob: rate, inAll: rate, ofPartition: rate }, now: () => clock.now() });
  /** Several may pay at once. Each has a reservation of its own, or they would share the first one. */
  let payments = 0;

  /** Resolves when this many units may be written: at once if there are none. */
  async function pay(units: number): Promise<void> {
    if (budget !== undefined && units > 0) {
      const name = `import ${payments++}`;
      const at = budget.reserve(name, new Map([['all', units]]));
      await sleep(clock, Math.max(0, at - clock.now()));
      budget.settle(name, units);
    }
    await despiteOutage(check);
  }

  async function despiteOutage(work: () => Promise<unknown>): Promise<void> {
    const until = clock.now() + OUTAGE_MS;
    await retryUntilDone(work, {
      clock,
      policy: CONSUMER_BACKOFF,
      signal: undefined,
      onFailure(error) {
        const mayPass = error instanceof OutageError || error instanceof ContentionError;
        if (!mayPass || clock.now() >= until) throw error;
      },
    });
  }

  /** If another shape is in force meanwhile, everything is put again in that one. */
  async function put<One>(part: readonly One[], itemsOf: ItemsOf<One>, guard?: Check): Promise<void> {
    for (let isWritten = false; !isWritten; ) {
      const shape = dynamo.shape();
      const items = part.flatMap((one) => itemsOf(one, shape));
      const how = guard === undefined ? { by } : { by: 'transactions' as const, guard };
      isWritten = await bulkWrite({
        dynamo,
        items,
        ...how,
        async mayGoOn() {
          await check();
          return dynamo.shape() === shape;
        },
      });
    }
  }

  return {
    pay,
    /**
     * Puts the items of one that others can change as soon as it is there. They are one transaction with the guard, and
     * are written once: after a lost response, nothing that others have made of them is overwritten. Resolves to false
     * if the guard does not hold.
     */
    async create<One>(one: One, itemsOf: ItemsOf<One>, guard: Check): Promise<boolean> {
      const items = () => itemsOf(one, dynamo.shape()).flatMap(itemsIn);
      await pay(items().reduce((sum, item) => sum + 2 * unitsOf(item), 0));
      let isGuarded = true;
      await despiteOutage(async () => {
        await check();
        const puts = items().map((put) => ({ put, condition: 'attribute_not_exists(pk)' }));
        const failed = await dynamo.tryTransact({ puts, guard });
        isGuarded = failed?.guard === undefined;
      });
      return isGuarded;
    },
    /**
     * Puts the items of these, which no one else writes, in no particular order, in the shape in force when they are
     * written. Items of one unit are written in transactions, which cost twice. So is everything with a guard: throws
     * `ConditionsFailed` once it does not hold.
     */
    async write<One>(all: readonly One[], itemsOf: ItemsOf<One>, guard?: Check): Promise<void> {
      const inTransactions = by === 'transactions' || guard !== undefined;
      for (let from = 0; from < all.length; ) {
        const part: One[] = [];
        let [items, units] = [0, 0];
        // A second's worth, so that a low rate has no bursts.
        while (
          from < all.length &&
          items < ITEMS_MAX &&
          (part.length === 0 || units < (rate ?? Number.POSITIVE_INFINITY))
        ) {
          const one = all[from++] as One;
          part.push(one);
          for (const together of itemsOf(one, dynamo.shape()).map(itemsIn)) {
            items += together.length;
            const times = inTransactions || together.length > 1 ? 2 : 1;
            for (const item of together) units += times * unitsOf(item);
          }
        }
        await pay(units);
        await put(part, itemsOf, guard);
      }
    },
  };
}

/** The write units of an item outside of a transaction, about: a unit for each kilobyte, and one for the index. */
export const unitsOf = (item: Item): number =>
  Math.ceil(Buffer.byteLength(JSON.stringify(item)) / 1024) + (item.gsi1pk === undefined ? 0 : 1);
