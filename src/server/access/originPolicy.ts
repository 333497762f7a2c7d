import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../../core/loopback.ts';

export interface OriginPolicyOptions {
  /** Every client can have a token, so only pages and programs of this machine are served. */
  readonly development: boolean;
  readonly allowedOrigins: readonly string[];
}

export interface OriginPolicy {
  /**
   * Why a request or a websocket's upgrade is refused with 403; undefined if it is allowed. `anyOrigin`: pages of every
   * origin may send it.
   */
  refusal(request: IncomingMessage, options?: { readonly anyOrigin: boolean }): string | undefined;
  /** Headers that let a page of an allowed origin read the response. */
  corsHeaders(request: IncomingMessage): Readonly<Record<string, string>>;
}

/** Those of this API, and those that tracing and GraphQL clients add to every request. */
const ALLOWED_HEADERS = [
  ...['authorization', 'content-type', 'x-request-id'],
  ...['traceparent', 'tracestate', 'baggage', 'sentry-trace'],
  ...['apollographql-client-name', 'apollographql-client-version'],
].join(', ');
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': ALLOWED_HEADERS,
  'access-control-max-age': '600',
};

/** What a page of another origin may read: the request in the log, when to try again, and that a token is needed. */
const EXPOSED_HEADERS = 'retry-after, www-authenticate, x-request-id';

/**
 * Decides which pages may call the server from a browser: its own (`Origin` equals `Host`) and those of
 * ALLOWED_ORIGINS. All others are refused and get no CORS header. Programs send no `Origin` and are allowed.
 *
 * In development, pages of other ports of this machine are allowed too, because a front end has a server of its own
 * there (`localhost:3000`, `localhost:5173`). The `Host` must also be a loopback name then: if an attacker's page
 * points its own name to 127.0.0.1 ("DNS rebinding"), the browser thinks that the server is the page's own origin.
 *
 * Clients identify themselves with a bearer token, never with a cookie, so `Access-Control-Allow-Credentials` is not
 * sent.
 */
export function createOriginPolicy({ development, allowedOrigins }: OriginPolicyOptions): OriginPolicy {
  const allowed = new Set(allowedOrigins);
  const isAllowed = (origin: string) => allowed.has(origin) || (development && isOfThisMachine(origin));
  const others: Readonly<Record<string, string>> = allowed.size > 0 || development ? { vary: 'origin' } : {};
  return {
    refusal({ headers: { host = '', origin } }, { anyOrigin } = { anyOrigin: false }) {
      if (development && !isLoopback(hostname(host))) {
        return 'In development this server serves localhost only. Set AUTH_SECRET to serve other names.';
      }
      if (anyOrigin || origin === undefined || isAllowed(origin) || isSame(origin, host)) return undefined;
      return 'Pages of this origin may not call this server. Add it to ALLOWED_ORIGINS.';
    },
    corsHeaders({ headers: { origin }, method }) {
      if (origin === undefined || !isAllowed(origin)) return others;
      return {
        ...others,
        'access-control-allow-origin': origin,
        'access-control-expose-headers': EXPOSED_HEADERS,
        ...(method === 'OPTIONS' ? PREFLIGHT : {}),
      };
    },
  };
}

/** `[::1]:4000` → `[::1]`, `localhost:4000` → `localhost`. */
const hostname = (host: string) => host.replace(/:\d*$/, '');

const isOfThisMachine = (origin: string) => URL.canParse(origin) && isLoopback(new URL(origin).hostname);

/** Ignores the scheme: behind a proxy that ends TLS, the server does not know its own. */
const isSame = (origin: string, host: string) =>
  URL.canParse(origin) && new URL(origin).host === host.toLowerCase() && host !== '';
