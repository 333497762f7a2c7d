import type { Item } from '../../dynamo/item.ts';

/** The item as text, in which the order of attributes does not matter. Empty if there is none. */
export const canonical = (item: Item | undefined): string =>
  item === undefined ? '' : JSON.stringify(item, (_, value: unknown) => ordered(value));

function ordered(value: unknown): unknown {
  if (value instanceof Set) return [...value].sort();
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value))
    return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
