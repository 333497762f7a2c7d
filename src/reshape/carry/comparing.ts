import { createHash } from 'node:crypto';
import { type Clock, systemClock } from '../../core/clock.ts';
import type { Item } from '../../dynamo/item.ts';
import { type Key, keyName, keyOf } from '../../dynamo/keys.ts';
import { hashOf } from './hash.ts';
import type { Persist } from './persist.ts';
import { createSettling, type Settled, type SettlingOptions } from './settling.ts';
import { alive, isCarried, type Side } from './sides.ts';
import { SEGMENTS } from './state.ts';
import { PAGE_UNITS, type Throttle } from './throttle.ts';

/** Only few of them have a key that changes while the sums are read. They need 16 MB for each table. */
const BUCKETS = 2 ** 20;
/** Sums wrap around here: two of them and a number stay exact. */
const SUM_MAX = 2 ** 48;
/** Keys that are compared at a time. */
const CHUNK = 100;

export interface Compared extends Settled {
  /** Items of both tables that were read. */
  readonly items: number;
}

export interface CompareOptions extends Pick<SettlingOptions, 'sides' | 'now' | 'reach'> {
  readonly throttle: Throttle;
  readonly persist: Persist;
  readonly clock?: Clock;
  readonly onItems?: (items: number) => void;
  /** Called when it is known how many items will be read in all, if no more are added. */
  readonly onExpected?: (items: number) => void;
}

const EQUAL: Settled = { differences: 0, undecided: 0, examples: [], unansweredMs: 0, isEarly: false };

/**
 * Whether both tables hold the same items, while servers change the source and a carrier follows. Both are read once,
 * in any order, into sums by hash of the key. Keys whose sums differ are read again, side by side, and those that are
 * not equal then are settled while the reading goes on. So it ends a minute after the reading, however much is written.
 * Memory does not depend on the size of the tables.
 */
export async function compareSides(options: CompareOptions): Promise<Compared> {
  const { sides, throttle, persist, now, clock = systemClock, onItems, onExpected, reach } = options;
  const pay = (items: number) => throttle.pay('reads', items);
  const settling = createSettling({ sides, now, clock, reach, read, pay });
  let items = 0;

  async function read<T>(work: () => Promise<T>): Promise<T> {
    const found: T[] = [];
    await persist(async () => void found.push(await work()));
    return found[0] as T;
  }

  /** Every item that is carried and has not expired. */
  async function readAll(side: Side, take: (page: readonly Item[]) => Promise<void> | void): Promise<void> {
    const parts = Array.from({ length: SEGMENTS }, (_, segment) => ({ segment, segments: SEGMENTS }));
    await Promise.all(
      parts.map(async (part) => {
        for (let after: Key | undefined, more = true; more && !settling.isOver; ) {
          await throttle.pay('reads', PAGE_UNITS);
          const page = await read(() => side.dynamo.scanPage({}, after, part));
          items += page.items.length;
          onItems?.(page.items.length);
          await take(page.items.filter((item) => isCarried(item) && alive(item, now()) !== undefined));
          after = page.next;
          more = after !== undefined;
        }
      }),
    );
  }

  async function sumsOf(side: Side): Promise<Float64Array> {
    const sums = new Float64Array(2 * BUCKETS);
    await readAll(side, (page) => {
      for (const item of page) {
        const hash = hashOf(item);
        const bucket = bucketOf(item);
        for (const half of [0, 1]) {
          const place = 2 * bucket + half;
          sums[place] = ((sums[place] ?? 0) + hash.readUIntBE(6 * half, 6)) % SUM_MAX;
        }
      }
    });
    return sums;
  }

  /** Reads those items of a page whose buckets differ on the other side as well. */
  async function sideBySide(
    page: readonly Item[],
    other: Side,
    take: (item: Item, copy: Item | undefined) => Promise<void>,
  ): Promise<void> {
    for (let i = 0; i < page.length && !settling.isOver; i += CHUNK) {
      const some = page.slice(i, i + CHUNK);
      await pay(some.length);
      const copies = await read(() => other.dynamo.batchGet(some.map(keyOf)));
      for (const [n, item] of some.entries()) await take(item, alive(copies[n], now()));
    }
  }

  /** Stops all reading if a part of it fails: a command that has failed ends. */
  const ending = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      settling.stop();
      throw error;
    });

  const [before, after] = await ending(Promise.all([sumsOf(sides.source), sumsOf(sides.target)]));
  const isDifferent = (item: Item) => {
    const place = 2 * bucketOf(item);
    return before[place] !== after[place] || before[place + 1] !== after[place + 1];
  };
  if (before.every((sum, place) => sum === after[place])) return { items, ...EQUAL };
  onExpected?.(2 * items);

  async function readAgain(): Promise<void> {
    await readAll(sides.source, (page) =>
      sideBySide(page.filter(isDifferent), sides.target, async (item, copy) => {
        if (!hashOf(item).equals(hashOf(copy))) await settling.add(keyOf(item), item);
      }),
    );
    // What the source does not have.
    await readAll(sides.target, (page) =>
      sideBySide(page.filter(isDifferent), sides.source, async (item, old) => {
        if (old === undefined) await settling.add(keyOf(item), undefined);
      }),
    );
    settling.complete();
  }

  const [settled] = await ending(Promise.all([settling.run(), readAgain()]));
  return { items, ...settled };
}

const bucketOf = (item: Item): number =>
  createHash('sha1').update(keyName(item)).digest().readUIntBE(0, 3) % BUCKETS;
