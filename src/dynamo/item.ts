/** An item as the table holds it: plain JavaScript values (marshalling is done at the edge). */
export type Item = Record<string, unknown>;
