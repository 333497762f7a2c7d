import { createHash } from 'node:crypto';
import type { Item } from '../../dynamo/item.ts';

/** 20 bytes that are the same for the same item, in which the order of attributes does not matter, and for none. */
export const hashOf = (item: Item | undefined): Buffer => createHash('sha1').update(canonical(item)).digest();

/** The same as text. */
export const hashTextOf = (item: Item | undefined): string => hashOf(item).toString('base64');

const canonical = (item: Item | undefined): string =>
  item === undefined ? '' : JSON.stringify(item, (_, value: unknown) => ordered(value));

function ordered(value: unknown): unknown {
  if (value instanceof Set) return [...value].sort();
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value))
    return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
