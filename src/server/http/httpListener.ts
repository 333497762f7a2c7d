import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { forbidden, notFound as notFoundError, TsudoiError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Log } from '../../core/log.ts';
import { invalidHost } from '../access/hostHeader.ts';
import type { OriginPolicy } from '../access/originPolicy.ts';
import { GRAPHQL_PATH } from '../graphql/yoga.ts';
import { badRequest, isForPerson, type Refusal, refuse } from './refusals.ts';

export type Route = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/** The headers of every response. */
export interface BaseHeaders {
  readonly 'x-request-id': string;
  readonly [name: string]: string;
}

/** Sends the base headers itself: all headers in one call cost less than one call for each. */
export type GraphQLRoute = (
  request: IncomingMessage,
  response: ServerResponse,
  base: BaseHeaders,
) => Promise<void>;

/** By path. A path that ends in `/*` matches every path with the same first segment. */
export type Routes = Readonly<Record<string, Route>>;

export interface HttpListenerOptions {
  /** They serve GET and HEAD. */
  readonly routes: Routes;
  /**
   * They serve POST as well, to pages of every origin: what such a path has in it says alone what may be done, and no
   * cookie adds to it.
   */
  readonly forms?: Routes;
  /** Responds to browsers that open any other path, with the status 404. Other clients get NOT_FOUND. */
  readonly notFound?: Route;
  /** Serves every method but OPTIONS at `/graphql`; absent if the process does not serve GraphQL. */
  readonly graphql?: GraphQLRoute;
  readonly originPolicy: OriginPolicy;
  readonly log: Log;
}

/**
 * Sent with every response; pages and files replace the policy with their own. A browser shows no other response as a
 * page, puts none in a frame, and runs nothing in it. HSTS is left to the proxy that ends TLS.
 */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  // For browsers that do not know `frame-ancestors`.
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
};

/** Handles what all requests have in common before their route, and responds with 500 if the route fails. */
export function createHttpListener(options: HttpListenerOptions): RequestListener {
  const { routes, forms = {}, notFound, graphql, originPolicy, log } = options;

  function refusalOf(request: IncomingMessage, path: string): Refusal | undefined {
    const malformed = invalidHost(request);
    if (malformed !== undefined) return badRequest(400, malformed);
    const refused = originPolicy.refusal(request, { anyOrigin: routeFor(forms, path) !== undefined });
    return refused === undefined ? undefined : { error: forbidden(refused) };
  }

  async function respond(request: IncomingMessage, response: ServerResponse, own: BaseHeaders) {
    const path = request.url?.split('?', 1)[0] ?? '';
    const refusal = refusalOf(request, path);
    if (refusal !== undefined) {
      setHeaders(response, own);
      return refuse(response, refusal);
    }
    const base = { ...own, ...originPolicy.corsHeaders(request) };
    if (path === GRAPHQL_PATH && graphql !== undefined && request.method !== 'OPTIONS') {
      return graphql(request, response, base);
    }
    setHeaders(response, base);
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const form = routeFor(forms, path);
    const route = form ?? routeFor(routes, path) ?? (isForPerson(request) ? notFound : undefined);
    if (route === undefined) return refuse(response, { error: notFoundError() });
    if (form !== undefined && request.method === 'POST') return form(request, response);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const allowed = form === undefined ? 'GET, HEAD' : 'GET, HEAD, POST';
      response.setHeader('allow', allowed);
      const names = allowed.replace(/, (?=\w+$)/, ' and ');
      return refuse(response, badRequest(405, `Only ${names} are served here.`));
    }
    return route(request, response);
  }

  return (request, response) => {
    const requestId = requestIdOf(request);
    const own = { 'x-request-id': requestId, ...SECURITY_HEADERS };
    respond(request, response, own).catch((error: unknown) => {
      const errorId = newId();
      log.error({ err: error, requestId, errorId }, 'A request failed');
      if (response.headersSent) return void response.destroy();
      setHeaders(response, own);
      refuse(response, {
        error: new TsudoiError('INTERNAL', 'Something went wrong on the server.'),
        errorId,
      });
    });
  };
}

/** The same routes for as often as `charge` allows. */
export const limited = (
  routes: Routes,
  charge: (request: IncomingMessage) => Promise<TsudoiError | undefined>,
): Routes =>
  Object.fromEntries(
    Object.entries(routes).map(([path, route]): [string, Route] => [
      path,
      async (request, response) => {
        const error = await charge(request);
        return error === undefined ? route(request, response) : refuse(response, { error });
      },
    ]),
  );

const routeFor = (routes: Routes, path: string): Route | undefined =>
  routes[path] ?? routes[`/${path.split('/', 2)[1]}/*`];

export function setHeaders(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/** The client's own `x-request-id` if it is safe in a line of the log; otherwise a new id. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : newId();
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  response.writeHead(status, headers).end(`${JSON.stringify(body)}\n`);
}
