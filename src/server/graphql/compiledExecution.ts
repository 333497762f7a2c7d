import {
  BREAK,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  OperationTypeNode,
  visit,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';

type Execute = (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>;

export interface CompiledExecutionOptions {
  readonly schema: GraphQLSchema;
  /** Executions of a document by graphql-js before it is compiled: a text that is sent once is not worth it. */
  readonly compileAfter?: number;
  /** Milliseconds between two compilations: the CPU that clients with ever new documents can take. */
  readonly compileEveryMs?: number;
}

const COMPILE_AFTER = 2;
const COMPILE_EVERY_MS = 50;

interface Known {
  executions: number;
  /** Undefined before it is compiled; null if it cannot be. */
  run: CompiledQuery['query'] | null | undefined;
}

/**
 * Executes queries that are sent repeatedly by compiled code (graphql-jit), everything else by graphql-js. Both give
 * the same results: `test/server/compiledExecution.test.ts` compares them. Mutations are left to graphql-js: their time
 * is spent in the database.
 */
export function createCompiledExecution({
  schema,
  compileAfter = COMPILE_AFTER,
  compileEveryMs = COMPILE_EVERY_MS,
}: CompiledExecutionOptions): Execute {
  /** By document and operation name. The cache of documents bounds how many there are. */
  const operations = new WeakMap<DocumentNode, Map<string | undefined, Known>>();
  let compiledAt = Number.NEGATIVE_INFINITY;

  function compiled({ document, operationName }: ExecutionArgs): CompiledQuery['query'] | null {
    const name = operationName ?? undefined;
    const byName = operations.get(document) ?? new Map<string | undefined, Known>();
    operations.set(document, byName);
    const known = byName.get(name) ?? { executions: 0, run: undefined };
    byName.set(name, known);
    if (known.run !== undefined) return known.run;
    known.executions++;
    const now = performance.now();
    if (known.executions <= compileAfter || now < compiledAt + compileEveryMs) return null;
    compiledAt = now;
    known.run = compile(schema, document, name);
    return known.run;
  }

  return (args) => {
    const operation = getOperationAST(args.document, args.operationName);
    const run = operation?.operation === OperationTypeNode.QUERY ? compiled(args) : null;
    if (run === null) return execute(args);
    const result = run(args.rootValue, args.contextValue, args.variableValues ?? {});
    return result instanceof Promise
      ? result.then((settled: ExecutionResult) => finished(settled, args))
      : finished(result, args);
  };
}

/** graphql-jit 0.8.9 applies `@skip` and `@include` to other selections, too, so documents with them are not compiled. */
function compile(schema: GraphQLSchema, document: DocumentNode, name: string | undefined) {
  if (hasDirectives(document)) return null;
  const compiledQuery = compileQuery(schema, document, name);
  return isCompiledQuery(compiledQuery) ? compiledQuery.query : null;
}

function hasDirectives(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Directive() {
      found = true;
      return BREAK;
    },
  });
  return found;
}

/** Without data no field was read: the variables are wrong, and graphql-js says what is wrong with them. */
function finished(
  { data, errors }: ExecutionResult,
  args: ExecutionArgs,
): ExecutionResult | Promise<ExecutionResult> {
  if (errors === undefined) return { data: data ?? null };
  if (data === undefined) return execute(args);
  return { errors: errors.map((error) => asGraphQLError(error, args.document)), data };
}

/** An error as graphql-js makes it. The compiled code's lacks `extensions` and `positions`. */
function asGraphQLError(error: GraphQLError, { loc }: DocumentNode): GraphQLError {
  const { message, path, originalError, locations } = error;
  const source = loc?.source;
  return new GraphQLError(message, {
    ...(path === undefined ? {} : { path }),
    ...(originalError === undefined ? {} : { originalError }),
    ...(source === undefined
      ? {}
      : { source, positions: (locations ?? []).map((location) => offsetOf(source.body, location)) }),
  });
}

/** `line` and `column` count from 1. */
function offsetOf(
  text: string,
  { line, column }: { readonly line: number; readonly column: number },
): number {
  const ends = [...text.matchAll(/\r\n|\n|\r/g)];
  const end = ends[line - 2];
  return (end === undefined ? 0 : end.index + end[0].length) + column - 1;
}
