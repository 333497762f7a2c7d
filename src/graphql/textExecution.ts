import { BREAK, getOperationAST, getVariableValues, visit } from 'graphql';
import { type CompileQuery, Unwritable } from '../core/writeData.ts';
import { textOf } from './textOutput.ts';
import { fragmentsByName, rootWriter } from './textWriters.ts';

/**
 * Compiles an operation, for all values of its variables, into a function that writes its result as JSON. It calls the
 * schema's own resolvers, all fields of an object before it waits for one, as execution does. It makes no objects of
 * the result, and texts that many results have are kept (`keepingWriter`). Only results without errors are written.
 * Undefined for an operation with directives, and for one that asks for the schema.
 */
export const compileText: CompileQuery = ({ schema, document, operationName }) => {
  const operation = getOperationAST(document, operationName);
  const type = operation == null ? undefined : schema.getRootType(operation.operation);
  if (operation == null || type == null) return undefined;
  let hasDirectives = false;
  visit(document, {
    Directive() {
      hasDirectives = true;
      return BREAK;
    },
  });
  if (hasDirectives) return undefined;
  const { variableDefinitions = [] } = operation;
  try {
    const fragments = fragmentsByName(document.definitions);
    const from = { schema, fragments, variables: undefined, waits: true };
    const write = rootWriter(type, operation.selectionSet, from);
    return ({ rootValue, contextValue, variableValues }) => {
      const { coerced } = getVariableValues(schema, variableDefinitions, variableValues ?? {});
      if (coerced === undefined) throw new Unwritable();
      return textOf(write, rootValue, { context: contextValue, variables: coerced });
    };
  } catch {
    // A field of introspection, or a mistake: execution adds the error to the result.
    return undefined;
  }
};
