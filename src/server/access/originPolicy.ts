import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLoopback } from '../../config.ts';

export interface OriginPolicyOptions {
  /** Every client can have a token, so only pages and programs of this machine are served. */
  readonly development: boolean;
  readonly allowedOrigins: readonly string[];
}

export interface OriginPolicy {
  /** Why a request or a websocket's upgrade is refused with 403; undefined if it is allowed. */
  refusal(request: IncomingMessage): string | undefined;
  /** Lets a page of an allowed origin read the response. */
  setCorsHeaders(request: IncomingMessage, response: ServerResponse): void;
}

const PREFLIGHT_S = 600;

/**
 * Decides which pages may call the server from a browser: its own (`Origin` equals `Host`) and those of
 * ALLOWED_ORIGINS. All others are refused and get no CORS header. Programs send no `Origin` and are allowed.
 *
 * In development the `Host` must also be a loopback name. If an attacker's page points its own name to 127.0.0.1 ("DNS
 * rebinding"), the browser takes the server for the page's own origin.
 *
 * Clients identify themselves with a bearer token, never with a cookie, so `Access-Control-Allow-Credentials` is not
 * sent.
 */
export function createOriginPolicy({ development, allowedOrigins }: OriginPolicyOptions): OriginPolicy {
  const allowed = new Set(allowedOrigins);
  return {
    refusal({ headers: { host = '', origin } }) {
      if (development && !isLoopback(hostname(host))) {
        return 'In development this server serves localhost only. Set AUTH_SECRET to serve other names.';
      }
      if (origin === undefined || allowed.has(origin) || isSame(origin, host)) return undefined;
      return 'Pages of this origin may not call this server. Add it to ALLOWED_ORIGINS.';
    },
    setCorsHeaders({ headers: { origin }, method }, response) {
      if (allowed.size > 0) response.setHeader('vary', 'origin');
      if (origin === undefined || !allowed.has(origin)) return;
      response.setHeader('access-control-allow-origin', origin);
      response.setHeader('access-control-expose-headers', 'x-request-id');
      if (method !== 'OPTIONS') return;
      response.setHeader('access-control-allow-methods', 'GET, POST');
      response.setHeader('access-control-allow-headers', 'authorization, content-type, x-request-id');
      response.setHeader('access-control-max-age', PREFLIGHT_S);
    },
  };
}

/** `[::1]:4000` → `[::1]`, `localhost:4000` → `localhost`. */
const hostname = (host: string) => host.replace(/:\d*$/, '');

/** Ignores the scheme: behind a proxy that ends TLS, the server does not know its own. */
const isSame = (origin: string, host: string) =>
  URL.canParse(origin) && new URL(origin).host === host.toLowerCase() && host !== '';
