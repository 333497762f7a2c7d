import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../../config.ts';
import type { Metrics } from '../../core/metrics.ts';
import type { Readiness } from './health.ts';
import { type Routes, sendJson, sendText } from './httpListener.ts';

export interface ProbesOptions {
  readonly readiness: () => Promise<Readiness>;
  readonly metrics: Metrics;
}

/** The routes that operators use, in every role: is the process alive, can it work, and how much does it do. */
export const createProbes = ({ readiness, metrics }: ProbesOptions): Routes => ({
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
});

/**
 * Metrics are served to this machine only, where the scraper runs. A proxy on the same machine adds one of these headers
 * to what it forwards; a proxy that adds none must not forward `/metrics`.
 */
const isLocal = ({ socket, headers }: IncomingMessage) =>
  isLoopback((socket.remoteAddress ?? '').replace(/^::ffff:/, '')) &&
  headers['x-forwarded-for'] === undefined &&
  headers['x-real-ip'] === undefined &&
  headers.forwarded === undefined &&
  headers.via === undefined;
