/**
 * What the work of a server counts as that has no pages, in objects of a page (16 µs of CPU each): see
 * `UserUsage.read`.
 */

/** The least that an operation counts as. */
export const LEAST_OBJECTS = { query: 10, mutation: 10, subscription: 20 } as const;

/** A connection for subscriptions: a new websocket, or the request for an event stream. */
export const CONNECTION_OBJECTS = 20;

/** A message of a websocket, also a ping. What it starts counts by itself, and so do the bytes that arrive. */
export const MESSAGE_OBJECTS = 1;

const CHARACTERS_PER_OBJECT = 4;

/** A new document, which is read and validated: 4 µs for each character. */
export const objectsOfDocument = (characters: number): number =>
  Math.ceil(characters / CHARACTERS_PER_OBJECT);

/** A text that is not longer is parsed in less time than the smallest operation takes. */
const FREE_BYTES = 4_096;
/**
 * Of a body, and of what a websocket receives, with the heads of frames: a message may have 256 parts, which take 0.1
 * ms even if they are empty.
 */
export const BYTES_PER_OBJECT = 256;

/** Whether a body or message is parsed in less time than the smallest operation takes. */
export const isShort = (bytes: number): boolean => bytes <= FREE_BYTES;

/** A body, which is parsed. JSON of nested arrays is the slowest: 0.1 ms for 1 KiB. */
export const objectsOfBody = (bytes: number): number =>
  isShort(bytes) ? 0 : Math.ceil(bytes / BYTES_PER_OBJECT);
