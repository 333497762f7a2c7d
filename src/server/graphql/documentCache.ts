import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** The length of all kept documents together. A parsed document takes up to 150 bytes a character: 40 MB in all. */
const CHARACTERS = 256 * 1_024;
/** A longer document is not kept. The number of its tokens is bounded, so it is cheap to parse each time. */
const DOCUMENT_CHARACTERS = 16 * 1_024;

const characters = (_document: DocumentNode, text: string): number => text.length || 1;

/**
 * Yoga's cache of parsed documents, bounded by their length. By default Yoga keeps a thousand documents and a thousand
 * errors of any length: 900 documents of a megabyte, mostly comments, from a client without a token, took the process
 * from 130 MB to 1 GB. Errors are not kept, because the work to find them again is bounded.
 */
export const createDocumentCache = () => ({
  documentCache: new LRUCache<string, DocumentNode>({
    maxSize: CHARACTERS,
    maxEntrySize: DOCUMENT_CHARACTERS,
    sizeCalculation: characters,
  }),
  errorCache: { get: () => undefined, set: () => {} },
});
