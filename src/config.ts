import type { z } from 'zod';
import type { DeliveryWindows } from './core/deliveryKinds.ts';
import type { LogOptions } from './core/log.ts';
import { isLoopback } from './core/loopback.ts';
import type { MailConfig } from './core/mailConfig.ts';
import type { PushOrigin } from './core/pushOrigins.ts';
import type { RateLimits, UserLimits } from './core/rateLimits.ts';
import { type SignInConfig, signInOf } from './core/signIn.ts';
import { parseTableArn } from './core/tableArn.ts';
import { DAY_S } from './core/timestamps.ts';
import type { VapidKeys } from './core/vapidKeys.ts';
import { isPrivateHost, parsePrivateHosts, parseWebhooks, type WebhookConfig } from './core/webhookConfig.ts';
import { type Environment, Variables } from './variables.ts';

/**
 * The settings of the program, from its environment. `loadConfig` is pure: it reads only its argument, and no other
 * code in `src` reads `process.env` for a setting.
 */
export interface Config {
  /** TCP port of HTTP and websockets; 0 takes a free one. */
  readonly port: number;
  /** The address to bind to. Loopback if `auth` is `development`. */
  readonly host: string;
  /** The work of this process: serve requests (`api`), consume the stream (`worker`), or both (`all`). */
  readonly role: 'all' | 'api' | 'worker';
  readonly auth: AuthConfig;
  /** The identity provider at which users of the web client sign in. Undefined: they enter a token. */
  readonly signIn: SignInConfig | undefined;
  readonly dynamodb: DynamoConfig;
  /** What the table's items are read and written with: signed JSON over HTTP (`direct`), or the AWS SDK. */
  readonly dynamodbClient: 'direct' | 'sdk';
  /** The name of the table, or its ARN if it is in another AWS account. */
  readonly tableName: string;
  readonly bus: { readonly kind: 'memory' } | { readonly kind: 'redis'; readonly url: string };
  /** The folder of the embedded database and the development secret. */
  readonly dataDir: string;
  /**
   * A folder of pictures that become stamps in addition to the built-in ones: `party-parrot.gif` is the stamp
   * `party-parrot`, "Party parrot". At most 500 svg, png, webp or gif files of at most 256 KiB, read at start.
   */
  readonly stampsDir: string | undefined;
  readonly logLevel: LogOptions['level'];
  /** The origin at which users open the web client. Undefined: this machine, at `port`. */
  readonly publicUrl: string | undefined;
  /** Origins, in addition to the server's own, whose pages may call it from a browser. */
  readonly allowedOrigins: readonly string[];
  readonly graphiql: boolean;
  readonly introspection: boolean;
  /** Seconds for which a read notification is kept. Unread notifications do not expire. */
  readonly notificationRetention: number;
  /** When something is delivered outside the page, unless a person chose otherwise. */
  readonly deliveryWindows: DeliveryWindows;
  /**
   * How this server identifies itself at push services. `development`: by a key in `dataDir`. Undefined: no Web Push.
   */
  readonly vapid: VapidKeys | 'development' | undefined;
  /** The push services that browsers may be reached at. */
  readonly pushOrigins: readonly PushOrigin[];
  /** The operator's systems that get the deliveries of every person. */
  readonly webhooks: readonly WebhookConfig[];
  /** Hosts of webhooks that may be inside of the operator's network. */
  readonly webhookPrivateHosts: readonly string[];
  /** How e-mail is sent. Undefined: none is. */
  readonly mail: MailConfig | undefined;
  readonly metrics: MetricsConfig;
  /** The collector of traces. Undefined: nothing is traced. */
  readonly traces: TracesConfig | undefined;
  /** Seconds for which a server that was asked to stop still serves, and says that it is not ready. */
  readonly shutdownDelay: number;
  /** How many of the operator's own proxies are in front of the server and add to `X-Forwarded-For`. */
  readonly trustedProxies: number;
  /** How often one user may perform each kind of action: see `core/rateLimits.ts`. */
  readonly rateLimits: RateLimits;
  /** How much one user may hold on this server and read from it. */
  readonly userLimits: UserLimits;
}

/** How bearer tokens are checked. `issuer` and `audience` are checked if they are set. */
export type AuthConfig =
  /** Nothing is configured: tokens are signed with a secret kept in `dataDir`, and only loopback is served. */
  | { readonly kind: 'development' }
  /** HS256 with a shared secret. */
  | {
      readonly kind: 'secret';
      readonly secret: string;
      readonly issuer: string | undefined;
      readonly audience: string | undefined;
    }
  /** Asymmetric signatures, checked with the keys that an identity provider publishes. */
  | { readonly kind: 'jwks'; readonly url: string; readonly issuer: string; readonly audience: string };

export interface TracesConfig {
  /** The base of the collector's URLs, as OTLP over HTTP has them. */
  readonly endpoint: string;
  /** The share of the operations that are traced, from 0 to 1. */
  readonly ratio: number;
  readonly service: string;
}

/** Which requests may read `/metrics`, in addition to those of this machine. */
export interface MetricsConfig {
  /**
   * TCP port of a second listener, for `/metrics`, `/healthz` and `/readyz` alone. Undefined: none; 0 takes a free one.
   */
  readonly port: number | undefined;
  /** The bearer token for `/metrics`. If it is set, the second listener demands it as well. */
  readonly token: string | undefined;
}

/**
 * The DynamoDB to use. A configured endpoint wins. AWS is used if a region is set (`AWS_REGION`, `AWS_DEFAULT_REGION`,
 * or that of an ARN in `TABLE_NAME`) and the process is evidently a deployment: `AUTH_*` is set, or `ROLE` is not
 * `all`. Many developers' shells export a region or a profile for other work, and `npm start` in one of those must
 * never create a table and demo users in an AWS account. In all other cases the embedded database is used;
 * `AWS_PROFILE` alone selects nothing.
 */
export type DynamoConfig =
  | { readonly kind: 'embedded' }
  | { readonly kind: 'endpoint'; readonly endpoint: string }
  | { readonly kind: 'aws'; readonly region: string };

/** The environment is invalid. `problems` has one line for each setting to correct, the message has all of them. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(['The configuration is wrong:', ...problems.map((problem) => `  - ${problem}`)].join('\n'));
    this.problems = problems;
  }
}

export interface LoadOptions {
  /** The process may run without Redis in any role: what it writes is published by those that read the stream. */
  readonly busIsOptional?: boolean;
}

/**
 * Parses the environment into a typed configuration. Empty variables count as unset. Throws `ConfigError`, which
 * names every mistake at once and never repeats a value, which may be a secret.
 */
export function loadConfig(environment: Environment, options: LoadOptions = {}): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Variables.safeParse(set);
  const problems = [...malformed(parsed.error), ...contradictions(set, options)];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);

  const variables = parsed.data;
  const auth = authOf(variables);
  const dynamodb = dynamodbOf(variables, set);
  const shown = variables.NODE_ENV === 'production' ? 'off' : 'on';
  return {
    port: variables.PORT,
    host: variables.HOST ?? (auth.kind === 'development' ? '127.0.0.1' : '0.0.0.0'),
    role: variables.ROLE,
    auth,
    signIn: signInOf(variables),
    dynamodb,
    dynamodbClient: variables.DYNAMODB_CLIENT,
    tableName: variables.TABLE_NAME,
    bus: variables.REDIS_URL === undefined ? { kind: 'memory' } : { kind: 'redis', url: variables.REDIS_URL },
    dataDir: variables.DATA_DIR,
    stampsDir: variables.STAMPS_DIR,
    logLevel: variables.LOG_LEVEL,
    publicUrl: variables.PUBLIC_URL,
    allowedOrigins: variables.ALLOWED_ORIGINS,
    graphiql: (variables.GRAPHIQL ?? shown) === 'on',
    introspection: (variables.INTROSPECTION ?? shown) === 'on',
    notificationRetention: variables.NOTIFICATION_RETENTION_DAYS * DAY_S,
    deliveryWindows: variables.DELIVERY_WINDOWS,
    vapid: vapidOf(variables, auth),
    pushOrigins: variables.PUSH_ORIGINS,
    webhooks: variables.WEBHOOKS,
    webhookPrivateHosts: variables.WEBHOOK_PRIVATE_HOSTS,
    mail: mailOf(variables),
    metrics: { port: variables.METRICS_PORT, token: variables.METRICS_TOKEN },
    traces: tracesOf(variables),
    // On AWS a load balancer has to notice first that the server is not ready.
    shutdownDelay: variables.SHUTDOWN_DELAY ?? (dynamodb.kind === 'aws' ? 5 : 0),
    trustedProxies: variables.TRUSTED_PROXIES,
    rateLimits: variables.RATE_LIMITS.rates,
    userLimits: variables.RATE_LIMITS.users,
  };
}

/** One line for each variable whose own value is invalid. */
function malformed(error: z.ZodError | undefined): string[] {
  const lines = (error?.issues ?? []).map(({ path, message }) => `${String(path[0])} ${message}.`);
  return [...new Set(lines)];
}

/** One line for each invalid combination, whether or not the single values are valid. */
function contradictions(set: Environment, { busIsOptional = false }: LoadOptions): string[] {
  const problems: string[] = [];
  if (set.AUTH_SECRET !== undefined && set.AUTH_JWKS_URL !== undefined) {
    problems.push('AUTH_SECRET and AUTH_JWKS_URL exclude each other: set one of them.');
  }
  for (const name of ['AUTH_ISSUER', 'AUTH_AUDIENCE']) {
    if (set.AUTH_JWKS_URL !== undefined && set[name] === undefined) {
      problems.push(`${name} is required with AUTH_JWKS_URL.`);
    }
    if (!isSecured(set) && set[name] !== undefined) {
      problems.push(`${name} also needs AUTH_SECRET or AUTH_JWKS_URL.`);
    }
  }
  if ((set.SIGN_IN_URL === undefined) !== (set.SIGN_IN_CLIENT_ID === undefined)) {
    problems.push('SIGN_IN_URL and SIGN_IN_CLIENT_ID need each other: set both.');
  }
  if (set.SIGN_IN_SCOPE !== undefined && set.SIGN_IN_URL === undefined) {
    problems.push('SIGN_IN_SCOPE also needs SIGN_IN_URL.');
  }
  if (set.SIGN_IN_URL !== undefined && set.AUTH_JWKS_URL === undefined) {
    problems.push(
      'AUTH_JWKS_URL is required with SIGN_IN_URL: the keys that the provider signs tokens with.',
    );
  }
  if (!isSecured(set) && set.HOST !== undefined && !isLoopback(set.HOST)) {
    problems.push(
      'HOST must be a loopback address such as 127.0.0.1 unless AUTH_SECRET or AUTH_JWKS_URL is set.',
    );
  }
  if (
    set.METRICS_PORT !== undefined &&
    set.METRICS_PORT !== '0' &&
    set.METRICS_PORT === (set.PORT ?? '4000')
  ) {
    problems.push('METRICS_PORT must differ from PORT. For metrics on PORT, set METRICS_TOKEN.');
  }
  if ((set.VAPID_PRIVATE_KEY === undefined) !== (set.VAPID_SUBJECT === undefined)) {
    problems.push('VAPID_PRIVATE_KEY and VAPID_SUBJECT need each other: set both.');
  }
  const ofMail = [set.SMTP_URL, set.MAIL_FROM].filter((one) => one !== undefined);
  if (ofMail.length === 1 || (ofMail.length > 0 && set.PUBLIC_URL === undefined)) {
    problems.push('SMTP_URL and MAIL_FROM need each other and PUBLIC_URL: set all three.');
  }
  const privateHosts = parsePrivateHosts(set.WEBHOOK_PRIVATE_HOSTS ?? '') ?? [];
  const isOpen = ({ url }: WebhookConfig) => !url.startsWith('https:') && !isPrivateHost(url, privateHosts);
  if (parseWebhooks(set.WEBHOOKS ?? '[]')?.some(isOpen) === true) {
    problems.push('WEBHOOKS may have http: addresses only of hosts that WEBHOOK_PRIVATE_HOSTS names.');
  }
  const [own, arn] = [ownRegionOf(set), arnOf(set)];
  if (set.DYNAMODB_ENDPOINT === undefined && isDeployed(set) && own !== undefined && arn !== undefined) {
    // One of the two would be a mistake.
    if (arn.region !== own)
      problems.push(
        `TABLE_NAME is an ARN in ${arn.region}, and AWS_REGION is ${own}: set AWS_REGION to that of the ARN.`,
      );
  }
  if (set.ROLE === 'api' || set.ROLE === 'worker') {
    if (set.REDIS_URL === undefined && !busIsOptional)
      problems.push(`REDIS_URL is required with ROLE=${set.ROLE}.`);
    if (set.DYNAMODB_ENDPOINT === undefined && regionOf(set) === undefined) {
      problems.push(`DYNAMODB_ENDPOINT, or AWS_REGION for AWS itself, is required with ROLE=${set.ROLE}.`);
    }
  }
  return problems;
}

const isSecured = (set: Environment) => set.AUTH_SECRET !== undefined || set.AUTH_JWKS_URL !== undefined;
const arnOf = ({ TABLE_NAME }: Environment) =>
  TABLE_NAME === undefined ? undefined : parseTableArn(TABLE_NAME);
const ownRegionOf = (set: Environment) => set.AWS_REGION ?? set.AWS_DEFAULT_REGION;
const regionOf = (set: Environment) => ownRegionOf(set) ?? arnOf(set)?.region;
/** It is evidently a deployment. */
const isDeployed = (set: Environment) => isSecured(set) || (set.ROLE !== undefined && set.ROLE !== 'all');

function authOf(variables: Variables): AuthConfig {
  const { AUTH_SECRET, AUTH_JWKS_URL, AUTH_ISSUER, AUTH_AUDIENCE } = variables;
  if (AUTH_SECRET !== undefined) {
    return { kind: 'secret', secret: AUTH_SECRET, issuer: AUTH_ISSUER, audience: AUTH_AUDIENCE };
  }
  if (AUTH_JWKS_URL !== undefined && AUTH_ISSUER !== undefined && AUTH_AUDIENCE !== undefined) {
    return { kind: 'jwks', url: AUTH_JWKS_URL, issuer: AUTH_ISSUER, audience: AUTH_AUDIENCE };
  }
  return { kind: 'development' };
}

function tracesOf(variables: Variables): TracesConfig | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = variables;
  if (endpoint === undefined) return undefined;
  return { endpoint, ratio: variables.OTEL_TRACES_SAMPLER_ARG, service: variables.OTEL_SERVICE_NAME };
}

function vapidOf(variables: Variables, auth: AuthConfig): Config['vapid'] {
  const { VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject } = variables;
  if (privateKey !== undefined && subject !== undefined) return { privateKey, subject };
  return auth.kind === 'development' ? 'development' : undefined;
}

function mailOf({ SMTP_URL: smtp, MAIL_FROM: from }: Variables): Config['mail'] {
  if (smtp === undefined || from === undefined) return undefined;
  return { smtp, from, requireTls: !isLoopback(smtp.host) };
}

function dynamodbOf({ DYNAMODB_ENDPOINT }: Variables, set: Environment): DynamoConfig {
  if (DYNAMODB_ENDPOINT !== undefined) return { kind: 'endpoint', endpoint: DYNAMODB_ENDPOINT };
  const region = regionOf(set);
  return region !== undefined && isDeployed(set) ? { kind: 'aws', region } : { kind: 'embedded' };
}
