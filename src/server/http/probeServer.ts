import { createServer as createHttpServer } from 'node:http';
import { createOriginPolicy } from '../access/originPolicy.ts';
import { SERVER_LIMITS } from '../limits.ts';
import { listen } from '../listen.ts';
import type { Server, ServerOptions } from '../server.ts';
import { createReadiness } from './health.ts';
import { createHttpListener } from './httpListener.ts';
import { createProbes } from './probes.ts';

export type ProbeServerOptions = Pick<ServerOptions, 'config' | 'log' | 'metrics' | 'health'>;

const TIMEOUT_MS = 10_000;
const CONNECTIONS_MAX = 100;

/**
 * The server of a process that serves only its operators: `/healthz`, `/readyz` and `/metrics`. `/graphql` is 404 here,
 * so the mistake is noticed if a load balancer sends requests to a worker.
 */
export function createProbeServer({ config, log, metrics, health }: ProbeServerOptions): Server {
  let stopping = false;
  const http = createHttpServer(
    { requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS },
    createHttpListener({
      routes: createProbes({ readiness: createReadiness(health, SERVER_LIMITS.healthMs), metrics }),
      originPolicy: createOriginPolicy({
        development: config.auth.kind === 'development',
        allowedOrigins: config.allowedOrigins,
      }),
      isStopping: () => stopping,
      log,
    }),
  );
  http.maxConnections = CONNECTIONS_MAX;

  return {
    start: () => listen(http, config, log),
    async stop() {
      stopping = true;
      const ended = new Promise((resolve) => http.close(resolve));
      http.closeAllConnections();
      await ended;
    },
  };
}
