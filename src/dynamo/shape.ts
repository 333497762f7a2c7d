import type { Item } from './item.ts';
import type { Key, ParsedKey } from './keys.ts';
import type { Guard } from './write.ts';

export type StoredItem = Key & Item;

/** The items of a group that exist, in the order of their keys. */
export type Group = readonly StoredItem[];

/**
 * How a shape differs from the one before. Only groups differ from group to group; both functions are pure, and each is
 * the reverse of the other. What `up` writes is written by a server in this shape, too.
 */
export interface Shape {
  /** One more than that of the shape before. */
  readonly version: number;
  /** What is different in it, for the operator. */
  readonly title: string;
  /** Items whose groups may have to be converted: what a scan of the table leaves out for certain is not looked at. */
  readonly candidates: Readonly<Record<Direction, Guard>>;
  /**
   * The items that belong together, by the key of one of them: at most ten of one partition. Undefined: not of this
   * shape.
   */
  group(key: ParsedKey): readonly Key[] | undefined;
  /** The group in this shape. The same if it has it already. */
  readonly up: (group: Group) => Group;
  /** The group in the shape before. */
  readonly down: (group: Group) => Group;
}

export type Direction = 'up' | 'down';
