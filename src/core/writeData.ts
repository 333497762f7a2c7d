import type { ExecutionArgs } from 'graphql';

/** Writes the JSON of a result's `data`. Throws or rejects, with any error, if the operation has to be executed. */
export type WriteData = (
  run: Pick<ExecutionArgs, 'rootValue' | 'contextValue' | 'variableValues'>,
) => string | Promise<string>;

/** Compiles an operation for all values of its variables. Undefined if it has to be executed. */
export type CompileQuery = (
  args: Pick<ExecutionArgs, 'schema' | 'document' | 'operationName'>,
) => WriteData | undefined;

/** Only execution can give the result: it is an error, or cannot be written. */
export class Unwritable extends Error {}

/** The same for all results of the operation: a resolver asks for what only execution knows. */
export class NeverWritable extends Unwritable {}
