import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { GraphQLSchema } from 'graphql';
import type { Config } from '../config.ts';
import type { Log } from '../core/log.ts';
import type { Metrics } from '../core/metrics.ts';
import type { AnonymousLimit } from './access/anonymous.ts';
import { createAuthenticator, type RevokedTokens } from './access/auth.ts';
import { createAdmission } from './access/originPolicy.ts';
import { createGraphiQL, type GraphiQLOptions } from './graphql/graphiql.ts';
import { createOutcomes } from './graphql/plugins/useOutcomes.ts';
import type { Subscribe } from './graphql/plugins/useSubscribe.ts';
import { type ContextFactory, createGraphQL } from './graphql/yoga.ts';
import { fileRoutes, type ServedFile } from './http/files.ts';
import { createReadiness, type HealthCheck } from './http/health.ts';
import { createHttpListener } from './http/httpListener.ts';
import { createGraphQLRoute, pageRoutes } from './http/httpRoutes.ts';
import type { Page } from './http/pages.ts';
import { createProbes } from './http/probes.ts';
import { LIMITS, type Limits } from './limits.ts';
import { type Listening, listen } from './listen.ts';
import { createWebSockets } from './websocket/websockets.ts';

export interface ServerOptions {
  readonly config: Pick<
    Config,
    'host' | 'port' | 'auth' | 'dataDir' | 'allowedOrigins' | 'graphiql' | 'introspection' | 'trustedProxies'
  >;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly schema: GraphQLSchema;
  readonly context: ContextFactory;
  /** How subscriptions run; absent: as GraphQL does. */
  readonly subscribe?: Subscribe;
  readonly health: HealthCheck;
  /** What is at `/` and at every address of the web client. */
  readonly page: () => Page | Promise<Page>;
  readonly graphiql?: GraphiQLOptions;
  /** Served to everybody, and kept by browsers for a year. */
  readonly files?: readonly ServedFile[];
  /** Absent: who has no good token may ask as often as they like. */
  readonly anonymous?: AnonymousLimit;
  /** Absent: no token is revoked. */
  readonly revoked?: RevokedTokens;
  /** For tests: other limits than the server's own. */
  readonly limits?: Partial<Limits>;
}

export interface Server {
  /** Resolves when requests are answered. Rejects where the address is taken or not this machine's. */
  start(): Promise<Listening>;
  /**
   * Takes no more requests, answers those in flight, and closes websockets with 1012, within `stopMs`;
   * what is not done by then is cut off. Calling it again waits for the same end.
   */
  stop(): Promise<void>;
}

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the idle time of load balancers (60 s), so that it is they who close idle connections. */
const KEEP_ALIVE_MS = 65_000;
/** Room for HTTP beside the websockets. */
const CONNECTIONS_BESIDE_SOCKETS = 5_000;

/** The web client's addresses, as its router has them. */
const PAGE_PATHS = ['/', '/rooms/*', '/invite/*'];

const GRAPHIQL_DEFAULTS: GraphiQLOptions = { defaultQuery: '{ __typename }\n', headers: '{}' };

/**
 * One port for everything: GraphQL over HTTP and websockets and GraphiQL at `/graphql`, `/healthz`, `/readyz`,
 * `/metrics` (to this machine only), the web client and files.
 */
export function createServer(options: ServerOptions): Server {
  const { config, log, metrics, schema, context, health, page, revoked } = options;
  const limits: Limits = { ...LIMITS, ...options.limits };
  let stopping: Promise<void> | undefined;

  const outcomes = createOutcomes({ log, metrics });
  const admission = createAdmission({
    development: config.auth.kind === 'development',
    allowedOrigins: config.allowedOrigins,
  });
  const authenticator = createAuthenticator({
    ...{ auth: config.auth, dataDir: config.dataDir, log },
    ...(revoked === undefined ? {} : { revoked }),
  });
  const { introspection, trustedProxies } = config;
  const anonymous = options.anonymous === undefined ? {} : { anonymous: options.anonymous };
  const yoga = createGraphQL({
    ...{ schema, context, introspection, limits, log, outcomes },
    ...(options.subscribe === undefined ? {} : { subscribe: options.subscribe }),
  });
  const websockets = createWebSockets({
    ...{ yoga, admission, authenticator, limits, log, metrics, outcomes, trustedProxies },
    ...anonymous,
  });
  // Not at once: of a websocket that is just being acknowledged it is known by then whose it is.
  revoked?.onMore(() => setImmediate(() => websockets.closeWhere((identity) => revoked.has(identity))));
  const routes = createHttpListener({
    routes: {
      ...fileRoutes(options.files ?? []),
      ...pageRoutes(PAGE_PATHS, page),
      ...createProbes({ readiness: createReadiness(health, limits.healthMs), metrics }),
    },
    graphql: createGraphQLRoute({
      ...{ yoga, authenticator, trustedProxies, ...anonymous },
      graphiql: config.graphiql ? createGraphiQL(options.graphiql ?? GRAPHIQL_DEFAULTS) : undefined,
    }),
    admission,
    isStopping: () => stopping !== undefined,
    log,
  });

  const inFlight = new Set<ServerResponse>();
  const http = createHttpServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  http.maxConnections = limits.sockets + CONNECTIONS_BESIDE_SOCKETS;
  http.on('request', (request, response) => {
    inFlight.add(response);
    response.once('close', () => inFlight.delete(response));
    routes(request, response);
  });
  http.on('upgrade', websockets.upgrade);

  async function stop() {
    const ended = new Promise<void>((resolve) => http.close(() => resolve()));
    const answered = [...inFlight].map((response) => {
      if (!response.headersSent) response.setHeader('connection', 'close');
      return new Promise((resolve) => response.once('close', resolve));
    });
    const late = wait(limits.stopMs, undefined, { ref: false });
    await Promise.all([websockets.stop(), Promise.race([Promise.all(answered), late])]);
    // Left are connections without a request, and what is late.
    http.closeAllConnections();
    await ended;
  }

  return {
    start: () => listen(http, config, log),
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}
