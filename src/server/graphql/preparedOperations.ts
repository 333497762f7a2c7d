import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  type OperationTypeNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { CacheSize } from '../../core/metrics.ts';
import type { Holder } from '../../core/rateLimits.ts';
import type { DocumentLimits } from '../limits.ts';
import { checkDocument } from './documentLimits.ts';
import { fragmentsOf, selectsData } from './fragments.ts';
import { type CostFunction, compileCost } from './operationCost.ts';
import { patternOf } from './patternOf.ts';

/** An operation that is within the limits of documents and valid. Everything that does not depend on a request. */
export interface PreparedOperation {
  readonly document: DocumentNode;
  readonly operationName: string | undefined;
  readonly type: OperationTypeNode;
  readonly costOf: CostFunction;
  /** Whether it has a field other than `__typename` and those of introspection. */
  readonly selectsData: boolean;
  /** Its name in the metrics: see `Work`. */
  readonly pattern: string;
}

/**
 * The operation of this name in a document, or the only one. Throws RefusedDocument, and what `onNew` throws. For a
 * known document it takes two map lookups. `holder`: the sender.
 */
export type Prepare = (
  text: string,
  operationName: string | null | undefined,
  holder?: Holder,
) => PreparedOperation;

/** Why a document may not run: too large, or not valid. */
export class RefusedDocument extends Error {
  override readonly name = 'RefusedDocument';
  readonly errors: readonly GraphQLError[];
  /** Undefined if the document could not be read or has no such operation. */
  readonly type: OperationTypeNode | undefined;

  constructor(errors: readonly GraphQLError[], type?: OperationTypeNode) {
    super('The document was refused.');
    this.errors = errors;
    this.type = type;
  }
}

export interface PrepareOptions {
  readonly schema: GraphQLSchema;
  readonly limits: DocumentLimits;
  /** The limits for clients without a token. By default, the same. */
  readonly anonymousLimits?: DocumentLimits;
  readonly introspection: boolean;
  /** Called before a document that is not known is read, with its sender. What it throws refuses the document. */
  readonly onNew?: (holder: Holder, text: string) => void;
  /** Called once, with the size of what is kept. */
  readonly onCache?: ((size: () => CacheSize) => void) | undefined;
}

/** The length of all kept documents together. A parsed document takes up to 150 bytes a character: 40 MB in all. */
const CHARACTERS = 256 * 1_024;
/** A longer document is not kept. The number of its tokens is bounded, so it is cheap to parse each time. */
const DOCUMENT_CHARACTERS = 16 * 1_024;

interface KnownDocument {
  readonly document: DocumentNode;
  /** By the name that was asked for. Only names that the document has, so they are bounded by its length. */
  readonly operations: Map<string | undefined, PreparedOperation>;
}

/**
 * Parses, checks and validates each document once, and keeps the valid ones, bounded by their length: 900 documents of
 * a megabyte, mostly comments, from a client without a token, would take the process from 130 MB to 1 GB. Errors are
 * not kept, because the work to find them again is bounded, and 200 characters can have 100 of them.
 */
export function createPrepare({
  schema,
  limits,
  anonymousLimits = limits,
  introspection,
  onNew,
  onCache,
}: PrepareOptions): Prepare {
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const documents = new LRUCache<string, KnownDocument>({
    maxSize: CHARACTERS,
    maxEntrySize: DOCUMENT_CHARACTERS,
    sizeCalculation: (_known, text) => text.length || 1,
  });
  onCache?.(() => ({ entries: documents.size, bytes: documents.calculatedSize }));

  function read(text: string, name: string | undefined, isAnonymous: boolean): KnownDocument {
    const document = parsed(text, isAnonymous ? anonymousLimits : limits);
    const errors = validate(schema, document, rules);
    if (errors.length > 0) throw new RefusedDocument(errors, getOperationAST(document, name)?.operation);
    return { document, operations: new Map() };
  }

  function operationIn({ document, operations }: KnownDocument, name: string | undefined) {
    const operation = getOperationAST(document, name);
    if (operation == null) throw new RefusedDocument([noSuchOperation()]);
    const costOf = compileCost(document, { schema, operation });
    const fragments = fragmentsOf(document);
    const prepared = {
      document,
      operationName: name,
      type: operation.operation,
      costOf,
      selectsData: selectsData(operation.selectionSet, fragments),
      pattern: patternOf(operation, { schema, fragments }),
    };
    operations.set(name, prepared);
    return prepared;
  }

  return (text, operationName, holder) => {
    const name = operationName ?? undefined;
    let known = documents.get(text);
    if (known === undefined) {
      if (holder !== undefined) onNew?.(holder, text);
      known = read(text, name, holder?.user === null);
      documents.set(text, known);
    }
    return known.operations.get(name) ?? operationIn(known, name);
  };
}

/** Before it is validated, because the time that validation takes is bounded only for documents within the limits. */
function parsed(text: string, limits: DocumentLimits): DocumentNode {
  try {
    const document = parse(text, { maxTokens: limits.tokens });
    checkDocument(document, limits);
    return document;
  } catch (error) {
    throw error instanceof GraphQLError ? new RefusedDocument([error]) : error;
  }
}

const noSuchOperation = () => new GraphQLError("Name one of the document's operations in `operationName`.");
