import type { IncomingMessage } from 'node:http';
import { type Authenticator, bearerToken } from './auth.ts';
import type { Route, Routes } from './httpListener.ts';
import type { Operation } from './operation.ts';
import { createPage, type Page, sendPage } from './pages.ts';
import type { Yoga } from './yoga.ts';

export const startRoute = (startPage: () => string | Promise<string>): Routes => ({
  '/': async (request, response) => sendPage(request, response, await createPage(await startPage())),
  // Browsers ask for it with every page; ours bring their own.
  '/favicon.ico': (_request, response) => void response.writeHead(204).end(),
});

export interface GraphQLRouteOptions {
  readonly yoga: Yoga;
  readonly authenticator: Authenticator;
  /** Absent where GraphiQL is off. */
  readonly graphiql: (() => Promise<Page>) | undefined;
}

/** GraphQL over HTTP, and GraphiQL for browsers at the same address. */
export function createGraphQLRoute({ yoga, authenticator, graphiql }: GraphQLRouteOptions): Route {
  return async (request, response, requestId) => {
    if (graphiql !== undefined && wantsPage(request)) return sendPage(request, response, await graphiql());
    const operation: Operation = {
      transport: 'http',
      requestId,
      acceptLanguage: request.headers['accept-language'],
      startedAt: performance.now(),
      incoming: request,
      identify() {
        const token = bearerToken(request.headers.authorization);
        return token === undefined ? null : authenticator.verify(token);
      },
    };
    const answer = await yoga.handleNodeRequestAndResponse(request, response, operation);
    response.statusCode = answer.status;
    for (const [name, value] of answer.headers) response.setHeader(name, value);
    response.end(await answer.text());
  };
}

const wantsPage = ({ method, headers }: IncomingMessage) =>
  method === 'GET' && (headers.accept?.includes('text/html') ?? false);
