import { z } from 'zod';
import { LOG_LEVELS, type LogOptions } from './core/log.ts';
import { parseRateLimits, RATE_LIMITS, RATE_LIMITS_RULE, type RateLimits } from './core/rateLimits.ts';

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
  readonly dynamodb: DynamoConfig;
  /** What the table's items are read and written with: signed JSON over HTTP (`direct`), or the AWS SDK. */
  readonly dynamodbClient: 'direct' | 'sdk';
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
  /** Origins, in addition to the server's own, whose pages may call it from a browser. */
  readonly allowedOrigins: readonly string[];
  readonly graphiql: boolean;
  readonly introspection: boolean;
  /** Seconds for which a read notification is kept. Unread notifications do not expire. */
  readonly notificationRetention: number;
  readonly metrics: MetricsConfig;
  /** How many of the operator's own proxies are in front of the server and add to `X-Forwarded-For`. */
  readonly trustedProxies: number;
  /** How often one user may perform each kind of action: see `core/rateLimits.ts`. */
  readonly rateLimits: RateLimits;
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

/** Which requests may read `/metrics`, in addition to those of this machine. */
export interface MetricsConfig {
  /** TCP port of a second listener, for `/metrics`, `/healthz` and `/readyz` alone. Undefined: none; 0 takes a free one. */
  readonly port: number | undefined;
  /** The bearer token for `/metrics`. If it is set, the second listener demands it as well. */
  readonly token: string | undefined;
}

/**
 * The DynamoDB to use. A configured endpoint wins. AWS is used if a region is set (`AWS_REGION`, or
 * `AWS_DEFAULT_REGION`) and the process is evidently a deployment: `AUTH_*` is set, or `ROLE` is not `all`. Many
 * developers' shells export a region or a profile for other work, and `npm start` in one of those must never create
 * a table and demo users in an AWS account. In all other cases the embedded database is used; `AWS_PROFILE` alone
 * selects nothing.
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

const SECRET_MIN_BYTES = 32;
const DAY_S = 24 * 3600;

const parsedUrl = (text: string) => (URL.canParse(text) ? new URL(text) : undefined);

const url = (...protocols: string[]) =>
  z.string().refine((value) => protocols.includes(parsedUrl(value)?.protocol ?? ''), {
    error: `must be a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });

const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

const origin = z.string().refine((value) => parsedUrl(value)?.origin === value, {
  error: 'must be a comma-separated list of origins such as https://chat.example.com (no path, no *)',
});

const port = z
  .string()
  .regex(/^\d{1,5}$/, { error: 'must be a whole number from 0 to 65535' })
  .transform(Number)
  .refine((number) => number <= 65_535, { error: 'must be a whole number from 0 to 65535' });

const Variables = z.object({
  PORT: port.default(4000),
  HOST: z
    .string()
    .transform((host) => host.replace(/^\[(.*)\]$/, '$1'))
    .optional(),
  DATA_DIR: z.string().default('.data'),
  STAMPS_DIR: z.string().optional(),
  DYNAMODB_ENDPOINT: url('http:', 'https:').optional(),
  DYNAMODB_CLIENT: oneOf(['direct', 'sdk']).default('direct'),
  TABLE_NAME: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{3,255}$/, { error: 'must be 3 to 255 letters, digits, "_", "-" or "."' })
    .default('tsudoi'),
  REDIS_URL: url('redis:', 'rediss:').optional(),
  AUTH_SECRET: z
    .string()
    .refine((secret) => Buffer.byteLength(secret) >= SECRET_MIN_BYTES, {
      error: `must have at least ${SECRET_MIN_BYTES} bytes (make one with: openssl rand -base64 48)`,
    })
    .optional(),
  AUTH_JWKS_URL: url('https:', 'http:').optional(),
  AUTH_ISSUER: z.string().optional(),
  AUTH_AUDIENCE: z.string().optional(),
  ROLE: oneOf(['all', 'api', 'worker']).default('all'),
  LOG_LEVEL: oneOf(LOG_LEVELS).default('info'),
  ALLOWED_ORIGINS: z
    .string()
    .transform((list) => list.split(',').flatMap((one) => one.trim() || []))
    .pipe(z.array(origin))
    .default([]),
  GRAPHIQL: oneOf(['on', 'off']).optional(),
  INTROSPECTION: oneOf(['on', 'off']).optional(),
  METRICS_PORT: port.optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,256}$/, {
      error: 'must be 16 to 256 ASCII characters without spaces (make one with: openssl rand -hex 24)',
    })
    .optional(),
  TRUSTED_PROXIES: z
    .string()
    .regex(/^\d$/, { error: 'must be a whole number from 0 to 9' })
    .transform(Number)
    .default(0),
  RATE_LIMITS: z
    .string()
    .transform((text, context) => {
      const limits = parseRateLimits(text);
      if (limits === undefined) context.addIssue({ code: 'custom', message: RATE_LIMITS_RULE });
      return limits ?? {};
    })
    .default(RATE_LIMITS),
  NOTIFICATION_RETENTION_DAYS: z
    .string()
    .regex(/^\d{1,4}$/, { error: 'must be a whole number from 1 to 3650' })
    .transform(Number)
    .refine((days) => days >= 1 && days <= 3_650, { error: 'must be a whole number from 1 to 3650' })
    .default(30),
  NODE_ENV: z.string().optional(),
  AWS_REGION: z.string().optional(),
  AWS_DEFAULT_REGION: z.string().optional(),
});

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Parses the environment into a typed configuration. Empty variables count as unset. Throws `ConfigError`, which
 * names every mistake at once and never repeats a value, which may be a secret.
 */
export function loadConfig(environment: Environment): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Variables.safeParse(set);
  const problems = [...malformed(parsed.error), ...contradictions(set)];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);

  const variables = parsed.data;
  const auth = authOf(variables);
  const shown = variables.NODE_ENV === 'production' ? 'off' : 'on';
  return {
    port: variables.PORT,
    host: variables.HOST ?? (auth.kind === 'development' ? '127.0.0.1' : '0.0.0.0'),
    role: variables.ROLE,
    auth,
    dynamodb: dynamodbOf(variables, set),
    dynamodbClient: variables.DYNAMODB_CLIENT,
    tableName: variables.TABLE_NAME,
    bus: variables.REDIS_URL === undefined ? { kind: 'memory' } : { kind: 'redis', url: variables.REDIS_URL },
    dataDir: variables.DATA_DIR,
    stampsDir: variables.STAMPS_DIR,
    logLevel: variables.LOG_LEVEL,
    allowedOrigins: variables.ALLOWED_ORIGINS,
    graphiql: (variables.GRAPHIQL ?? shown) === 'on',
    introspection: (variables.INTROSPECTION ?? shown) === 'on',
    notificationRetention: variables.NOTIFICATION_RETENTION_DAYS * DAY_S,
    metrics: { port: variables.METRICS_PORT, token: variables.METRICS_TOKEN },
    trustedProxies: variables.TRUSTED_PROXIES,
    rateLimits: variables.RATE_LIMITS,
  };
}

/** Whether only this machine can reach an address: `localhost`, any of 127.0.0.0/8, or ::1. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[?::1\]?)$/i.test(host);

/** One line for each variable whose own value is invalid. */
function malformed(error: z.ZodError | undefined): string[] {
  const lines = (error?.issues ?? []).map(({ path, message }) => `${String(path[0])} ${message}.`);
  return [...new Set(lines)];
}

/** One line for each invalid combination, whether or not the single values are valid. */
function contradictions(set: Environment): string[] {
  const problems: string[] = [];
  if (set.AUTH_SECRET !== undefined && set.AUTH_JWKS_URL !== undefined) {
    problems.push('AUTH_SECRET and AUTH_JWKS_URL exclude each other: set one of them.');
  }
  for (const name of ['AUTH_ISSUER', 'AUTH_AUDIENCE']) {
    if (set.AUTH_JWKS_URL !== undefined && set[name] === undefined) {
      problems.push(`${name} is required with AUTH_JWKS_URL.`);
    }
    if (!isSecured(set) && set[name] !== undefined) {
      problems.push(`${name} needs AUTH_SECRET or AUTH_JWKS_URL beside it.`);
    }
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
  if (set.ROLE === 'api' || set.ROLE === 'worker') {
    if (set.REDIS_URL === undefined) problems.push(`REDIS_URL is required with ROLE=${set.ROLE}.`);
    if (set.DYNAMODB_ENDPOINT === undefined && regionOf(set) === undefined) {
      problems.push(`DYNAMODB_ENDPOINT, or AWS_REGION for AWS itself, is required with ROLE=${set.ROLE}.`);
    }
  }
  return problems;
}

const isSecured = (set: Environment) => set.AUTH_SECRET !== undefined || set.AUTH_JWKS_URL !== undefined;
const regionOf = (set: Environment) => set.AWS_REGION ?? set.AWS_DEFAULT_REGION;

function authOf(variables: z.infer<typeof Variables>): AuthConfig {
  const { AUTH_SECRET, AUTH_JWKS_URL, AUTH_ISSUER, AUTH_AUDIENCE } = variables;
  if (AUTH_SECRET !== undefined) {
    return { kind: 'secret', secret: AUTH_SECRET, issuer: AUTH_ISSUER, audience: AUTH_AUDIENCE };
  }
  if (AUTH_JWKS_URL !== undefined && AUTH_ISSUER !== undefined && AUTH_AUDIENCE !== undefined) {
    return { kind: 'jwks', url: AUTH_JWKS_URL, issuer: AUTH_ISSUER, audience: AUTH_AUDIENCE };
  }
  return { kind: 'development' };
}

function dynamodbOf(variables: z.infer<typeof Variables>, set: Environment): DynamoConfig {
  const { DYNAMODB_ENDPOINT, ROLE } = variables;
  if (DYNAMODB_ENDPOINT !== undefined) return { kind: 'endpoint', endpoint: DYNAMODB_ENDPOINT };
  const region = regionOf(set);
  const deployed = isSecured(set) || ROLE !== 'all';
  return region !== undefined && deployed ? { kind: 'aws', region } : { kind: 'embedded' };
}

/** Names shorter than this are similar to many others (`PORT`, `HOST`, `ROLE`). */
const COMPARED_FROM = 6;

/** A line for each variable that is not a setting and whose name is nearly that of one. */
export function misspeltVariables(env: Environment): string[] {
  const settings = Object.keys(Variables.shape);
  return Object.keys(env).flatMap((name) => {
    if (name.length < COMPARED_FROM || settings.includes(name)) return [];
    const meant = settings.find((setting) => setting.length >= COMPARED_FROM && isNear(name, setting));
    return meant === undefined ? [] : [`${name} is not a setting. Did you mean ${meant}?`];
  });
}

/** Whether one character is missing, added or wrong, or two neighbours are swapped. */
function isNear(name: string, setting: string): boolean {
  const [a, b] = [name.toUpperCase(), setting];
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const rest = (text: string, from: number) => text.slice(start + from);
  return (
    rest(a, 1) === rest(b, 1) ||
    rest(a, 1) === rest(b, 0) ||
    rest(a, 0) === rest(b, 1) ||
    (a[start] === b[start + 1] && a[start + 1] === b[start] && rest(a, 2) === rest(b, 2))
  );
}
