import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Key } from '../dynamo/keys.ts';
import { keyName, keyOf, parseKey } from '../dynamo/keys.ts';
import type { Direction, Shape, StoredItem } from '../dynamo/shape.ts';
import { difference, unitsOf } from './converter.ts';

/** Pages of 1 MB that are read, at places that are spread over the table. */
const SAMPLES = 16;
/** A million write units of a table on demand, in dollars (us-east-1). */
const DOLLARS_PER_MILLION = 0.625;

export interface Plan {
  /** Items that were read for it, of how many, and groups among them that would be converted. */
  readonly sampled: number;
  readonly items: number;
  readonly inSample: number;
  /** For the whole table. */
  readonly groups: number;
  readonly writeUnits: number;
  readonly seconds: number;
  readonly dollars: number;
}

export interface PlanOptions {
  readonly dynamo: Pick<Dynamo, 'scanPage' | 'batchGet'>;
  readonly shape: Shape;
  readonly direction: Direction;
  /** Write units a second. */
  readonly rate: number;
  /** How many items the table has, as the database says; it counts them every six hours. */
  readonly items: number;
}

/** What a change would convert and cost, by a sample: at most 16 MB are read. A small table is read completely. */
export async function planOf({ dynamo, shape, direction, rate, items }: PlanOptions): Promise<Plan> {
  const parts = Array.from({ length: SAMPLES }, (_, segment) => ({ segment, segments: SAMPLES }));
  const pages = await Promise.all(
    parts.map((part) => dynamo.scanPage(shape.candidates[direction], undefined, part)),
  );
  const sampled = pages.reduce((sum, { scanned }) => sum + scanned, 0);
  const isWhole = pages.every(({ next }) => next === undefined);
  const groups = new Map<string, readonly Key[]>();
  for (const item of pages.flatMap(({ items: found }) => found)) {
    const keys = shape.group(parseKey(keyOf(item)));
    if (keys?.[0] !== undefined) groups.set(keyName(keys[0]), keys);
  }
  const found = (await dynamo.batchGet([...groups.values()].flat())).values();
  let [inSample, units] = [0, 0];
  for (const keys of groups.values()) {
    const before = keys.flatMap(() => (found.next().value as StoredItem | undefined) ?? []);
    const after = shape[direction](before);
    if (difference(keys, before, after).length === 0) continue;
    inSample++;
    units += unitsOf(keys, before, after);
  }
  const all = isWhole ? sampled : Math.max(items, sampled);
  const times = sampled === 0 ? 0 : all / sampled;
  const writeUnits = Math.round(units * times);
  return {
    ...{ sampled, items: all, inSample, groups: Math.round(inSample * times), writeUnits },
    seconds: Math.ceil(writeUnits / rate),
    dollars: (writeUnits / 1_000_000) * DOLLARS_PER_MILLION,
  };
}
