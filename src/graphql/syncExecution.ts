import { type ExecutionArgs, getOperationAST, getVariableValues } from 'graphql';
import { textOf, type Write } from './textOutput.ts';
import { fragmentsByName, rootWriter } from './textWriters.ts';

export type WriteResult = (rootValue: unknown, context: unknown) => string | undefined;

const NO_VARIABLES = {};

/**
 * Compiles an operation into a function that writes its result as JSON, for results that are sent often and need
 * nothing that has to be read. It calls the schema's own resolvers, so it knows no type and no field, and does without
 * the promises and objects of an execution. A result that it cannot write is undefined, and has to be executed: if a
 * resolver returns a promise or throws, if something is null that may not be, and for interfaces and unions.
 */
export function compileSync({ schema, document, operationName, variableValues }: ExecutionArgs): WriteResult {
  const operation = getOperationAST(document, operationName);
  const type = operation == null ? undefined : schema.getRootType(operation.operation);
  const { coerced } = getVariableValues(schema, operation?.variableDefinitions ?? [], variableValues ?? {});
  if (operation == null || type == null || coerced === undefined) return () => undefined;
  const fragments = fragmentsByName(document.definitions);
  let write: Write | undefined;
  try {
    write = rootWriter(type, operation.selectionSet, { schema, fragments, variables: coerced, waits: false });
  } catch {
    // Unwritable, or a mistake such as a directive whose variable is null: execution adds the error to the result.
  }
  return (rootValue, context) => {
    try {
      return write === undefined
        ? undefined
        : `{"data":${textOf(write, rootValue, { context, variables: NO_VARIABLES })}}`;
    } catch {
      // Also what a resolver throws: execution adds the error to the result.
      return undefined;
    }
  };
}
