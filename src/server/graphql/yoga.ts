import type { GraphQLSchema } from 'graphql';
import { createYoga } from 'graphql-yoga';
import type { Log } from '../../core/log.ts';
import type { Identity } from '../access/auth.ts';
import type { Limits } from '../limits.ts';
import { clientError } from './clientError.ts';
import { createDocumentCache } from './documentCache.ts';
import type { Operation } from './operation.ts';
import { useCost } from './plugins/useCost.ts';
import { useDocumentRules } from './plugins/useDocumentRules.ts';
import { useJsonRequests } from './plugins/useJsonRequests.ts';
import { useJsonResults } from './plugins/useJsonResults.ts';
import { type Outcomes, useOutcomes } from './plugins/useOutcomes.ts';
import { type Subscribe, useSubscribe } from './plugins/useSubscribe.ts';

export const GRAPHQL_PATH = '/graphql';

/** Makes what resolvers get as their context, once for each operation (not for each event of one). */
export type ContextFactory = (
  identity: Identity | null,
  extra: { readonly requestId: string; readonly acceptLanguage?: string },
) => Promise<object>;

export interface YogaOptions {
  readonly schema: GraphQLSchema;
  readonly context: ContextFactory;
  readonly introspection: boolean;
  readonly limits: Limits;
  readonly log: Log;
  readonly outcomes: Outcomes;
  /** Absent: Yoga's own. */
  readonly subscribe?: Subscribe;
}

export type Yoga = ReturnType<typeof createGraphQL>;

/**
 * Parsing, rules, execution and masking, the same for HTTP and websockets (which use `getEnveloped`).
 * What Yoga has of its own at the edge (CORS, pages, body parsers) is off: the server does it, in front.
 */
export function createGraphQL(options: YogaOptions) {
  const { schema, context, introspection, limits, log, outcomes, subscribe } = options;
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
      useJsonRequests(limits),
      useJsonResults(),
      useDocumentRules({ schema, limits, introspection, log }),
      useCost(),
      useOutcomes(outcomes),
      ...(subscribe === undefined ? [] : [useSubscribe(subscribe)]),
    ],
    parserAndValidationCache: createDocumentCache(),
    maskedErrors: { maskError: (error) => clientError(error, log) },
    // `clientError` logs what is worth it; Yoga would log every refusal, with what the client sent.
    logging: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    maxRequestBodySize: false,
    // It is compared with the end of the address, query string included; no address ends so.
    healthCheckEndpoint: '\n',
  });
}
