/** The environment variables that are settings. `config.ts` makes the configuration of them. */
import { z } from 'zod';
import { DELIVERY_WINDOWS, DELIVERY_WINDOWS_RULE, parseDeliveryWindows } from './core/deliveryKinds.ts';
import { LOG_LEVELS } from './core/log.ts';
import { MAIL_FROM_RULE, parseMailbox, parseSmtpUrl, SMTP_URL_RULE } from './core/mailConfig.ts';
import { isPushOrigin, PUSH_ORIGINS } from './core/pushOrigins.ts';
import { parseRateLimits, RATE_LIMITS, RATE_LIMITS_RULE, USER_LIMITS } from './core/rateLimits.ts';
import { isIssuer } from './core/signIn.ts';
import { isTable, TABLE_RULE } from './core/tableArn.ts';
import { isVapidKey, isVapidSubject } from './core/vapidKeys.ts';
import { parsePrivateHosts, parseWebhooks, WEBHOOKS_RULE } from './core/webhookConfig.ts';

const SECRET_MIN_BYTES = 32;

const parsedUrl = (text: string) => (URL.canParse(text) ? new URL(text) : undefined);

const url = (...protocols: string[]) =>
  z.string().refine((value) => protocols.includes(parsedUrl(value)?.protocol ?? ''), {
    error: `must be a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });

const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

const origin = (error: string) =>
  z.string().refine((value) => /^https?:/.test(value) && parsedUrl(value)?.origin === value, { error });

const parsedBy = <T>(parse: (text: string) => T | undefined, rule: string) =>
  z.string().transform((text, context) => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: rule });
    return z.NEVER;
  });

const port = z
  .string()
  .regex(/^\d{1,5}$/, { error: 'must be a whole number from 0 to 65535' })
  .transform(Number)
  .refine((number) => number <= 65_535, { error: 'must be a whole number from 0 to 65535' });

/** Each variable by itself: how its text is parsed, and its default. */
export const Variables = z.object({
  PORT: port.default(4000),
  HOST: z
    .string()
    .transform((host) => host.replace(/^\[(.*)\]$/, '$1'))
    .optional(),
  DATA_DIR: z.string().default('.data'),
  STAMPS_DIR: z.string().optional(),
  DYNAMODB_ENDPOINT: url('http:', 'https:').optional(),
  DYNAMODB_CLIENT: oneOf(['direct', 'sdk']).default('direct'),
  TABLE_NAME: z.string().refine(isTable, { error: TABLE_RULE }).default('tsudoi'),
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
  SIGN_IN_URL: z
    .string()
    .refine(isIssuer, {
      error: 'must be an https: URL without a query, or an http: URL of this machine',
    })
    .optional(),
  SIGN_IN_CLIENT_ID: z.string().optional(),
  SIGN_IN_SCOPE: z
    .string()
    .refine((scope) => scope.split(' ').includes('openid'), {
      error: 'must be a list with spaces between its entries, with openid among them',
    })
    .optional(),
  ROLE: oneOf(['all', 'api', 'worker']).default('all'),
  LOG_LEVEL: oneOf(LOG_LEVELS).default('info'),
  PUBLIC_URL: origin('must be an origin such as https://chat.example.com (no path)').optional(),
  ALLOWED_ORIGINS: z
    .string()
    .transform((list) => list.split(',').flatMap((one) => one.trim() || []))
    .pipe(
      z.array(
        origin('must be a comma-separated list of origins such as https://chat.example.com (no path, no *)'),
      ),
    )
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
  OTEL_EXPORTER_OTLP_ENDPOINT: url('https:', 'http:').optional(),
  OTEL_SERVICE_NAME: z.string().default('tsudoi'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?|\.\d{1,6})$/, { error: 'must be a number from 0 to 1' })
    .transform(Number)
    .default(1),
  SHUTDOWN_DELAY: z
    .string()
    .regex(/^\d{1,2}$/, { error: 'must be a whole number of seconds from 0 to 60' })
    .transform(Number)
    .refine((seconds) => seconds <= 60, { error: 'must be a whole number of seconds from 0 to 60' })
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
      return limits ?? { rates: {}, users: {} };
    })
    .default({ rates: RATE_LIMITS, users: USER_LIMITS }),
  NOTIFICATION_RETENTION_DAYS: z
    .string()
    .regex(/^\d{1,4}$/, { error: 'must be a whole number from 1 to 3650' })
    .transform(Number)
    .refine((days) => days >= 1 && days <= 3_650, { error: 'must be a whole number from 1 to 3650' })
    .default(30),
  DELIVERY_WINDOWS: z
    .string()
    .transform((text, context) => {
      const windows = parseDeliveryWindows(text);
      if (windows === undefined) context.addIssue({ code: 'custom', message: DELIVERY_WINDOWS_RULE });
      return windows ?? DELIVERY_WINDOWS;
    })
    .default(DELIVERY_WINDOWS),
  VAPID_PRIVATE_KEY: z
    .string()
    .refine(isVapidKey, {
      error: 'must be a private key on P-256, 32 bytes in base64url (docs/delivery.md says how to make one)',
    })
    .optional(),
  VAPID_SUBJECT: z
    .string()
    .refine(isVapidSubject, { error: 'must be a mailto: or https: address that is reachable from outside' })
    .optional(),
  PUSH_ORIGINS: z
    .string()
    .transform((list) => list.split(',').flatMap((one) => one.trim() || []))
    .pipe(
      z.array(
        z.string().refine(isPushOrigin, {
          error:
            'must be a comma-separated list of origins such as https://push.example.com or https://*.example.com',
        }),
      ),
    )
    .default([...PUSH_ORIGINS]),
  WEBHOOKS: z
    .string()
    .transform((text, context) => {
      const webhooks = parseWebhooks(text);
      if (webhooks === undefined) context.addIssue({ code: 'custom', message: WEBHOOKS_RULE });
      return webhooks ?? [];
    })
    .default([]),
  WEBHOOK_PRIVATE_HOSTS: z
    .string()
    .transform((text, context) => {
      const hosts = parsePrivateHosts(text);
      if (hosts === undefined) {
        context.addIssue({
          code: 'custom',
          message:
            'must be a comma-separated list of names and addresses without ports, such as hooks.internal',
        });
      }
      return hosts ?? [];
    })
    .default([]),
  SMTP_URL: parsedBy(parseSmtpUrl, SMTP_URL_RULE).optional(),
  MAIL_FROM: parsedBy(parseMailbox, MAIL_FROM_RULE).optional(),
  NODE_ENV: z.string().optional(),
  AWS_REGION: z.string().optional(),
  AWS_DEFAULT_REGION: z.string().optional(),
});

export type Environment = Readonly<Record<string, string | undefined>>;
export type Variables = z.infer<typeof Variables>;
