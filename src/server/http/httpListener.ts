import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { newId } from '../../core/ids.ts';
import type { Log } from '../../core/log.ts';
import type { OriginPolicy } from '../access/originPolicy.ts';
import { GRAPHQL_PATH } from '../graphql/yoga.ts';

export type Route = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
) => Promise<void> | void;

/** By path. A path that ends in `/*` matches every path with the same first segment. */
export type Routes = Readonly<Record<string, Route>>;

export interface HttpListenerOptions {
  /** They answer GET and HEAD. */
  readonly routes: Routes;
  /** Answers every method at `/graphql`; absent if the process does not serve GraphQL. */
  readonly graphql?: Route;
  readonly originPolicy: OriginPolicy;
  readonly isStopping: () => boolean;
  readonly log: Log;
}

/**
 * Sent with every response; pages and files replace the policy with their own. A browser shows no other response as a
 * page, puts none in a frame, and runs nothing in it. HSTS is left to the proxy that ends TLS.
 */
const SECURITY_HEADERS: ReadonlyArray<readonly [string, string]> = [
  ['x-content-type-options', 'nosniff'],
  [
    'content-security-policy',
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  ],
  // For browsers that do not know `frame-ancestors`.
  ['x-frame-options', 'DENY'],
  ['referrer-policy', 'no-referrer'],
  ['permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
  ['cross-origin-opener-policy', 'same-origin'],
];

/** Handles what all requests have in common before their route, and answers 500 if the route fails. */
export function createHttpListener(options: HttpListenerOptions): RequestListener {
  const { routes, graphql, originPolicy, isStopping, log } = options;

  async function answer(request: IncomingMessage, response: ServerResponse, requestId: string) {
    if (isStopping()) {
      response.setHeader('connection', 'close');
      return sendText(response, 503, 'The server is stopping.');
    }
    const refusal = originPolicy.refusal(request);
    if (refusal !== undefined) return sendText(response, 403, refusal);
    originPolicy.setCorsHeaders(request, response);
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();

    const path = request.url?.split('?', 1)[0] ?? '';
    if (path === GRAPHQL_PATH && graphql !== undefined) return graphql(request, response, requestId);
    const route = routes[path] ?? routes[`/${path.split('/', 2)[1]}/*`];
    if (route === undefined) return sendText(response, 404, 'Not found.');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return sendText(response, 405, 'Only GET and HEAD are served here.');
    }
    return route(request, response, requestId);
  }

  return (request, response) => {
    const requestId = requestIdOf(request);
    response.setHeader('x-request-id', requestId);
    for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
    answer(request, response, requestId).catch((error: unknown) => {
      log.error({ err: error, requestId }, 'A request could not be answered');
      if (response.headersSent) response.destroy();
      else sendText(response, 500, 'Something went wrong on the server.');
    });
  };
}

/** The client's own `x-request-id` if it is safe in a line of the log; otherwise a new id. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : newId();
}

export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  response.writeHead(status, headers).end(`${JSON.stringify(body)}\n`);
}
