import { createHash } from 'node:crypto';
import { type Clock, sleep, systemClock } from '../../core/clock.ts';
import type { Item } from '../../dynamo/item.ts';
import { type Key, keyName, keyOf } from '../../dynamo/keys.ts';
import type { Persist } from './persist.ts';
import { alive, isCarried, type Side, type Sides } from './sides.ts';
import { SEGMENTS } from './state.ts';
import { PAGE_UNITS, type Throttle } from './throttle.ts';

const BUCKETS = 4_096;
/** Sums wrap around here: two of them and a number stay exact. */
const SUM_MAX = 2 ** 48;
/** Keys that are compared at a time. */
const CHUNK = 100;
/** A difference counts if the source has not changed for this long, and longer than the carrier is behind. Milliseconds. */
const SETTLED_MS = 5_000;
const LOOK_MS = 250;
/** What always changes is a difference after this time. */
const SETTLE_MAX_MS = 60_000;
/** Keys of differences that are kept. */
const SHOWN = 10;

export interface Compared {
  /** Items of both tables that were read. */
  readonly items: number;
  readonly differences: number;
  /** Some of their keys. */
  readonly examples: readonly Key[];
}

export interface CompareOptions {
  readonly sides: Sides;
  readonly throttle: Throttle;
  readonly persist: Persist;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly clock?: Clock;
  readonly onItems?: (items: number) => void;
  /** How far the carrier is behind, in milliseconds. */
  readonly lagMs: () => Promise<number>;
}

/**
 * Whether both tables hold the same items, while servers change the source and a carrier follows. Both are read once, in
 * any order, into sums by hash of the key. Only keys whose sums differ are read again, side by side. Memory does not
 * depend on the size of the tables.
 */
export async function compareSides(options: CompareOptions): Promise<Compared> {
  const { sides, throttle, persist, now, clock = systemClock, onItems, lagMs } = options;
  let items = 0;
  let differences = 0;
  const examples: Key[] = [];

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
        for (let after: Key | undefined, more = true; more; ) {
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
        const digest = createHash('sha1').update(canonical(item)).digest();
        const bucket = bucketOf(item);
        for (const half of [0, 1]) {
          const place = 2 * bucket + half;
          sums[place] = ((sums[place] ?? 0) + digest.readUIntBE(6 * half, 6)) % SUM_MAX;
        }
      }
    });
    return sums;
  }

  /** Counts those keys whose items differ, and go on to differ while the source does not change. */
  async function settle(wanted: readonly Key[]): Promise<void> {
    const since = new Map<
      string,
      { readonly text: string; readonly at: number; readonly seen: Set<string> }
    >();
    const startedAt = clock.now();
    for (let keys = wanted; keys.length > 0; ) {
      const [olds = [], news = []] = await read(() =>
        Promise.all([sides.source, sides.target].map(({ dynamo }) => dynamo.batchGet(keys))),
      );
      const settledMs = SETTLED_MS + (await read(lagMs));
      const at = now();
      keys = keys.filter((key, i) => {
        const text = digestOf(alive(olds[i], at));
        const before = since.get(keyName(key));
        const seen = (before?.seen ?? new Set()).add(text);
        // What changes all the time is carried if the target has what the source had a moment ago.
        if (seen.has(digestOf(alive(news[i], at)))) return false;
        if (before?.text !== text) since.set(keyName(key), { text, at: clock.now(), seen });
        const isOld = before?.text === text && clock.now() - before.at >= settledMs;
        if (!isOld && clock.now() - startedAt < SETTLE_MAX_MS) return true;
        differences++;
        if (examples.length < SHOWN) examples.push(key);
        return false;
      });
      if (keys.length > 0) await sleep(clock, LOOK_MS);
    }
  }

  const [before, after] = await Promise.all([sumsOf(sides.source), sumsOf(sides.target)]);
  const isDifferent = (bucket: number) =>
    [2 * bucket, 2 * bucket + 1].some((place) => before[place] !== after[place]);
  const isAnyDifferent = Array.from({ length: BUCKETS }, (_, bucket) => bucket).some(isDifferent);
  if (!isAnyDifferent) return { items, differences, examples };
  const settleChunks = async (keys: readonly Key[]) => {
    for (let i = 0; i < keys.length; i += CHUNK) await settle(keys.slice(i, i + CHUNK));
  };
  const inDifferent = (page: readonly Item[]) =>
    page.filter((item) => isDifferent(bucketOf(item))).map(keyOf);
  await readAll(sides.source, (page) => settleChunks(inDifferent(page)));
  // What the source does not have.
  await readAll(sides.target, async (page) => {
    const keys = inDifferent(page);
    const olds = await read(() => sides.source.dynamo.batchGet(keys));
    await settleChunks(keys.filter((_, i) => alive(olds[i], now()) === undefined));
  });
  return { items, differences, examples };
}

const digestOf = (item: Item | undefined): string =>
  createHash('sha1').update(canonical(item)).digest('base64');

const bucketOf = (item: Item): number =>
  createHash('sha1').update(keyName(item)).digest().readUInt16BE(0) % BUCKETS;

/** The item as text, in which the order of attributes does not matter. */
const canonical = (item: Item | undefined): string =>
  item === undefined ? '' : JSON.stringify(item, (_, value: unknown) => ordered(value));

function ordered(value: unknown): unknown {
  if (value instanceof Set) return [...value].sort();
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value))
    return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
