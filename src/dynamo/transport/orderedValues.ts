import type { Item } from '../item.ts';

/** More are not met: the program decides on the names. */
const RANKS_MAX = 1_000;
/** The place of each attribute's name in all items. */
const ranks = new Map<string, number>();

function rankOf(name: string): number {
  const known = ranks.get(name);
  if (known !== undefined) return known;
  if (ranks.size >= RANKS_MAX) return RANKS_MAX;
  ranks.set(name, ranks.size);
  return ranks.size - 1;
}

/**
 * Makes items whose attributes are in the same order, in any order that a response or a record has them. The embedded
 * database writes them in a different order each time. V8 would have a hidden class for each order that it meets, and
 * for each step towards it: a membership of ten attributes has up to ten new ones of 80 bytes, and reading an attribute
 * of such items is a lookup by its name.
 */
export class OrderedValues {
  readonly #ranks: number[] = [];
  readonly #names: string[] = [];
  readonly #values: unknown[] = [];
  #count = 0;

  clear(): void {
    this.#count = 0;
  }

  /** The last one of several with the same name counts, as in `JSON.parse`. */
  add(name: string, value: unknown): void {
    const rank = rankOf(name);
    let at = this.#count++;
    for (; at > 0 && (this.#ranks[at - 1] ?? 0) > rank; at--) {
      this.#ranks[at] = this.#ranks[at - 1] ?? 0;
      this.#names[at] = this.#names[at - 1] ?? '';
      this.#values[at] = this.#values[at - 1];
    }
    this.#ranks[at] = rank;
    this.#names[at] = name;
    this.#values[at] = value;
  }

  /** Keeps no value. */
  item(): Item {
    const item: Item = {};
    for (let i = 0; i < this.#count; i++) {
      const name = this.#names[i] ?? '';
      if (name === '__proto__') define(item, name, this.#values[i]);
      else item[name] = this.#values[i];
      this.#values[i] = undefined;
    }
    this.#count = 0;
    return item;
  }
}

/** Assigning to `__proto__` would set the object's prototype. */
function define(item: Item, name: string, value: unknown): void {
  Object.defineProperty(item, name, { value, enumerable: true, configurable: true, writable: true });
}
