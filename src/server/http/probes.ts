import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../../config.ts';
import type { Metrics } from '../../core/metrics.ts';
import type { Readiness } from './health.ts';
import type { Routes } from './httpListener.ts';
import { sendJson, sendText } from './respond.ts';

export interface ProbesOptions {
  readonly readiness: () => Promise<Readiness>;
  readonly metrics: Metrics;
}

/** What operators ask of every process, whatever its role: does it live, can it work, how much does it do. */
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
 * Metrics are for this machine: a scraper beside the server. What a proxy on it forwards says so in a
 * header; one that does not should not forward `/metrics`.
 */
const isLocal = ({ socket, headers }: IncomingMessage) =>
  isLoopback((socket.remoteAddress ?? '').replace(/^::ffff:/, '')) &&
  headers['x-forwarded-for'] === undefined &&
  headers['x-real-ip'] === undefined &&
  headers.forwarded === undefined &&
  headers.via === undefined;
