/** An item of the table as plain JavaScript values. `dynamo.ts` and the stream's reader marshal it. */
export type Item = Record<string, unknown>;

/**
 * Whether this process keeps the item (`transport/knownItems.ts`): as long as it does not change, reads return the same
 * object.
 */
export const isKept = (item: Item): boolean => Object.isFrozen(item);

/**
 * Marks an item that is written as history, together with everything that would be derived from it. The stream
 * consumer skips the record of its insertion. It handles later changes of the item as usual.
 */
export const IMPORTED = { imported: true } as const;
