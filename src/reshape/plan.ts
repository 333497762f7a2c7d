import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Key } from '../dynamo/keys.ts';
import { keyName, keyOf, parseKey } from '../dynamo/keys.ts';
import { ON_DEMAND } from '../dynamo/prices.ts';
import type { ScanPage } from '../dynamo/reads.ts';
import type { Direction, Group, Shape, StoredItem } from '../dynamo/shape.ts';
import { READS_PER_WRITE } from './conversionJob.ts';
import { difference, unitsOf } from './converter.ts';

/** Pages of 1 MB that are read, at places that are spread over the table. */
const SAMPLES = 16;
/** How often the table is read, at least: the pass after the last conversion finds nothing. */
const PASSES = 2;
const READ_UNIT_BYTES = 4_096;

export interface Plan {
  /** Items that were read for it, of how many, and groups among them that would be converted. */
  readonly sampled: number;
  readonly items: number;
  readonly inSample: number;
  /** For the whole table. */
  readonly groups: number;
  readonly writeUnits: number;
  /** Of two passes over the table, and of the groups that they look at. */
  readonly readUnits: number;
  /** At the rate, for what takes longer: the writing, or the reading if little is converted. */
  readonly seconds: number;
  /** For both, at the prices of a table on demand. */
  readonly dollars: number;
  /** The same for a million items of a table like this one. */
  readonly dollarsPerMillion: number;
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
  const pages: ScanPage[] = [];
  // One by one: a plan is not urgent, and a small database has clients to serve.
  for (const part of parts) pages.push(await dynamo.scanPage(shape.candidates[direction], undefined, part));
  const sampled = pages.reduce((sum, { scanned }) => sum + scanned, 0);
  const isWhole = pages.every(({ next }) => next === undefined);
  const groups = new Map<string, readonly Key[]>();
  for (const item of pages.flatMap(({ items: found }) => found)) {
    const keys = shape.group(parseKey(keyOf(item)));
    if (keys?.[0] !== undefined) groups.set(keyName(keys[0]), keys);
  }
  const found = (await dynamo.batchGet([...groups.values()].flat())).values();
  const scanUnits = pages.reduce((sum, { units }) => sum + units, 0);
  let [inSample, units, reads] = [0, 0, PASSES * scanUnits];
  for (const keys of groups.values()) {
    const before = keys.flatMap(() => (found.next().value as StoredItem | undefined) ?? []);
    const after = shape[direction](before);
    const isConverted = difference(keys, before, after).length > 0;
    // What is converted is not looked at again.
    reads += readUnitsOf(keys, before) * (isConverted ? 1 : PASSES);
    if (!isConverted) continue;
    inSample++;
    units += unitsOf(keys, before, after);
  }
  const all = isWhole ? sampled : Math.max(items, sampled);
  const times = sampled === 0 ? 0 : all / sampled;
  const [writeUnits, readUnits] = [Math.round(units * times), Math.round(reads * times)];
  const dollars = writeUnits * ON_DEMAND.writeUnit + readUnits * ON_DEMAND.readUnit;
  return {
    sampled,
    items: all,
    inSample,
    groups: Math.round(inSample * times),
    writeUnits,
    readUnits,
    seconds: Math.ceil(Math.max(writeUnits / rate, readUnits / (rate * READS_PER_WRITE))),
    dollars,
    dollarsPerMillion: all === 0 ? 0 : (dollars / all) * 1_000_000,
  };
}

/** A key that has no item is charged as well. */
const readUnitsOf = (keys: readonly Key[], group: Group): number =>
  keys.length -
  group.length +
  group.reduce(
    (units, item) => units + Math.ceil(Buffer.byteLength(JSON.stringify(item)) / READ_UNIT_BYTES),
    0,
  );
