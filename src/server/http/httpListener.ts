import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { ErrorCode, TsudoiError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Log } from '../../core/log.ts';
import { invalidHost } from '../access/hostHeader.ts';
import type { OriginPolicy } from '../access/originPolicy.ts';
import { GRAPHQL_PATH } from '../graphql/yoga.ts';

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
  /** They serve POST as well. */
  readonly forms?: Routes;
  /** Responds to browsers that open any other path, with the status 404. Other clients get one line of text. */
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

interface Refusal {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
}

/** Handles what all requests have in common before their route, and responds with 500 if the route fails. */
export function createHttpListener(options: HttpListenerOptions): RequestListener {
  const { routes, forms = {}, notFound, graphql, originPolicy, log } = options;

  function refusalOf(request: IncomingMessage): Refusal | undefined {
    const malformed = invalidHost(request);
    if (malformed !== undefined)
      return { status: 400, code: 'GRAPHQL_VALIDATION_FAILED', message: malformed };
    const refused = originPolicy.refusal(request);
    return refused === undefined ? undefined : { status: 403, code: 'FORBIDDEN', message: refused };
  }

  async function respond(request: IncomingMessage, response: ServerResponse, own: BaseHeaders) {
    const refusal = refusalOf(request);
    if (refusal !== undefined) {
      setHeaders(response, own);
      return sendRefusal(response, refusal);
    }
    const base = { ...own, ...originPolicy.corsHeaders(request) };
    const path = request.url?.split('?', 1)[0] ?? '';
    if (path === GRAPHQL_PATH && graphql !== undefined && request.method !== 'OPTIONS') {
      return graphql(request, response, base);
    }
    setHeaders(response, base);
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const isForPerson = request.headers.accept?.includes('text/html') === true;
    const form = routeFor(forms, path);
    const route = form ?? routeFor(routes, path) ?? (isForPerson ? notFound : undefined);
    if (route === undefined) return sendText(response, 404, 'Not found.');
    if (form !== undefined && request.method === 'POST') return form(request, response);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const allowed = form === undefined ? 'GET, HEAD' : 'GET, HEAD, POST';
      response.setHeader('allow', allowed);
      return sendText(response, 405, `Only ${allowed.replace(/, (?=\w+$)/, ' and ')} are served here.`);
    }
    return route(request, response);
  }

  return (request, response) => {
    const requestId = requestIdOf(request);
    const own = { 'x-request-id': requestId, ...SECURITY_HEADERS };
    respond(request, response, own).catch((error: unknown) => {
      log.error({ err: error, requestId }, 'A request failed');
      if (response.headersSent) return void response.destroy();
      setHeaders(response, own);
      sendText(response, 500, 'Something went wrong on the server.');
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
        const refused = await charge(request);
        if (refused === undefined) return route(request, response);
        const { retryAfterMs = 0 } = refused.details;
        response.setHeader('retry-after', String(Math.ceil(Number(retryAfterMs) / 1_000)));
        sendText(response, 429, 'Too many requests. Try again later.');
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

export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}

/** In the form of GraphQL's errors, which clients of the API can read. */
const sendRefusal = (response: ServerResponse, { status, code, message }: Refusal) =>
  sendJson(response, status, { errors: [{ message, extensions: { code } }] });

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  response.writeHead(status, headers).end(`${JSON.stringify(body)}\n`);
}
