import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorCatalogue, type TsudoiError } from '../../core/errors.ts';
import type { Identity } from '../../core/identity.ts';
import type { AnonymousLimit } from '../../core/rateLimits.ts';
import { chargeAnonymous, isAnonymous, networkOf } from '../access/anonymous.ts';
import { type Authenticator, bearerToken } from '../access/auth.ts';
import type { Operation } from '../graphql/operation.ts';
import type { Yoga } from '../graphql/yoga.ts';
import { type Route, type Routes, sendJson } from './httpListener.ts';
import { type Page, sendPage } from './pages.ts';

/** The page is the same at all of its paths: its script reads the path. */
export const pageRoutes = (paths: readonly string[], page: () => Page | Promise<Page>): Routes => ({
  ...Object.fromEntries(
    paths.map((path): [string, Route] => [
      path,
      async (request, response) => sendPage(request, response, await page()),
    ]),
  ),
  // Browsers request it for every page; our pages contain their own icon.
  '/favicon.ico': (_request, response) => void response.writeHead(204).end(),
});

export interface GraphQLRouteOptions {
  readonly yoga: Yoga;
  readonly authenticator: Authenticator;
  /** See `ServerOptions`. */
  readonly anonymous?: AnonymousLimit;
  readonly trustedProxies: number;
  /** Undefined if GraphiQL is off. */
  readonly graphiql: (() => Promise<Page>) | undefined;
}

/** GraphQL over HTTP, and GraphiQL for browsers at the same path. */
export function createGraphQLRoute(options: GraphQLRouteOptions): Route {
  const { yoga, authenticator, graphiql, anonymous, trustedProxies } = options;

  async function identify({ headers }: IncomingMessage): Promise<Identity | null> {
    const token = bearerToken(headers.authorization);
    return token === undefined ? null : authenticator.verify(token);
  }

  return async (request, response, requestId) => {
    if (graphiql !== undefined && wantsPage(request)) return sendPage(request, response, await graphiql());
    const identity = identify(request);
    // If Yoga refuses the request before it asks for the identity, a rejection has no other handler.
    identity.catch(() => {});
    if (anonymous !== undefined && (await isAnonymous(identity))) {
      const refusal = await chargeAnonymous(anonymous, networkOf(request, trustedProxies));
      if (refusal !== undefined) return sendRateLimited(response, refusal);
    }
    const operation: Operation = {
      transport: 'http',
      requestId,
      acceptLanguage: request.headers['accept-language'],
      startedAt: performance.now(),
      incoming: request,
      identify: () => identity,
    };
    const answer = await yoga.handleNodeRequestAndResponse(request, response, operation);
    response.statusCode = answer.status;
    for (const [name, value] of answer.headers) response.setHeader(name, value);
    response.end(await answer.text());
  };
}

/** An error as GraphQL over HTTP has it. The request was not read. */
function sendRateLimited(response: ServerResponse, { message, code, details }: TsudoiError): void {
  response.setHeader('retry-after', Math.ceil((details.retryAfterMs ?? 0) / 1_000));
  sendJson(response, errorCatalogue[code].http, { errors: [{ message, extensions: { code, ...details } }] });
}

const wantsPage = ({ method, headers }: IncomingMessage) =>
  method === 'GET' && (headers.accept?.includes('text/html') ?? false);
