import { expect, test } from 'vitest';
import { misspeltVariables } from '../src/misspeltVariables.ts';

test.each([
  ['REDIS_ULR', 'REDIS_URL'],
  ['REDISURL', 'REDIS_URL'],
  ['AUTH_SECRETS', 'AUTH_SECRET'],
  ['DATA_DJR', 'DATA_DIR'],
  ['redis_url', 'REDIS_URL'],
  // Short ones.
  ['PORTT', 'PORT'],
  ['PROT', 'PORT'],
  ['HOSST', 'HOST'],
  // Without some of the words.
  ['AUTH_JWKS', 'AUTH_JWKS_URL'],
  ['VAPID_KEY', 'VAPID_PRIVATE_KEY'],
  ['OTEL_EXPORTER', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ['WEBHOOK_HOSTS', 'WEBHOOK_PRIVATE_HOSTS'],
  // As other programs call them.
  ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
  ['DATA_DIRECTORY', 'DATA_DIR'],
  ['JWKS_URL', 'AUTH_JWKS_URL'],
  ['GRAPHQL_PORT', 'PORT'],
])('misspeltVariables: names %s and %s', (name, meant) => {
  const env = { [name]: 'x', PATH: '/bin', REDIS_URL: 'redis://localhost', HOSTNAME: 'h', PORTS: '1' };
  expect(misspeltVariables(env)).toEqual([`${name} is not a setting. Did you mean ${meant}?`]);
});

test.each([
  ['of a shell', 'HOME HOSTNAME HOSTTYPE LANG LANGUAGE LOGNAME OLDPWD PATH PWD SHELL SHLVL TERM TMPDIR USER'],
  ['of a desktop', 'DATA_HOME DBUS_SESSION_BUS_ADDRESS DISPLAY SSH_AUTH_SOCK XDG_DATA_DIRS XDG_RUNTIME_DIR'],
  ['of Node and npm', 'NODE NODE_OPTIONS NODE_PATH NPM_CONFIG_CACHE npm_lifecycle_event npm_package_name'],
  ['of AWS', 'AWS_ACCESS_KEY_ID AWS_DEFAULT_OUTPUT AWS_LAMBDA_LOG_GROUP_NAME AWS_PROFILE AWS_SESSION_TOKEN'],
  [
    'of OpenTelemetry',
    'OTEL_EXPORTER_OTLP_HEADERS OTEL_EXPORTER_OTLP_PROTOCOL OTEL_RESOURCE_ATTRIBUTES OTEL_TRACES_SAMPLER',
  ],
  [
    'of Kubernetes',
    'KUBERNETES_PORT KUBERNETES_SERVICE_HOST REDIS_PORT REDIS_SERVICE_HOST TSUDOI_PORT_80_TCP',
  ],
  ['of other programs', 'AUTH_URL CLIENT_ID EDITOR GIT_DIR POSTGRES_PORT PRIVATE_KEY PUBLIC_KEY SPORT'],
])('misspeltVariables: names no variable %s', (_whose, names) => {
  expect(misspeltVariables(Object.fromEntries(names.split(' ').map((name) => [name, 'x'])))).toEqual([]);
});

test('misspeltVariables: an address that Kubernetes sets for a service is not a setting', () => {
  const address = 'tcp://10.0.0.1:80';
  expect(misspeltVariables({ GRAPHQL_PORT: address, TSUDOI_PORT: address })).toEqual([]);
});
