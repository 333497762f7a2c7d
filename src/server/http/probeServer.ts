import { createServer as createHttpServer } from 'node:http';
import type { Config } from '../../config.ts';
import { createOriginPolicy } from '../access/originPolicy.ts';
import { SERVER_LIMITS } from '../limits.ts';
import { listen } from '../listen.ts';
import type { Server, ServerOptions } from '../server.ts';
import { createReadiness } from './health.ts';
import { createHttpListener } from './httpListener.ts';
import { followResponses } from './openResponses.ts';
import { createProbes } from './probes.ts';
import { refuseMalformed } from './refusals.ts';

export interface ProbeServerOptions extends Pick<ServerOptions, 'log' | 'metrics' | 'health'> {
  readonly config: Pick<Config, 'host' | 'port' | 'auth' | 'allowedOrigins' | 'metrics'>;
  /** Whether the listener is for operators alone: see `MetricsConfig`. */
  readonly operatorsOnly?: boolean;
  /** Whether the process is stopping, which it may be for a while before this listener is stopped. */
  readonly isStopping: () => boolean;
}

const TIMEOUT_MS = 10_000;
const CONNECTIONS_MAX = 100;

/**
 * The server of a process that serves only its operators: `/healthz`, `/readyz` and `/metrics`. `/graphql` is 404 here,
 * so the mistake is noticed if a load balancer sends requests to a worker.
 */
export function createProbeServer(options: ProbeServerOptions): Server {
  const { config, log, metrics, health, operatorsOnly = false, isStopping } = options;
  const http = createHttpServer(
    { requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS, requireHostHeader: false },
    createHttpListener({
      routes: createProbes({
        readiness: createReadiness(health, { timeoutMs: SERVER_LIMITS.healthMs, isStopping }),
        token: config.metrics.token,
        metrics,
        operatorsOnly,
      }),
      originPolicy: createOriginPolicy({
        development: config.auth.kind === 'development',
        allowedOrigins: config.allowedOrigins,
      }),
      log,
    }),
  );
  refuseMalformed(http, followResponses(http, SERVER_LIMITS));
  http.maxConnections = CONNECTIONS_MAX;

  return {
    start: () => listen(http, config, log),
    async stop() {
      const ended = new Promise((resolve) => http.close(resolve));
      http.closeAllConnections();
      await ended;
    },
  };
}
