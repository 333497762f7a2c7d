import { isDeepStrictEqual } from 'node:util';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { type Key, keyName, keyOf, parseKey } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import type { Direction, Group, Shape, StoredItem } from '../dynamo/shape.ts';
import type { Write } from '../dynamo/write.ts';

/** What an item is compared by when it is written: its shape and its versions. */
const VERSIONS = ['v', 'rev', 'edits'];

/** Holds if the item is as it was read. */
function unchanged(item: Item) {
  const versions = VERSIONS.filter((name) => item[name] !== undefined);
  return {
    condition: ['attribute_exists(pk)', ...versions.map((name) => `${name} = :was_${name}`)].join(' AND '),
    values: Object.fromEntries(versions.map((name) => [`:was_${name}`, item[name]])),
  };
}

/** Writes only the attributes that differ, so everything else that the item has stays as it is. */
function changeOf(was: StoredItem, item: StoredItem): Write | undefined {
  const set = Object.keys(item).filter((name) => !isDeepStrictEqual(was[name], item[name]));
  const removed = Object.keys(was).filter((name) => item[name] === undefined);
  if (set.length + removed.length === 0) return undefined;
  const { condition, values } = unchanged(was);
  const names = [...set, ...removed];
  return {
    key: keyOf(was),
    update: [
      ...(set.length > 0 ? [`SET ${set.map((name, i) => `#a${i} = :${name}`).join(', ')}`] : []),
      ...(removed.length > 0 ? [`REMOVE ${removed.map((_, i) => `#a${set.length + i}`).join(', ')}`] : []),
    ].join(' '),
    condition,
    names: Object.fromEntries(names.map((name, i) => [`#a${i}`, name])),
    values: { ...values, ...Object.fromEntries(set.map((name) => [`:${name}`, item[name]])) },
  };
}

const itemAt = (group: Group, key: Key): StoredItem | undefined =>
  group.find((item) => keyName(item) === keyName(key));

const NOT_THERE = { condition: 'attribute_not_exists(pk)' };

/** Undefined: the item stays as it is. */
function writeOf(was: StoredItem | undefined, item: StoredItem | undefined): Write | undefined {
  if (item === undefined) return was === undefined ? undefined : { delete: keyOf(was), ...unchanged(was) };
  return was === undefined ? { put: item, ...NOT_THERE } : changeOf(was, item);
}

/**
 * The writes that make one group with these keys of the other. None if they are the same. Otherwise each item that
 * stays as it is, or stays away, is checked: the group was read in a batch, which is not a snapshot, so another write
 * may have come between its items, and what is right for the ones that were read would be wrong for the ones that are
 * stored.
 */
export function difference(groupKeys: readonly Key[], before: Group, after: Group): Write[] {
  const writes = groupKeys.map((key) => writeOf(itemAt(before, key), itemAt(after, key)));
  if (writes.every((write) => write === undefined)) return [];
  return writes.map((write, i): Write => {
    const check = groupKeys[i] as Key;
    const was = itemAt(before, check);
    return write ?? { check, ...(was === undefined ? NOT_THERE : unchanged(was)) };
  });
}

const kilobytes = (item: Item | undefined): number =>
  item === undefined ? 0 : Math.ceil(Buffer.byteLength(JSON.stringify(item)) / 1_024);

/**
 * Write units of the transaction that makes one group of the other: two for each kilobyte of the larger item, before or
 * after, and two for a check of an item that is not there.
 */
export const unitsOf = (groupKeys: readonly Key[], before: Group, after: Group): number =>
  groupKeys.reduce((units, key) => {
    const [was, item] = [itemAt(before, key), itemAt(after, key)];
    return units + 2 * Math.max(1, kilobytes(was), kilobytes(item));
  }, 0);

export interface ConverterOptions {
  readonly dynamo: Pick<Dynamo, 'batchGet' | 'tryTransact' | 'optimistic'>;
  readonly shape: Shape;
  readonly direction: Direction;
  /** Resolves when so much may be written to this partition. */
  readonly mayWrite: (pk: string, units: number) => Promise<void>;
  /** Called with the units that DynamoDB charged for a group. */
  readonly onConverted: (units: number) => void;
}

/** Converts groups one by one, each in one transaction on the condition that all of it is as it was read. */
export function createConverter({ dynamo, shape, direction, mayWrite, onConverted }: ConverterOptions) {
  async function read(groups: ReadonlyArray<readonly Key[]>): Promise<Group[]> {
    const found = (await dynamo.batchGet(groups.flat())).values();
    return groups.map((keys) => keys.flatMap(() => (found.next().value as StoredItem | undefined) ?? []));
  }

  async function convert(keys: readonly Key[], first: Group): Promise<void> {
    await dynamo.optimistic(async (attempt) => {
      const before = attempt === 0 ? first : ((await read([keys]))[0] ?? []);
      const after = shape[direction](before);
      const writes = difference(keys, before, after);
      if (writes.length === 0) return undefined;
      await mayWrite(keys[0]?.pk ?? '', unitsOf(keys, before, after));
      let units = 0;
      const failed = await dynamo.tryTransact({ writes }, { onUnits: (charged) => (units = charged) });
      if (failed !== undefined) return AGAIN;
      onConverted(units);
      return undefined;
    });
  }

  /**
   * Converts the groups of these items, which are read in one batch, until `isOver`, at least the first. Resolves to
   * how many of the items are done.
   */
  async function convertSome(items: readonly Item[], isOver: () => boolean): Promise<number> {
    const groups = items.map((item) => shape.group(parseKey(keyOf(item))) ?? []);
    const found = await read(groups);
    const done = new Set<string>();
    for (const [i, keys] of groups.entries()) {
      if (i > 0 && isOver()) return i;
      const name = keys.map(keyName).join();
      if (!done.has(name)) await convert(keys, found[i] ?? []);
      done.add(name);
    }
    return items.length;
  }

  return { convertSome };
}
