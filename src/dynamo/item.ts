/** An item as the table holds it: plain JavaScript values (marshalling is done at the edge). */
export type Item = Record<string, unknown>;

/**
 * Put on an item that is written as history, with all that follows from it written beside it: that it comes
 * into the table is no news, so the stream's consumer leaves it out. What becomes of it later is news.
 */
export const IMPORTED = { imported: true } as const;
