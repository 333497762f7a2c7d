import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** Of the texts of all documents that are kept. A parsed one is up to 150 bytes a character: 40 MB. */
const CHARACTERS = 256 * 1_024;
/** A longer document is parsed each time: its tokens are bounded, what stands between them is not. */
const DOCUMENT_CHARACTERS = 16 * 1_024;

const characters = (_document: DocumentNode, text: string): number => text.length || 1;

/**
 * What Yoga remembers of documents, bounded by their size. Left to itself it keeps a thousand of them, and a
 * thousand errors, however long: 900 documents of a megabyte, mostly comments, from somebody without a token,
 * took the process from 130 MB to 1 GB. Errors are not kept at all: finding them again is bounded.
 */
export const createDocumentCache = () => ({
  documentCache: new LRUCache<string, DocumentNode>({
    maxSize: CHARACTERS,
    maxEntrySize: DOCUMENT_CHARACTERS,
    sizeCalculation: characters,
  }),
  errorCache: { get: () => undefined, set: () => {} },
});
