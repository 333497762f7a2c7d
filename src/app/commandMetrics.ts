import type { Config } from '../config.ts';
import type { Log } from '../core/log.ts';
import type { Metrics } from '../core/metrics.ts';
import { createProbeServer } from '../server/http/probeServer.ts';
import { listenError } from './startError.ts';

export interface CommandMetricsOptions {
  readonly config: Config;
  /** 0 takes a free one. */
  readonly port: number;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** `/metrics` and `/healthz` of a long-running command. Throws `StartError` if the port is not available. */
export async function serveCommandMetrics({ config, port, metrics, log }: CommandMetricsOptions) {
  const server = createProbeServer({
    log,
    metrics,
    health: async () => ({}),
    isStopping: () => false,
    operatorsOnly: true,
    config: { ...config, port },
  });
  const { url } = await server.start().catch((error: unknown) => {
    throw listenError(error, { setting: '--metrics-port', host: config.host, port });
  });
  return { url: `${url}/metrics`, stop: server.stop };
}
