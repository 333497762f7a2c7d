import { expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../src/config.ts';
import { DELIVERY_WINDOWS } from '../src/core/deliveryKinds.ts';
import { isLoopback } from '../src/core/loopback.ts';
import { PUSH_ORIGINS } from '../src/core/pushOrigins.ts';
import { RATE_LIMITS, USER_LIMITS } from '../src/core/rateLimits.ts';
import { TABLE_RULE } from '../src/core/tableArn.ts';
import { problemsOf, SECRET, VAPID_KEY, WEBHOOK_SECRET } from './support/run/config.ts';

test('loadConfig: an empty environment is a development server on loopback with everything embedded', () => {
  expect(loadConfig({})).toEqual({
    port: 4000,
    host: '127.0.0.1',
    role: 'all',
    auth: { kind: 'development' },
    dynamodb: { kind: 'embedded' },
    dynamodbClient: 'direct',
    tableName: 'tsudoi',
    bus: { kind: 'memory' },
    dataDir: '.data',
    logLevel: 'info',
    allowedOrigins: [],
    graphiql: true,
    introspection: true,
    notificationRetention: 30 * 24 * 3600,
    deliveryWindows: DELIVERY_WINDOWS,
    vapid: 'development',
    pushOrigins: PUSH_ORIGINS,
    webhooks: [],
    webhookPrivateHosts: [],
    metrics: { port: undefined, token: undefined },
    trustedProxies: 0,
    shutdownDelay: 0,
    rateLimits: RATE_LIMITS,
    userLimits: USER_LIMITS,
  });
});

test('loadConfig: empty variables count as unset', () => {
  const names =
    'PORT HOST DATA_DIR STAMPS_DIR DYNAMODB_ENDPOINT TABLE_NAME REDIS_URL AUTH_SECRET AUTH_JWKS_URL ROLE LOG_LEVEL';
  const empty = Object.fromEntries(names.split(' ').map((name) => [name, '']));
  expect(loadConfig(empty)).toEqual(loadConfig({}));
});

test('loadConfig: reads every variable', () => {
  const config = loadConfig({
    PORT: '0',
    HOST: '10.0.0.1',
    DATA_DIR: '/var/lib/tsudoi',
    STAMPS_DIR: '/etc/tsudoi/stamps',
    DYNAMODB_ENDPOINT: 'http://dynamodb:8000',
    DYNAMODB_CLIENT: 'sdk',
    TABLE_NAME: 'chat',
    REDIS_URL: 'rediss://user:password@redis:6380/1',
    AUTH_JWKS_URL: 'https://id.example.com/keys',
    AUTH_ISSUER: 'https://id.example.com/',
    AUTH_AUDIENCE: 'chat',
    SIGN_IN_URL: 'https://id.example.com/',
    SIGN_IN_CLIENT_ID: 'web',
    SIGN_IN_SCOPE: 'openid email',
    ROLE: 'api',
    LOG_LEVEL: 'warn',
    ALLOWED_ORIGINS: 'https://chat.example.com, http://localhost:5173',
    NODE_ENV: 'production',
    NOTIFICATION_RETENTION_DAYS: '7',
    RATE_LIMITS: 'likes=5/1m',
    DELIVERY_WINDOWS: 'LIKE=2s/1m',
    VAPID_PRIVATE_KEY: VAPID_KEY,
    VAPID_SUBJECT: 'mailto:operator@example.com',
    PUSH_ORIGINS: 'https://push.example.com, https://*.example.org',
    WEBHOOKS: JSON.stringify([
      { url: 'https://hooks.example.com/a', secret: WEBHOOK_SECRET, kinds: ['LIKE'] },
    ]),
    WEBHOOK_PRIVATE_HOSTS: 'hooks.internal, 10.0.0.7',
    SMTP_URL: 'smtp://chat:p%40ss@mail.example.com',
    MAIL_FROM: 'Tsudoi <chat@example.com>',
    TRUSTED_PROXIES: '2',
    SHUTDOWN_DELAY: '7',
    PUBLIC_URL: 'https://chat.example.com',
    METRICS_PORT: '9464',
    METRICS_TOKEN: 'a-token-for-the-scraper',
  });
  expect(config).toEqual({
    port: 0,
    host: '10.0.0.1',
    role: 'api',
    auth: {
      kind: 'jwks',
      url: 'https://id.example.com/keys',
      issuer: 'https://id.example.com/',
      audience: 'chat',
    },
    signIn: { issuer: 'https://id.example.com/', clientId: 'web', scope: 'openid email', audience: 'chat' },
    dynamodb: { kind: 'endpoint', endpoint: 'http://dynamodb:8000' },
    dynamodbClient: 'sdk',
    tableName: 'chat',
    bus: { kind: 'redis', url: 'rediss://user:password@redis:6380/1' },
    dataDir: '/var/lib/tsudoi',
    stampsDir: '/etc/tsudoi/stamps',
    logLevel: 'warn',
    allowedOrigins: ['https://chat.example.com', 'http://localhost:5173'],
    graphiql: false,
    introspection: false,
    notificationRetention: 7 * 24 * 3600,
    trustedProxies: 2,
    shutdownDelay: 7,
    publicUrl: 'https://chat.example.com',
    metrics: { port: 9464, token: 'a-token-for-the-scraper' },
    deliveryWindows: { ...DELIVERY_WINDOWS, LIKE: { delaySeconds: 2, windowSeconds: 60 } },
    vapid: { privateKey: VAPID_KEY, subject: 'mailto:operator@example.com' },
    pushOrigins: ['https://push.example.com', 'https://*.example.org'],
    webhooks: [{ url: 'https://hooks.example.com/a', secrets: [WEBHOOK_SECRET], kinds: ['LIKE'] }],
    webhookPrivateHosts: ['hooks.internal', '10.0.0.7'],
    mail: {
      smtp: { host: 'mail.example.com', port: 587, secure: false, auth: { user: 'chat', pass: 'p@ss' } },
      requireTls: true,
      from: { name: 'Tsudoi', address: 'chat@example.com' },
    },
    rateLimits: { ...RATE_LIMITS, likes: { max: 5, seconds: 60 } },
    userLimits: USER_LIMITS,
  });
});

test('AUTH_SECRET: needs no other variable and binds to every address', () => {
  const config = loadConfig({ AUTH_SECRET: SECRET });
  expect(config.auth).toEqual({ kind: 'secret', secret: SECRET, issuer: undefined, audience: undefined });
  expect(config.host).toBe('0.0.0.0');
});

test('GRAPHIQL, INTROSPECTION: override NODE_ENV', () => {
  const config = loadConfig({ NODE_ENV: 'production', GRAPHIQL: 'on', INTROSPECTION: 'on' });
  expect([config.graphiql, config.introspection]).toEqual([true, true]);
  const off = loadConfig({ GRAPHIQL: 'off', INTROSPECTION: 'off' });
  expect([off.graphiql, off.introspection]).toEqual([false, false]);
});

test('ConfigError: reports every mistake in one message', () => {
  const environment = {
    PORT: '70000',
    DYNAMODB_ENDPOINT: 'dynamodb:8000',
    DYNAMODB_CLIENT: 'undici',
    TABLE_NAME: 'a table',
    REDIS_URL: 'http://localhost:6379',
    AUTH_SECRET: 'short-secret',
    AUTH_JWKS_URL: 'id.example.com',
    ROLE: 'everything',
    LOG_LEVEL: 'loud',
    ALLOWED_ORIGINS: '*,https://chat.example.com/path',
    GRAPHIQL: 'yes',
    INTROSPECTION: 'no',
  };
  expect(() => loadConfig(environment)).toThrow(ConfigError);
  const problems = problemsOf(environment);
  for (const name of Object.keys(environment)) {
    expect(
      problems.some((problem) => problem.startsWith(`${name} must `)),
      name,
    ).toBe(true);
  }
  expect(problems).toContain('AUTH_SECRET and AUTH_JWKS_URL exclude each other: set one of them.');
  expect(problems).toContain('AUTH_ISSUER is required with AUTH_JWKS_URL.');
  expect(problems).toContain('AUTH_AUDIENCE is required with AUTH_JWKS_URL.');
  expect(new ConfigError(problems).message.split('\n')).toHaveLength(problems.length + 1);
});

test('ConfigError: does not repeat a secret', () => {
  const message = problemsOf({ AUTH_SECRET: 'hunter2', REDIS_URL: 'redi://:hunter2@redis' }).join();
  expect(message).toContain('AUTH_SECRET must have at least 32 bytes');
  expect(message).not.toContain('hunter2');
});

test.each([['-1'], ['65536'], ['4000.5'], ['4000 '], ['0x10'], ['port']])('PORT=%j: is refused', (PORT) => {
  expect(problemsOf({ PORT })).toEqual(['PORT must be a whole number from 0 to 65535.']);
});

test.each([['0.0.0.0'], ['10.0.0.1'], ['::'], ['example.com'], ['127.evil.example']])(
  'HOST=%s: is refused without AUTH_*',
  (HOST) => {
    expect(problemsOf({ HOST })[0]).toMatch(/^HOST must be a loopback address/);
    expect(loadConfig({ HOST, AUTH_SECRET: SECRET }).host).toBe(HOST);
  },
);

test.each([['127.0.0.1'], ['127.1.2.3'], ['localhost'], ['::1']])('HOST=%s: is loopback', (HOST) => {
  expect(loadConfig({ HOST }).host).toBe(HOST);
  expect(isLoopback(HOST)).toBe(true);
});

test('METRICS_PORT: must differ from PORT', () => {
  expect(problemsOf({ METRICS_PORT: '4000' })).toEqual([
    'METRICS_PORT must differ from PORT. For metrics on PORT, set METRICS_TOKEN.',
  ]);
  expect(loadConfig({ PORT: '0', METRICS_PORT: '0' }).metrics.port).toBe(0);
  expect(problemsOf({ METRICS_PORT: '70000' })).toEqual([
    'METRICS_PORT must be a whole number from 0 to 65535.',
  ]);
});

test.each(['short', 'a token with spaces in it', 'é'.repeat(20)])('METRICS_TOKEN=%s: is refused', (token) => {
  expect(problemsOf({ METRICS_TOKEN: token })[0]).toMatch(
    /^METRICS_TOKEN must be 16 to 256 ASCII characters/,
  );
});

const ARN = 'arn:aws:dynamodb:eu-west-1:222222222222:table/tsudoi';

test.each([
  [{ AUTH_SECRET: SECRET }],
  [{ AUTH_SECRET: SECRET, AWS_REGION: 'eu-west-1' }],
  [{ ROLE: 'worker', REDIS_URL: 'redis://redis' }],
])('TABLE_NAME: an ARN says in which region the table is (%j)', (environment) => {
  const { tableName, dynamodb } = loadConfig({ TABLE_NAME: ARN, ...environment });
  expect([tableName, dynamodb]).toEqual([ARN, { kind: 'aws', region: 'eu-west-1' }]);
});

test('TABLE_NAME: an ARN in another region than the own one is refused on AWS, and only there', () => {
  const environment = { TABLE_NAME: ARN, AWS_REGION: 'eu-central-1', AUTH_SECRET: SECRET };
  expect(problemsOf(environment)).toEqual([
    'TABLE_NAME is an ARN in eu-west-1, and AWS_REGION is eu-central-1: set AWS_REGION to that of the ARN.',
  ]);
  const endpoint = 'http://dynamodb:8000';
  const { dynamodb } = loadConfig({ ...environment, DYNAMODB_ENDPOINT: endpoint });
  expect(dynamodb).toEqual({ kind: 'endpoint', endpoint });
  // A developer's shell.
  expect(loadConfig({ TABLE_NAME: ARN, AWS_REGION: 'eu-central-1' }).dynamodb).toEqual({ kind: 'embedded' });
});

test.each([
  ['tsudoi'],
  ['arn:aws-cn:dynamodb:cn-north-1:222222222222:table/tsudoi'],
  ['arn:aws-us-gov:dynamodb:us-gov-west-1:222222222222:table/a.b-c_d'],
])('TABLE_NAME=%s: is a table', (TABLE_NAME) => {
  expect(loadConfig({ TABLE_NAME }).tableName).toBe(TABLE_NAME);
});

test.each([
  ['ab'],
  ['table/tsudoi'],
  ['arn:aws:dynamodb:eu-west-1:222222222222:table'],
  ['arn:aws:dynamodb:eu-west-1:222222222222:tsudoi'],
  ['arn:aws:dynamodb:eu-west-1:2222:table/tsudoi'],
  ['arn:aws:dynamodb::222222222222:table/tsudoi'],
  ['arn:aws:s3:eu-west-1:222222222222:table/tsudoi'],
  [`${ARN}/index/gsi1`],
  [`${ARN}/stream/2026-11-24T00:00:00.000`],
])('TABLE_NAME=%s: is refused', (TABLE_NAME) => {
  expect(problemsOf({ TABLE_NAME })).toEqual([`TABLE_NAME ${TABLE_RULE}.`]);
});

test('HOST: an IPv6 address may be in brackets', () => {
  expect(loadConfig({ HOST: '[::1]' }).host).toBe('::1');
});

test('AUTH_SECRET, AUTH_JWKS_URL: exclude each other', () => {
  const both = { AUTH_SECRET: SECRET, AUTH_JWKS_URL: 'https://id/', AUTH_ISSUER: 'i', AUTH_AUDIENCE: 'a' };
  expect(problemsOf(both)).toEqual(['AUTH_SECRET and AUTH_JWKS_URL exclude each other: set one of them.']);
});

test('AUTH_ISSUER: is refused without AUTH_SECRET and AUTH_JWKS_URL', () => {
  expect(problemsOf({ AUTH_ISSUER: 'i' })).toEqual(['AUTH_ISSUER also needs AUTH_SECRET or AUTH_JWKS_URL.']);
});

test.each([['api'], ['worker']])(
  'ROLE=%s: needs Redis and a database that other processes can use',
  (ROLE) => {
    const problems = problemsOf({ ROLE });
    expect(problems).toEqual([
      `REDIS_URL is required with ROLE=${ROLE}.`,
      `DYNAMODB_ENDPOINT, or AWS_REGION for AWS itself, is required with ROLE=${ROLE}.`,
    ]);
    const REDIS_URL = 'redis://localhost';
    expect(loadConfig({ ROLE, REDIS_URL, DYNAMODB_ENDPOINT: 'http://localhost:8000' }).role).toBe(ROLE);
    expect(loadConfig({ ROLE, REDIS_URL, AWS_REGION: 'eu-west-1' }).dynamodb).toEqual({
      kind: 'aws',
      region: 'eu-west-1',
    });
  },
);

test.each([
  [{ AWS_REGION: 'eu-west-1', AWS_PROFILE: 'work', AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 'B' }],
  [{ AWS_DEFAULT_REGION: 'eu-west-1' }],
  [{ AWS_PROFILE: 'work', AUTH_SECRET: SECRET }],
])('AWS_*: a shell that is set up for other AWS work starts the embedded database: %j', (environment) => {
  expect(loadConfig(environment).dynamodb).toEqual({ kind: 'embedded' });
});

test('AWS_REGION: a deployment with a region uses AWS; DYNAMODB_ENDPOINT overrides it', () => {
  const deployed = { AUTH_SECRET: SECRET, AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'us-east-1' };
  expect(loadConfig(deployed).dynamodb).toEqual({ kind: 'aws', region: 'eu-west-1' });
  expect(loadConfig({ ...deployed, AWS_REGION: '' }).dynamodb).toEqual({ kind: 'aws', region: 'us-east-1' });
  const DYNAMODB_ENDPOINT = 'http://localhost:8000';
  expect(loadConfig({ ...deployed, DYNAMODB_ENDPOINT }).dynamodb.kind).toBe('endpoint');
});
