import { setTimeout as wait } from 'node:timers/promises';
import type { GraphQLSchema } from 'graphql';
import type { Config } from '../config.ts';
import { defined } from '../core/defined.ts';
import type { RevokedTokens } from '../core/identity.ts';
import type { Log } from '../core/log.ts';
import type { CacheSize, Metrics } from '../core/metrics.ts';
import type { AnonymousLimit, UserUsage } from '../core/rateLimits.ts';
import type { SubscribeMiddleware } from '../core/subscribe.ts';
import type { Tracer } from '../core/trace.ts';
import type { CompileQuery } from '../core/writeData.ts';
import { chargeAnonymous, networkOf } from './access/anonymous.ts';
import { createAuthenticator } from './access/auth.ts';
import { createOriginPolicy } from './access/originPolicy.ts';
import { type ContextFactory, createEngine } from './graphql/engine.ts';
import { createGraphiQL, type GraphiQLOptions } from './graphql/graphiql.ts';
import { createOperationMetrics } from './graphql/operationMetrics.ts';
import { createGraphQL } from './graphql/yoga.ts';
import { fileRoutes, type ServedFile } from './http/files.ts';
import { createGracefulServer } from './http/gracefulServer.ts';
import { createGraphQLRoute } from './http/graphqlRoute.ts';
import { createReadiness, type HealthCheck } from './http/health.ts';
import { createHttpListener, limited, type Routes } from './http/httpListener.ts';
import { type Page, pageRoutes, sendPage } from './http/pages.ts';
import { createProbes } from './http/probes.ts';
import { SERVER_LIMITS, type ServerLimits } from './limits.ts';
import { type Listening, listen } from './listen.ts';
import type { MemoryWatch } from './memory.ts';
import { createEventStreams } from './sse/eventStreams.ts';
import { createWebSockets } from './websocket/websockets.ts';

export interface ServerOptions {
  readonly config: Pick<
    Config,
    | 'host'
    | 'port'
    | 'auth'
    | 'dataDir'
    | 'allowedOrigins'
    | 'graphiql'
    | 'introspection'
    | 'metrics'
    | 'shutdownDelay'
    | 'trustedProxies'
  >;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly schema: GraphQLSchema;
  readonly context: ContextFactory;
  /** Replaces GraphQL's `subscribe`. */
  readonly subscribe?: SubscribeMiddleware;
  /** Compiles queries that are sent repeatedly. Absent: all are executed by graphql-js. */
  readonly compile?: CompileQuery;
  /** Records operations. */
  readonly tracer?: Tracer | undefined;
  /** Whether each field of the schema requires a signed-in user. Then a request without a token is not executed. */
  readonly signedInOnly?: boolean;
  readonly health: HealthCheck;
  /** Whether events reach this server now: see `WebSocketsOptions`. */
  readonly receivesEvents?: () => boolean;
  /** The page at `/` and at every other path of the web client. */
  readonly page: () => Page | Promise<Page>;
  readonly graphiql?: GraphiQLOptions;
  /** Serve GET, HEAD and POST to every client. Requests count as those without a token. */
  readonly forms?: Routes;
  /** Served to every client. */
  readonly files?: readonly ServedFile[];
  /** Absent: requests without a valid token are not limited. */
  readonly anonymous?: AnonymousLimit;
  /** Absent: users and networks may hold and read any amount. */
  readonly usage?: UserUsage;
  /** Refuses new subscriptions if little memory is left. Absent: they are not refused. */
  readonly memory?: Pick<MemoryWatch, 'isLow'>;
  /** Absent: no token is revoked. */
  readonly revoked?: RevokedTokens;
  /** Called when it begins to close, after `shutdownDelay`. */
  readonly onClose?: () => void;
  /** Replaces the wait of `shutdownDelay`, for tests. Its argument is milliseconds. */
  readonly wait?: (ms: number) => Promise<void>;
  /** Replaces some of the default limits, for tests. */
  readonly limits?: Partial<ServerLimits>;
}

export interface Server {
  /** Resolves when the server accepts requests. Rejects if the address is in use or does not belong to this machine. */
  start(): Promise<Listening>;
  /**
   * Accepts no more requests, completes the open ones, ends event streams, and closes websockets with 1012. After
   * `stopMs` it cuts off the rest. Calls after the first wait for the same end.
   */
  stop(): Promise<void>;
}

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/**
 * Longer than the idle timeout of load balancers (60 s, and 120 s in infra/), so that they close idle connections and
 * the server does not: a request on a connection that is just being closed would be lost.
 */
const KEEP_ALIVE_MS = 125_000;
/** Connections for HTTP, in addition to the websockets and event streams. */
const HTTP_CONNECTIONS = 5_000;

/** The paths of the web client's router. Others get its page as well, with status 404. */
export const PAGE_PATHS = [
  ...['/', '/sign-in', '/rooms/*', '/threads', '/invite/*'],
  ...['/settings', '/settings/*', '/saved', '/saved/*'],
];

const UNLIMITED: UserUsage = {
  take: () => () => {},
  extend: () => () => {},
  add: () => () => {},
  read: () => 0,
  refuse: () => 0,
};

const GRAPHIQL_DEFAULTS: GraphiQLOptions = { defaultQuery: '{ __typename }\n', headers: '{}' };

/**
 * Serves everything on one port: at `/graphql` GraphQL over HTTP, websockets and server-sent events, and GraphiQL,
 * `/healthz`, `/readyz`, `/metrics` (to this machine only), the web client and files.
 */
export function createServer(options: ServerOptions): Server {
  const { config, log, metrics, schema, context, health, page, revoked } = options;
  const limits: ServerLimits = { ...SERVER_LIMITS, ...options.limits };
  let stopping: Promise<void> | undefined;

  const anonymous = defined({ anonymous: options.anonymous });
  const usage = options.usage ?? UNLIMITED;
  const record = createOperationMetrics({ log, metrics });
  const originPolicy = createOriginPolicy({
    development: config.auth.kind === 'development',
    allowedOrigins: config.allowedOrigins,
  });
  const { auth, dataDir, introspection, trustedProxies } = config;
  const authenticator = createAuthenticator(defined({ auth, dataDir, log, revoked }));
  const engine = createEngine(
    defined({
      schema,
      context,
      introspection,
      limits,
      log,
      record,
      usage,
      subscribe: options.subscribe,
      compile: options.compile,
      tracer: options.tracer,
      signedInOnly: options.signedInOnly,
      memory: options.memory,
      onLowMemory: () => metrics.rateLimited.inc({ act: 'memory' }),
      onDocuments: (size: () => CacheSize) => metrics.watched.caches.set('documents', size),
    }),
  );
  const websockets = createWebSockets({
    engine,
    originPolicy,
    authenticator,
    usage,
    limits,
    log,
    metrics,
    trustedProxies,
    ...anonymous,
    ...defined({ receivesEvents: options.receivesEvents }),
  });
  const eventStreams = createEventStreams({ engine, usage, limits, metrics });
  // In the next turn: by then the identity of a websocket that is just being acknowledged is known.
  revoked?.onUpdate(() =>
    setImmediate(() => {
      websockets.closeWhere((identity) => revoked.has(identity));
      eventStreams.closeWhere((identity) => revoked.has(identity));
    }),
  );
  const routes = createHttpListener({
    routes: {
      ...fileRoutes(options.files ?? []),
      ...pageRoutes(PAGE_PATHS, page),
      ...createProbes({
        readiness: createReadiness(health, {
          timeoutMs: limits.healthMs,
          isStopping: () => stopping !== undefined,
        }),
        metrics,
        token: config.metrics.token,
      }),
    },
    forms: limited(options.forms ?? {}, (request) =>
      chargeAnonymous(options.anonymous, networkOf(request, trustedProxies)),
    ),
    notFound: async (request, response) => sendPage(request, response, await page(), 404),
    graphql: createGraphQLRoute({
      engine,
      yoga: createGraphQL({ engine, limits }),
      eventStreams,
      limits,
      usage,
      authenticator,
      trustedProxies,
      ...anonymous,
      graphiql: config.graphiql ? createGraphiQL(options.graphiql ?? GRAPHIQL_DEFAULTS) : undefined,
    }),
    originPolicy,
    log,
  });

  const graceful = createGracefulServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // `invalidHost` requires it.
    requireHostHeader: false,
    onRequest: routes,
    onUpgrade: websockets.upgrade,
    limits,
    behindProxy: trustedProxies > 0,
  });
  const { http } = graceful;
  // By default Node drops all headers after the 2,000th, an `Origin` too. Their size is limited to 16 KB.
  http.maxHeadersCount = 0;
  http.maxConnections = limits.sockets + limits.eventStreams + HTTP_CONNECTIONS;

  async function stop() {
    graceful.closeAfterResponse();
    await (options.wait ?? wait)(config.shutdownDelay * 1_000);
    options.onClose?.();
    await graceful.stop(() => {
      eventStreams.stop();
      return websockets.stop();
    });
  }

  return {
    start: () => listen(http, config, log),
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}
