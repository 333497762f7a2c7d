import type { AuthProps, SignInProps, TsudoiProps } from './props.ts';

/** The port that servers are reached at by the load balancer. */
export const PORT = 4_000;
/** The port of `/metrics` alone. */
export const METRICS_PORT = 9_464;

type Variables = Readonly<Record<string, string>>;

/** What is known only when the stack is made. */
export interface Addresses {
  readonly publicUrl: string;
  readonly region: string;
  readonly redisUrl: string;
}

/** The environment of each process, without the settings that come from the secret. */
export interface Environments {
  readonly servers: Variables;
  readonly commands: Variables;
  readonly consumer: Variables;
  readonly timers: Variables;
}

export const tableNameOf = ({ existingTable, tableName }: TsudoiProps): string =>
  existingTable?.name ?? tableName ?? 'tsudoi';

/** The consumer gathers deliveries for users that a webhook reaches, and digests only if mails are sent. */
export const consumerReadsSecret = ({ secret, consumer }: TsudoiProps): boolean => {
  const has = (name: string) => secret?.settings.some((setting) => setting === name) === true;
  return (
    has('WEBHOOKS') ||
    has('SMTP_URL') ||
    (consumer?.tracesTo !== undefined && has('OTEL_EXPORTER_OTLP_HEADERS'))
  );
};

export function environmentsOf(props: TsudoiProps, addresses: Addresses): Environments {
  const { auth, vapidSubject, mailFrom, consumer, api, settings = {} } = props;
  const { publicUrl, region, redisUrl } = addresses;
  const shared: Variables = {
    TABLE_NAME: tableNameOf(props),
    PUBLIC_URL: publicUrl,
    NODE_ENV: 'production',
    ...settings,
  };
  /** They are refused without their part of the secret. */
  const senders: Variables = {
    ...(vapidSubject === undefined ? {} : { VAPID_SUBJECT: vapidSubject }),
    ...(mailFrom === undefined ? {} : { MAIL_FROM: mailFrom }),
  };
  const tasks: Variables = {
    ...shared,
    ...senders,
    ...authVariables(auth),
    AWS_REGION: region,
    REDIS_URL: redisUrl,
    // The load balancer, and what is before it.
    TRUSTED_PROXIES: settings.TRUSTED_PROXIES ?? '1',
  };
  const { OTEL_EXPORTER_OTLP_ENDPOINT: _outside, ...inNetwork } = shared;
  return {
    servers: {
      ...tasks,
      ROLE: 'api',
      ...(api?.metricsFrom === undefined ? {} : { METRICS_PORT: String(METRICS_PORT) }),
    },
    commands: { ...tasks, ROLE: 'worker' },
    consumer: {
      ...inNetwork,
      ...(consumer?.tracesTo === undefined ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: consumer.tracesTo }),
      ...(consumerReadsSecret(props) ? senders : {}),
      REDIS_URL: redisUrl,
    },
    timers: { ...shared, ...senders },
  };
}

function authVariables(auth: AuthProps): Variables {
  const { issuer, audience } = auth;
  return {
    ...('jwksUrl' in auth
      ? { AUTH_JWKS_URL: auth.jwksUrl, ...(auth.signIn === undefined ? {} : signInVariables(auth.signIn)) }
      : {}),
    ...(issuer === undefined ? {} : { AUTH_ISSUER: issuer }),
    ...(audience === undefined ? {} : { AUTH_AUDIENCE: audience }),
  };
}

const signInVariables = ({ url, clientId, scope }: SignInProps): Variables => ({
  SIGN_IN_URL: url,
  SIGN_IN_CLIENT_ID: clientId,
  ...(scope === undefined ? {} : { SIGN_IN_SCOPE: scope }),
});
