import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorCatalogue } from '../../core/errors.ts';
import { networkOf } from '../access/address.ts';
import { type AnonymousLimit, isNobody, tooMany } from '../access/anonymous.ts';
import { type Authenticator, bearerToken, type Identity } from '../access/auth.ts';
import type { Operation } from '../graphql/operation.ts';
import type { Yoga } from '../graphql/yoga.ts';
import type { Route, Routes } from './httpListener.ts';
import { type Page, sendPage } from './pages.ts';
import { sendJson } from './respond.ts';

/** The page is the same at all of its addresses: it reads them itself. */
export const pageRoutes = (paths: readonly string[], page: () => Page | Promise<Page>): Routes => ({
  ...Object.fromEntries(
    paths.map((path): [string, Route] => [
      path,
      async (request, response) => sendPage(request, response, await page()),
    ]),
  ),
  // Browsers ask for it with every page; ours bring their own.
  '/favicon.ico': (_request, response) => void response.writeHead(204).end(),
});

export interface GraphQLRouteOptions {
  readonly yoga: Yoga;
  readonly authenticator: Authenticator;
  /** As `ServerOptions` says. */
  readonly anonymous?: AnonymousLimit;
  readonly trustedProxies: number;
  /** Absent where GraphiQL is off. */
  readonly graphiql: (() => Promise<Page>) | undefined;
}

/** GraphQL over HTTP, and GraphiQL for browsers at the same address. */
export function createGraphQLRoute(options: GraphQLRouteOptions): Route {
  const { yoga, authenticator, graphiql, anonymous, trustedProxies } = options;

  async function identify({ headers }: IncomingMessage): Promise<Identity | null> {
    const token = bearerToken(headers.authorization);
    return token === undefined ? null : authenticator.verify(token);
  }

  return async (request, response, requestId) => {
    if (graphiql !== undefined && wantsPage(request)) return sendPage(request, response, await graphiql());
    const identity = identify(request);
    // Nobody asks for it where the request is refused before.
    identity.catch(() => {});
    if (anonymous !== undefined && (await isNobody(identity))) {
      const waitMs = await anonymous(networkOf(request, trustedProxies));
      if (waitMs > 0) return sendTooMany(response, waitMs);
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

/** GraphQL's answer to who has no good token and asks too much; none of the request was looked at. */
function sendTooMany(response: ServerResponse, waitMs: number): void {
  response.setHeader('retry-after', Math.ceil(waitMs / 1_000));
  const { message, code, details } = tooMany(waitMs);
  sendJson(response, errorCatalogue[code].http, { errors: [{ message, extensions: { code, ...details } }] });
}

const wantsPage = ({ method, headers }: IncomingMessage) =>
  method === 'GET' && (headers.accept?.includes('text/html') ?? false);
