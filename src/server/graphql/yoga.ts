import type { ExecutionResult } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { ServerLimits } from '../limits.ts';
import type { Engine } from './engine.ts';
import { runHttpOperation } from './httpOperation.ts';
import { acceptsJson, GRAPHQL_JSON, mediaTypeOfRefusal, PLAIN_JSON, responseTo } from './httpResponse.ts';
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

/**
 * Runs operations by the engine instead of Yoga's own plugins, which parse, check and wrap each request from scratch.
 */
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
 * forms, multipart and plain text without a preflight request. Responds with JSON only: for a client that accepts none,
 * nothing runs. https://graphql.github.io/graphql-over-http/draft/#sec-Accept
 */
function useJson(limits: ServerLimits): ServerPlugin {
  return {
    onRequestParse({ request, serverContext, setRequestParser }) {
      if (request.method === 'GET') {
        checkAccept(request);
        return setRequestParser(({ url }) => fromQueryString(url));
      }
      const { incoming } = serverContext;
      if (request.method !== 'POST' || incoming === undefined) {
        throw httpError(405, 'Send operations by GET or POST.', { headers: { allow: 'GET, POST' } });
      }
      if (!isJson(incoming.headers['content-type'])) {
        throw httpError(415, 'The content type must be application/json.');
      }
      checkAccept(request);
      setRequestParser(() => readParams(incoming, limits, serverContext));
    },
    // Yoga would send a client that accepts no JSON an event stream, multipart, or nothing. All of these are refused.
    onResultProcess({ request, result, setResultProcessor }) {
      const accept = acceptOf(request);
      if (acceptsJson(accept)) return;
      const mediaType = mediaTypeOfRefusal(accept);
      setResultProcessor((_result, { Response }) => {
        const { status, headers, body } = responseTo(result as ExecutionResult, mediaType);
        return new Response(body, { status, headers });
      }, mediaType);
    },
  };
}

const acceptOf = ({ headers }: Request): string => headers.get('accept') ?? '*/*';

function checkAccept(request: Request): void {
  if (acceptsJson(acceptOf(request))) return;
  throw httpError(406, `Responses are ${GRAPHQL_JSON} or ${PLAIN_JSON}. Accept one of them.`);
}
