import type { Item } from '../item.ts';

/** A power of two. */
const SLOTS = 32_768;
/** Bytes. A longer item is not kept. */
const ITEM_MAX = 4_096;
/** Bytes of all kept items. As objects, they take two to three times as much memory in addition. */
const TOTAL_MAX = 8 * 1_024 * 1_024;

/** The attributes of one item in a response: where the JSON of each value begins and ends. */
export class Attributes {
  readonly names: string[] = [];
  readonly from: number[] = [];
  readonly to: number[] = [];
  /** The hash of the item's key. */
  hash = 0;
  count = 0;

  /** Bytes of all values. */
  get size(): number {
    let size = 0;
    for (let i = 0; i < this.count; i++) size += (this.to[i] ?? 0) - (this.from[i] ?? 0);
    return size;
  }

  clear(): void {
    this.hash = 0;
    this.count = 0;
  }

  add(name: string, from: number, to: number): void {
    this.names[this.count] = name;
    this.from[this.count] = from;
    this.to[this.count] = to;
    this.count++;
  }
}

/** Reads the value that begins at this place of the response. */
export type ReadAt = (at: number) => unknown;

const MAP = 'M'.charCodeAt(0);

function isSame(one: Buffer, at: number, other: Buffer, otherAt: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (one[at + i] !== other[otherAt + i]) return false;
  return true;
}

/** Compares two values of items. */
function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const names = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === Object.keys(other).length &&
    names.every(
      (name) => Object.hasOwn(other, name) && isEqual(Reflect.get(one, name), Reflect.get(other, name)),
    )
  );
}

/** The names of an item's attributes in their order: one for all kept items that have the same. */
interface Shape {
  readonly names: readonly string[];
  readonly indexes: ReadonlyMap<string, number>;
}

/** More are not met: the program decides on the names. */
const SHAPES_MAX = 1_000;
const shapes = new Map<string, Shape>();

function shapeOf({ names, count }: Attributes): Shape {
  const own = names.slice(0, count);
  // Not joined: `['']` and `[]` would be the same, and names may contain any character.
  const key = JSON.stringify(own);
  const known = shapes.get(key);
  if (known !== undefined) return known;
  if (shapes.size >= SHAPES_MAX) shapes.clear();
  const shape = { names: own, indexes: new Map(own.map((name, i) => [name, i])) };
  shapes.set(key, shape);
  return shape;
}

/** Thousands are kept, so each has one buffer and no maps: those took 1 KB more. */
class KnownItem {
  readonly item: Item;
  readonly #shape: Shape;
  /** For each value two bytes, which say where it begins, and two for the end. Then the JSON of the values. */
  readonly #bytes: Buffer;

  constructor(item: Item, response: Buffer, attributes: Attributes) {
    const { from, to, count, size } = attributes;
    this.item = item;
    this.#shape = shapeOf(attributes);
    let at = 2 * (count + 1);
    // A copy, because the whole response would be kept otherwise.
    this.#bytes = Buffer.allocUnsafe(at + size);
    for (let i = 0; i < count; i++) {
      this.#bytes.writeUInt16LE(at, 2 * i);
      at += response.copy(this.#bytes, at, from[i], to[i]);
    }
    this.#bytes.writeUInt16LE(at, 2 * count);
  }

  get size(): number {
    return this.#bytes.length;
  }

  /** Whether the response has the same attributes with the same values, in any order, also in maps. */
  equals(response: Buffer, { names, from, to, count }: Attributes, readAt: ReadAt): boolean {
    const { names: own, indexes } = this.#shape;
    if (count !== own.length) return false;
    const bytes = this.#bytes;
    for (let i = 0; i < count; i++) {
      const name = names[i] ?? '';
      const index = own[i] === name ? i : indexes.get(name);
      if (index === undefined) return false;
      const begin = bytes.readUInt16LE(2 * index);
      const start = from[i] ?? 0;
      const length = (to[i] ?? 0) - start;
      if (bytes.readUInt16LE(2 * index + 2) - begin !== length) return false;
      if (isSame(response, start, bytes, begin, length)) continue;
      if (response[start + 2] !== MAP || !isEqual(readAt(start), this.item[name])) return false;
    }
    return true;
  }
}

/** The names that other tables give their keys, apart from `pk` and `sk`. An item is found by the values of its key. */
const otherKeys = new Set<string>();
const OTHER_KEYS_MAX = 32;

/** Items of a table with these keys are kept, too. Only a process that goes from one table to another has several. */
export function alsoKeyedBy(names: readonly string[]): void {
  if (otherKeys.size < OTHER_KEYS_MAX) for (const name of names) otherKeys.add(name);
}

/** Whether an attribute is part of an item's key. */
export const isOfKey = (name: string): boolean =>
  name === 'sk' || name === 'pk' || (otherKeys.size > 0 && otherKeys.has(name));

const slots = new Array<KnownItem | undefined>(SLOTS);
const seen = new Int32Array(SLOTS);
let total = 0;
let count = 0;

/** What is kept. */
export const knownItemsSize = () => ({ entries: count, bytes: total });

/**
 * The item with these attributes, if it was read lately: the pages of a busy room have mostly the same items. All bytes
 * of its values are compared, so it is what reading them again would return. It is frozen, and the same object each
 * time, so what is derived from it can be kept by it.
 */
export function knownItem(response: Buffer, attributes: Attributes, readAt: ReadAt): Item | undefined {
  const known = slots[attributes.hash & (SLOTS - 1)];
  return known?.equals(response, attributes, readAt) === true ? known.item : undefined;
}

/** Keeps the item, if its key is met for the second time: most items are read only once. */
export function keepItem(item: Item, response: Buffer, attributes: Attributes): void {
  const slot = attributes.hash & (SLOTS - 1);
  if (seen[slot] !== attributes.hash) {
    seen[slot] = attributes.hash;
    return;
  }
  // Before it is frozen, which says that it is kept.
  if (attributes.size > ITEM_MAX) return;
  const known = new KnownItem(frozen(item), response, attributes);
  if (total > TOTAL_MAX) {
    slots.fill(undefined);
    total = 0;
    count = 0;
  }
  if (slots[slot] === undefined) count++;
  total += known.size - (slots[slot]?.size ?? 0);
  slots[slot] = known;
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
