import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Log } from '../../core/log.ts';
import type { Admission } from '../access/originPolicy.ts';
import { GRAPHQL_PATH } from '../graphql/yoga.ts';
import { requestIdOf } from './requestId.ts';
import { sendText } from './respond.ts';

export type Route = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
) => Promise<void> | void;

/** By path; one that ends in `/*` stands for all that begin with its first segment. */
export type Routes = Readonly<Record<string, Route>>;

export interface HttpListenerOptions {
  /** Answered to GET and HEAD. */
  readonly routes: Routes;
  /** At `/graphql`, whatever the method; absent where the process serves no GraphQL. */
  readonly graphql?: Route;
  readonly admission: Admission;
  readonly isStopping: () => boolean;
  readonly log: Log;
}

/**
 * With every answer; pages and files have policies of their own. What is not a page is shown by no browser as one,
 * in no frame, and runs nothing. Which scheme a browser is to use (HSTS) is for whoever ends TLS to say.
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

/** What every request goes through before, and where the route fails: one place for all of them. */
export function createHttpListener(options: HttpListenerOptions): RequestListener {
  const { routes, graphql, admission, isStopping, log } = options;

  async function answer(request: IncomingMessage, response: ServerResponse, requestId: string) {
    if (isStopping()) {
      response.setHeader('connection', 'close');
      return sendText(response, 503, 'The server is stopping.');
    }
    const refusal = admission.refusal(request);
    if (refusal !== undefined) return sendText(response, 403, refusal);
    admission.setCorsHeaders(request, response);
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
      log.error({ err: error, requestId }, 'a request could not be answered');
      if (response.headersSent) response.destroy();
      else sendText(response, 500, 'Something went wrong on the server.');
    });
  };
}
