import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getOperationAST,
  OperationTypeNode,
} from 'graphql';
import { type CompileQuery, NeverWritable, type WriteData } from '../../core/writeData.ts';

/** The JSON text of the `data` of a result without errors, or a result. */
export type Executed = { readonly dataText: string } | ExecutionResult;

export interface CompiledExecutionOptions {
  readonly schema: GraphQLSchema;
  readonly compile: CompileQuery;
  /** Executions of a document by graphql-js before it is compiled: a text that is sent once is not worth it. */
  readonly compileAfter?: number;
  /** Milliseconds between two compilations: the CPU that clients with ever new documents can take. */
  readonly compileEveryMs?: number;
}

/** `onAgain` is called before a query is executed that could not be written: what it reads is read again. */
export type Execute = (args: ExecutionArgs, options?: { readonly onAgain?: () => void }) => Promise<Executed>;

const COMPILE_AFTER = 2;
const COMPILE_EVERY_MS = 50;

interface Known {
  executions: number;
  /** Undefined before it is compiled; null if it cannot be. */
  write: WriteData | null | undefined;
}

/**
 * Executes operations. Queries that are sent repeatedly are written as text by compiled code, everything else is
 * executed by graphql-js, and so is a query that has an error. Both give the same results:
 * `test/server/compiledExecution.test.ts` compares them. Mutations are left to graphql-js: their time is spent in the
 * database.
 */
export function createCompiledExecution({
  schema,
  compile,
  compileAfter = COMPILE_AFTER,
  compileEveryMs = COMPILE_EVERY_MS,
}: CompiledExecutionOptions): Execute {
  /** By document and operation name. The cache of documents bounds how many there are. */
  const operations = new WeakMap<DocumentNode, Map<string | undefined, Known>>();
  let compiledAt = Number.NEGATIVE_INFINITY;

  function knownOf({ document, operationName }: ExecutionArgs): Known {
    const name = operationName ?? undefined;
    const byName = operations.get(document) ?? new Map<string | undefined, Known>();
    operations.set(document, byName);
    const isQuery = getOperationAST(document, name)?.operation === OperationTypeNode.QUERY;
    const known = byName.get(name) ?? { executions: 0, write: isQuery ? undefined : null };
    byName.set(name, known);
    return known;
  }

  function compiled(known: Known, args: ExecutionArgs): WriteData | null {
    if (known.write !== undefined) return known.write;
    known.executions++;
    const now = performance.now();
    if (known.executions <= compileAfter || now < compiledAt + compileEveryMs) return null;
    compiledAt = now;
    known.write = compile({ ...args, schema }) ?? null;
    return known.write;
  }

  return async (args, { onAgain } = {}) => {
    const known = knownOf(args);
    const write = compiled(known, args);
    if (write === null) return execute(args);
    try {
      const text = write(args);
      return { dataText: typeof text === 'string' ? text : await text };
    } catch (error) {
      if (error instanceof NeverWritable) known.write = null;
      onAgain?.();
      return execute(args);
    }
  };
}
