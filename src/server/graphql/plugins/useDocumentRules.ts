import {
  type DocumentNode,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  parse,
} from 'graphql';
import type { Log } from '../../../core/log.ts';
import type { Limits } from '../../limits.ts';
import { clientError } from '../clientError.ts';
import { checkDocument } from '../documentLimits.ts';
import type { ServerPlugin } from '../operation.ts';
import { checkCost } from '../operationCost.ts';
import { httpError } from '../requestBody.ts';

export interface DocumentRulesOptions {
  readonly schema: GraphQLSchema;
  readonly limits: Limits;
  readonly introspection: boolean;
  readonly log: Log;
}

/**
 * What a document must be, over either transport, before anything of it runs: small enough, its pages
 * bearable all together, valid, and without introspection where that is off. Subscriptions are for
 * websockets.
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
        // Yoga adds what the client sent to the context, over HTTP and (as we do) over websockets.
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
  };
}
