import type { ExecutionResult } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { ServerLimits } from '../limits.ts';
import type { Engine } from './engine.ts';
import { runHttpOperation } from './httpOperation.ts';
import { acceptsJson } from './httpResponse.ts';
import type { Operation } from './operation.ts';
import { checkedParams, fromQueryString, httpError, isJson, readParams } from './requestParams.ts';

export const GRAPHQL_PATH = '/graphql';

/** Yoga with the operation as the context of its hooks. */
type ServerPlugin = Plugin<Operation, Operation>;

export interface YogaOptions {
  readonly engine: Engine;
  readonly limits: ServerLimits;
}

export type Yoga = ReturnType<typeof createGraphQL>;

/**
 * GraphQL over HTTP: methods, content types, accepted media types and statuses. The engine runs the operations. Yoga's
 * own CORS, pages and body parsers are off, because the server handles those before Yoga.
 */
export function createGraphQL({ engine, limits }: YogaOptions) {
  return createYoga<Operation>({
    graphqlEndpoint: GRAPHQL_PATH,
    plugins: [useJson(limits), useRunningEngine(engine)],
    maskedErrors: { maskError: engine.maskError },
    // The engine logs faults. Yoga would log every refused request, with what the client sent.
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

/** Runs operations by the engine instead of Yoga's own plugins, which parse, check and wrap each request from scratch. */
const useRunningEngine = (engine: Engine): ServerPlugin => ({
  onParams({ setParamsHandler }) {
    setParamsHandler(
      ({ params, request, context }): Promise<ExecutionResult> =>
        runHttpOperation(
          engine,
          { params: checkedParams(params), operation: context, method: request.method },
          engine.execute,
        ),
    );
  },
});

/**
 * Reads operations from a GET's query string and from a POST's JSON, and from nothing else: a foreign page can send
 * forms, multipart and plain text without a preflight request. Responds with JSON only.
 */
function useJson(limits: ServerLimits): ServerPlugin {
  return {
    onRequestParse({ request, serverContext, setRequestParser }) {
      if (request.method === 'GET') return setRequestParser(({ url }) => fromQueryString(url));
      const { incoming } = serverContext;
      if (request.method !== 'POST' || incoming === undefined) {
        throw httpError(405, 'Operations are accepted by GET or POST.', { headers: { allow: 'GET, POST' } });
      }
      if (!isJson(incoming.headers['content-type'])) {
        throw httpError(415, 'The content type must be application/json.');
      }
      setRequestParser(() => readParams(incoming, limits, serverContext));
    },
    // If a client accepts neither JSON type, Yoga would send it an event stream or multipart.
    // https://graphql.github.io/graphql-over-http/draft/#sec-Accept
    onResultProcess({ request, setResultProcessor }) {
      if (acceptsJson(request.headers.get('accept') ?? '*/*')) return;
      setResultProcessor((_result, { Response }) => new Response(null, { status: 406 }), 'application/json');
    },
  };
}
