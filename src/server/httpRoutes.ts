import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isLoopback } from '../config.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Admission } from './admission.ts';
import { type Authenticator, bearerToken } from './auth.ts';
import type { Readiness } from './health.ts';
import type { Operation } from './operation.ts';
import { createPage, type Page, sendPage } from './pages.ts';
import { requestIdOf } from './requestId.ts';
import { GRAPHQL_PATH, type Yoga } from './yoga.ts';

export interface HttpRoutesOptions {
  readonly yoga: Yoga;
  readonly admission: Admission;
  readonly authenticator: Authenticator;
  readonly readiness: () => Promise<Readiness>;
  readonly metrics: Metrics;
  readonly startPage: () => string | Promise<string>;
  /** Absent where GraphiQL is off. */
  readonly graphiql: (() => Promise<Page>) | undefined;
  readonly isStopping: () => boolean;
  readonly log: Log;
}

type Route = (request: IncomingMessage, response: ServerResponse, requestId: string) => Promise<void> | void;

/** Everything that is answered over HTTP. */
export function createHttpRoutes(options: HttpRoutesOptions): RequestListener {
  const { yoga, admission, authenticator, readiness, metrics, startPage, graphiql, isStopping, log } =
    options;

  const routes: Readonly<Record<string, Route>> = {
    '/': async (request, response) => sendPage(request, response, await createPage(await startPage())),

    '/healthz': (_request, response) => sendJson(response, 200, { ok: true }),

    '/readyz': async (_request, response) => {
      const state = await readiness();
      sendJson(response, state.ok ? 200 : 503, state);
    },

    '/metrics': async (request, response) => {
      if (!isLocal(request)) return sendText(response, 404, 'Not found.');
      const text = await metrics.registry.metrics();
      response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text);
    },
  };

  async function graphql(request: IncomingMessage, response: ServerResponse, requestId: string) {
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
  }

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
    if (path === GRAPHQL_PATH) {
      if (graphiql !== undefined && wantsPage(request)) return sendPage(request, response, await graphiql());
      return graphql(request, response, requestId);
    }
    const route = routes[path];
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
    response.setHeader('x-content-type-options', 'nosniff');
    answer(request, response, requestId).catch((error: unknown) => {
      log.error({ err: error, requestId }, 'a request could not be answered');
      if (response.headersSent) response.destroy();
      else sendText(response, 500, 'Something went wrong on the server.');
    });
  };
}

const wantsPage = ({ method, headers }: IncomingMessage) =>
  method === 'GET' && (headers.accept?.includes('text/html') ?? false);

/**
 * Metrics are for this machine: a scraper beside the server. What a proxy on it forwards says so in a
 * header; one that does not should not forward `/metrics`.
 */
const isLocal = ({ socket, headers }: IncomingMessage) =>
  isLoopback((socket.remoteAddress ?? '').replace(/^::ffff:/, '')) &&
  headers['x-forwarded-for'] === undefined &&
  headers['x-real-ip'] === undefined &&
  headers.forwarded === undefined &&
  headers.via === undefined;

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  response.writeHead(status, headers).end(`${JSON.stringify(body)}\n`);
}
