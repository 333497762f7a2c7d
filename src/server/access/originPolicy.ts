import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLoopback } from '../../config.ts';

export interface AdmissionOptions {
  /** Nobody needs a real token: then only pages and programs of this machine may be let in. */
  readonly development: boolean;
  readonly allowedOrigins: readonly string[];
}

export interface Admission {
  /** Why a request, or a websocket's upgrade, is not let in (403); undefined where it is. */
  refusal(request: IncomingMessage): string | undefined;
  /** Tells a browser that a page of another origin may read the answer, where it is one of the allowed. */
  setCorsHeaders(request: IncomingMessage, response: ServerResponse): void;
}

const PREFLIGHT_S = 600;

/**
 * Who may talk to the server from a browser. Its own pages may, by comparing `Origin` with `Host`; those of
 * ALLOWED_ORIGINS may; no others, and no header tells them anything. Programs send no `Origin`.
 *
 * In development the `Host` must be a loopback name, too: a page whose own name is made to point to
 * 127.0.0.1 ("DNS rebinding") is of the same origin as far as a browser can tell.
 *
 * Identity is a bearer token, never a cookie, so `Access-Control-Allow-Credentials` is not sent.
 */
export function createAdmission({ development, allowedOrigins }: AdmissionOptions): Admission {
  const allowed = new Set(allowedOrigins);
  return {
    refusal({ headers: { host = '', origin } }) {
      if (development && !isLoopback(hostname(host))) {
        return 'In development this server answers to localhost only. Set AUTH_SECRET to serve other names.';
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

/** The scheme is left out: behind a proxy that ends TLS the server does not know its own. */
const isSame = (origin: string, host: string) =>
  URL.canParse(origin) && new URL(origin).host === host.toLowerCase() && host !== '';
