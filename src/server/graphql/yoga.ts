import type { GraphQLSchema } from 'graphql';
import { createYoga } from 'graphql-yoga';
import type { Identity } from '../../core/identity.ts';
import type { Log } from '../../core/log.ts';
import type { SubscribeMiddleware } from '../../core/subscribe.ts';
import type { ServerLimits } from '../limits.ts';
import { clientError } from './clientError.ts';
import { createDocumentCache } from './documentCache.ts';
import type { Operation, ServerPlugin } from './operation.ts';
import { useCompiledExecution } from './plugins/useCompiledExecution.ts';
import { useDocumentRules } from './plugins/useDocumentRules.ts';
import { useJson } from './plugins/useJson.ts';
import { type OperationMetrics, useOperationMetrics } from './plugins/useOperationMetrics.ts';

export const GRAPHQL_PATH = '/graphql';

/** Creates the context of the resolvers, once for each operation. All events of a subscription share it. */
export type ContextFactory = (
  identity: Identity | null,
  extra: { readonly requestId: string; readonly acceptLanguage?: string },
) => Promise<object>;

export interface YogaOptions {
  readonly schema: GraphQLSchema;
  readonly context: ContextFactory;
  readonly introspection: boolean;
  readonly limits: ServerLimits;
  readonly log: Log;
  readonly operationMetrics: OperationMetrics;
  /** See `ServerOptions`. */
  readonly subscribe?: SubscribeMiddleware;
}

export type Yoga = ReturnType<typeof createGraphQL>;

/**
 * Parsing, rules, execution and masking of errors, the same for HTTP and for websockets (which use `getEnveloped`).
 * Yoga's own CORS, pages and body parsers are off, because the server handles those before Yoga.
 */
export function createGraphQL(options: YogaOptions) {
  const { schema, context, introspection, limits, log, operationMetrics, subscribe } = options;
  return createYoga<Operation>({
    schema,
    graphqlEndpoint: GRAPHQL_PATH,
    context: async ({ identify, requestId, acceptLanguage }) => {
      const identity = identify();
      return context(identity instanceof Promise ? await identity : identity, {
        requestId,
        ...(acceptLanguage === undefined ? {} : { acceptLanguage }),
      });
    },
    plugins: [
      useJson(limits),
      useDocumentRules({ schema, limits, introspection, log }),
      useOperationMetrics(operationMetrics),
      useCompiledExecution({ schema }),
      ...(subscribe === undefined ? [] : [useSubscribe(subscribe)]),
    ],
    parserAndValidationCache: createDocumentCache(),
    maskedErrors: { maskError: (error) => clientError(error, log) },
    // `clientError` logs faults. Yoga would log every refused request, with what the client sent.
    logging: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    maxRequestBodySize: false,
    // Off: Yoga compares it with the end of the URL, and no URL ends with a line break.
    healthCheckEndpoint: '\n',
  });
}

const useSubscribe = (subscribe: SubscribeMiddleware): ServerPlugin => ({
  onSubscribe({ subscribeFn, setSubscribeFn }) {
    setSubscribeFn((args) => subscribe(args, subscribeFn));
  },
});
