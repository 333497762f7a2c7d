import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  parse,
} from 'graphql';
import type { Log } from '../../../core/log.ts';
import type { ServerLimits } from '../../limits.ts';
import { clientError } from '../clientError.ts';
import { checkDocument } from '../documentLimits.ts';
import type { ServerPlugin } from '../operation.ts';
import { checkCost } from '../operationCost.ts';
import { httpError } from '../requestBody.ts';

export interface DocumentRulesOptions {
  readonly schema: GraphQLSchema;
  readonly limits: ServerLimits;
  readonly introspection: boolean;
  readonly log: Log;
}

/**
 * Checks a document before any of it runs, over either transport: its size, its cost, its validity, and that it has no
 * introspection if that is off. Subscriptions are refused over HTTP. Each answer has its operation's cost in
 * `extensions.cost`, so the author of a query sees how far from the limit it is. The events of a subscription do not
 * repeat it; the error that refuses a subscription has it.
 */
export function useDocumentRules({ schema, limits, introspection, log }: DocumentRulesOptions): ServerPlugin {
  const small = new WeakSet<DocumentNode>();
  const maxTokens = limits.document.tokens;
  return {
    onParse({ setParseFn, context, extendContext }) {
      setParseFn((source, options) => parse(source, { ...options, maxTokens }));
      return ({ result }) => {
        if (result === null || result instanceof Error) return;
        const document: DocumentNode = result;
        if (!small.has(document)) {
          checkDocument(document, limits.document);
          small.add(document);
        }
        // Yoga adds the request's parameters to the context over HTTP, and `socketOperations.ts` does over websockets.
        const { operationName, variables } = context.params ?? {};
        const operation = getOperationAST(document, operationName);
        if (operation == null) return;
        const limit = limits.document.objects;
        const cost = checkCost(document, { schema, operation, variables, limit });
        extendContext({ type: operation.operation, cost });
        if (context.transport === 'http' && operation.operation === 'subscription') {
          throw httpError(400, 'Subscriptions are served over the websocket at the same address.');
        }
      };
    },
    onValidate({ addValidationRule }) {
      if (!introspection) addValidationRule(NoSchemaIntrospectionCustomRule);
      return ({ valid, result, setResult }) => {
        if (!valid) setResult(result.map((error) => clientError(error, log)));
      };
    },
    onExecute({ args }) {
      const { cost } = args.contextValue;
      if (cost === undefined) return undefined;
      return {
        onExecuteDone({ result, setResult }) {
          if (Symbol.asyncIterator in result) return;
          const { extensions, ...answer } = result as ExecutionResult;
          setResult({ ...answer, extensions: { ...extensions, cost } });
        },
      };
    },
  };
}
