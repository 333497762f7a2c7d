/**
 * The shapes of the table that this release reads: the one before, and its own. An item's `v` is the oldest shape that
 * it fits into, so a server that does not know a shape leaves the items alone that are in it.
 */

/** The shape of a table that has no item `SHAPE`, and the `v` of every item that no later shape has changed. */
export const FIRST_SHAPE = 1;

/** Long bodies are items of their own: `src/messages/longBodies`. */
export const LONG_BODIES = 2;

export const KNOWN_SHAPES: readonly number[] = [FIRST_SHAPE, LONG_BODIES];

export const NEWEST_SHAPE: number = Math.max(...KNOWN_SHAPES);
