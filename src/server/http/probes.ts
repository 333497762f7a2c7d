import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import { notFound } from '../../core/errors.ts';
import { isLoopback } from '../../core/loopback.ts';
import type { Metrics } from '../../core/metrics.ts';
import type { Readiness } from './health.ts';
import { type Routes, sendJson } from './httpListener.ts';
import { refuse } from './refusals.ts';

export interface ProbesOptions {
  readonly readiness: () => Promise<Readiness>;
  readonly metrics: Metrics;
  /** The bearer token with which other machines may read the metrics. */
  readonly token: string | undefined;
  /** Whether the listener is for operators alone. Then the metrics need no token, unless there is one. */
  readonly operatorsOnly?: boolean;
}

/** The routes that operators use, in every role: is the process alive, can it work, and how much does it do. */
export function createProbes({ readiness, metrics, token, operatorsOnly = false }: ProbesOptions): Routes {
  const isToken = token === undefined ? () => false : bearerTest(token);
  const mayRead = (request: IncomingMessage): boolean =>
    isLocal(request) || isToken(request) || (operatorsOnly && token === undefined);

  return {
    '/healthz': (_request, response) => sendJson(response, 200, { ok: true }),

    '/readyz': async (_request, response) => {
      const state = await readiness();
      sendJson(response, state.ok ? 200 : 503, state);
    },

    '/metrics': async (request, response) => {
      // The same response as for a path that does not exist.
      if (!mayRead(request)) return refuse(response, { error: notFound() });
      const registry = asksForOpenMetrics(request) ? metrics.openMetrics : metrics.registry;
      const text = await registry.metrics();
      const headers = { 'content-type': registry.contentType, vary: 'accept' };
      response.writeHead(200, headers).end(text);
    },
  };
}

/**
 * Whether it is what the scraper likes best, as Prometheus does. All others get the plain text. Parameters are not
 * compared: there is one version, and scrapers send more of them with each release.
 */
const asksForOpenMetrics = (request: IncomingMessage): boolean =>
  new Negotiator(request).mediaTypes()[0] === 'application/openmetrics-text';

/** Compares digests, so that the time says nothing about the token or its length. */
function bearerTest(token: string): (request: IncomingMessage) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(token);
  return ({ headers }) => {
    const [, sent] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
    return sent !== undefined && timingSafeEqual(digest(sent), expected);
  };
}

/**
 * Whether the request comes from this machine, where a scraper may run. A proxy on the same machine adds one of these
 * headers to what it forwards; a proxy that adds none must not forward `/metrics`.
 */
const isLocal = ({ socket, headers }: IncomingMessage) =>
  isLoopback((socket.remoteAddress ?? '').replace(/^::ffff:/, '')) &&
  headers['x-forwarded-for'] === undefined &&
  headers['x-real-ip'] === undefined &&
  headers.forwarded === undefined &&
  headers.via === undefined;
