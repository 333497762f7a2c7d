import { Token } from 'aws-cdk-lib';
import { ConfigError, type LoadOptions, loadConfig } from '../../src/config.ts';
import { misspeltVariables } from '../../src/misspeltVariables.ts';
import { metricsPeer } from './api.ts';
import { consumerReadsSecret, environmentsOf } from './environments.ts';
import { SECRET_SETTINGS, type SecretSetting, SIGN_IN_SETTINGS, type TsudoiProps } from './props.ts';

/**
 * One line for each setting that cannot work, all at once: combinations, sizes, and what the program itself says of the
 * environment that each process would get. `region`: that of the stack. Values that are known only when the stack is
 * made (tokens) are taken as they are.
 */
export function problemsOf(props: TsudoiProps, region: string): string[] {
  const ofStack = [
    ...contradictions(props, region),
    ...sizeProblems(props),
    ...domainProblems(props),
    ...settingProblems(props),
  ];
  const ofProgram = configProblems(props, region);
  if (ofStack.length === 0) return ofProgram;
  // What else it says may follow from the others.
  const own = ofProgram.filter((line) => startsWithOneOf(line, Object.keys(props.settings ?? {})));
  return [
    ...ofStack,
    ...own.filter((line) => !ofStack.some((one) => one.split(' ')[0] === line.split(' ')[0])),
  ];
}

const startsWithOneOf = (line: string, names: readonly string[]) =>
  names.some((name) => line.startsWith(`${name} `));

/** One line for each combination of props that cannot work. */
function contradictions(props: TsudoiProps, region: string): string[] {
  const { auth, secret, vapidSubject, mailFrom, domain, tableName, existingTable, consumer } = props;
  const { api: { metricsFrom } = {}, settings = {} } = props;
  const has = (name: string) => secret?.settings.some((setting) => setting === name) === true;
  const problems: string[] = [];
  if ('jwksUrl' in auth === has('AUTH_SECRET')) {
    problems.push('Tokens are checked by auth.jwksUrl or by AUTH_SECRET in the secret: set one of them.');
  }
  if ((vapidSubject !== undefined) !== has('VAPID_PRIVATE_KEY')) {
    problems.push('vapidSubject and VAPID_PRIVATE_KEY in the secret need each other.');
  }
  if ((mailFrom !== undefined) !== has('SMTP_URL')) {
    problems.push('mailFrom and SMTP_URL in the secret need each other.');
  }
  if (has('OTEL_EXPORTER_OTLP_HEADERS') && settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) {
    problems.push('OTEL_EXPORTER_OTLP_HEADERS in the secret needs OTEL_EXPORTER_OTLP_ENDPOINT in settings.');
  }
  if (consumer?.tracesTo !== undefined) {
    if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) {
      problems.push(
        'consumer.tracesTo needs OTEL_EXPORTER_OTLP_ENDPOINT in settings: traces begin at servers.',
      );
    }
    if (!Token.isUnresolved(consumer.tracesTo) && !/^https?:\/\/[^/]+/.test(consumer.tracesTo)) {
      problems.push(
        'consumer.tracesTo must be the address of a collector: http://10.1.0.10:4318, for example.',
      );
    }
  }
  if (domain !== undefined && domain.certificateArn === undefined && domain.hostedZone === undefined) {
    problems.push('domain needs certificateArn, or hostedZone to make a certificate in.');
  }
  if (metricsFrom !== undefined && metricsPeer(metricsFrom) === undefined) {
    problems.push(
      'api.metricsFrom must be private addresses such as 10.1.0.0/16, or a security group: sg-….',
    );
  }
  if (tableName?.startsWith('arn:') === true) {
    problems.push('tableName is the name of a table to make: use existingTable for one that has an ARN.');
  }
  if (existingTable !== undefined) {
    if (tableName !== undefined) problems.push('tableName is for a table that is made: leave it out.');
    const { name, streamArn } = existingTable;
    const isKnown = ![name, streamArn].some(Token.isUnresolved);
    const own = name.startsWith('arn:') ? `${name}/stream/` : `:table/${name}/stream/`;
    if (isKnown && !streamArn.includes(own)) {
      problems.push('existingTable.streamArn is not that of a stream of this table.');
    }
    const [, , , there] = streamArn.split(':');
    if (![region, streamArn].some(Token.isUnresolved) && there !== region) {
      problems.push(`existingTable is in ${there}, and the stack in ${region}: they must be in one region.`);
    }
  }
  return problems;
}

/** The memory that Fargate has for its sizes of CPU, in MiB and steps of 1,024. */
const MEMORY: Readonly<Record<number, readonly [least: number, most: number]>> = {
  512: [1_024, 4_096],
  1024: [2_048, 8_192],
  2048: [4_096, 16_384],
};

function sizeProblems({ api = {}, cache = {}, consumer = {} }: TsudoiProps): string[] {
  const { cpu = 1_024, memory = 2_048, min = 2, max = 10 } = api;
  const problems = [
    ...notWhole('api.min', min, 1, 1_000),
    ...notWhole('api.max', max, 1, 1_000),
    ...notWhole('api.socketsPerServer', api.socketsPerServer, 1, 20_000),
    ...notWhole('cache.replicas', cache.replicas, 0, 2),
    ...notWhole('consumer.memory', consumer.memory, 128, 10_240),
    ...notWhole('consumer.parallelization', consumer.parallelization, 1, 10),
    ...notWhole('consumer.batchSize', consumer.batchSize, 1, 1_000),
  ];
  if (max < min && ![min, max].some(Token.isUnresolved)) problems.push('api.max must be at least api.min.');
  const [least, most] = MEMORY[cpu] ?? [];
  if (least === undefined || most === undefined) {
    problems.push(`api.cpu must be one of ${Object.keys(MEMORY).join(', ')}.`);
  } else if (!isWhole(memory, least, most) || (memory % 1_024 !== 0 && !Token.isUnresolved(memory))) {
    problems.push(`api.memory must be ${least} to ${most} with api.cpu ${cpu}, in steps of 1024.`);
  }
  return problems;
}

const isWhole = (value: number, least: number, most: number) =>
  Token.isUnresolved(value) || (Number.isInteger(value) && value >= least && value <= most);

const notWhole = (name: string, value: number | undefined, least: number, most: number): string[] =>
  value === undefined || isWhole(value, least, most)
    ? []
    : [`${name} must be a whole number from ${least} to ${most}.`];

const HOST_NAME = /^(?=.{1,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/;

function domainProblems({ domain }: TsudoiProps): string[] {
  if (domain === undefined || Token.isUnresolved(domain.name)) return [];
  const { name, hostedZone } = domain;
  if (!HOST_NAME.test(name)) {
    return ['domain.name must be a host name in small letters: chat.example.com, for example.'];
  }
  if (hostedZone === undefined || Token.isUnresolved(hostedZone.name)) return [];
  const zone = hostedZone.name.replace(/\.$/, '');
  return name === zone || name.endsWith(`.${zone}`) ? [] : ['domain.name must be in domain.hostedZone.name.'];
}

/** What the stack sets itself, and the prop to use instead, if there is one. */
const SET_BY_STACK: Readonly<Record<string, string | undefined>> = {
  TABLE_NAME: 'tableName or existingTable',
  PORT: undefined,
  HOST: undefined,
  ROLE: undefined,
  METRICS_PORT: 'api.metricsFrom',
  REDIS_URL: undefined,
  DYNAMODB_ENDPOINT: undefined,
  AWS_REGION: undefined,
  AWS_DEFAULT_REGION: undefined,
  NODE_ENV: undefined,
  NODE_OPTIONS: 'api.memory',
  SETTINGS_SECRET: 'secret',
  AUTH_JWKS_URL: 'auth.jwksUrl',
  AUTH_ISSUER: 'auth.issuer',
  AUTH_AUDIENCE: 'auth.audience',
  VAPID_SUBJECT: 'vapidSubject',
  MAIL_FROM: 'mailFrom',
};

/** ECS kills a server 30 s after SIGTERM, and a stop takes up to 22 s after this delay. */
const SHUTDOWN_DELAY_MAX = 8;

function settingProblems({ settings = {}, domain }: TsudoiProps): string[] {
  const problems = misspeltVariables(settings);
  for (const [name, instead] of Object.entries(SET_BY_STACK)) {
    if (name in settings) {
      problems.push(
        `${name} is set by the stack: ${instead === undefined ? 'leave it out' : `use ${instead}`}.`,
      );
    }
  }
  if (domain !== undefined && 'PUBLIC_URL' in settings) {
    problems.push('PUBLIC_URL is set by the stack if there is a domain: leave it out.');
  }
  if (Number(settings.SHUTDOWN_DELAY) > SHUTDOWN_DELAY_MAX) {
    problems.push(`SHUTDOWN_DELAY must be at most ${SHUTDOWN_DELAY_MAX}: ECS kills a server after 30 s.`);
  }
  if (settings.TRUSTED_PROXIES === '0') {
    problems.push('TRUSTED_PROXIES must be at least 1: the load balancer is one.');
  }
  for (const name of SIGN_IN_SETTINGS) {
    // The functions would refuse it, because they do not check tokens.
    if (name in settings)
      problems.push(`${name} is for servers only: it belongs to auth.signIn, not to settings.`);
  }
  for (const name of SECRET_SETTINGS) {
    if (name in settings) problems.push(`${name} is secret: it belongs to the secret, not to settings.`);
  }
  return problems;
}

/** Right values of what the synthesis does not know. */
const EXAMPLES: Readonly<Record<SecretSetting, string>> = {
  AUTH_SECRET: 'x'.repeat(32),
  METRICS_TOKEN: 'x'.repeat(16),
  VAPID_PRIVATE_KEY: `${'A'.repeat(42)}E`,
  WEBHOOKS: '[]',
  SMTP_URL: 'smtps://user:password@mail.example.com',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=x',
};
const OF_FUNCTIONS = ['VAPID_PRIVATE_KEY', 'WEBHOOKS', 'SMTP_URL', 'OTEL_EXPORTER_OTLP_HEADERS'];

/** What the program's own configuration says of the environment of each process. */
function configProblems(props: TsudoiProps, stackRegion: string): string[] {
  const { domain, existingTable, secret } = props;
  const ofTable = existingTable?.name.split(':')[3] ?? 'us-east-1';
  const region = Token.isUnresolved(stackRegion) ? ofTable : stackRegion;
  const { servers, commands, consumer, timers } = environmentsOf(props, {
    publicUrl: domain === undefined ? 'http://example.com' : `https://${domain.name}`,
    region,
    redisUrl: 'rediss://cache.example.com',
  });
  const secrets = Object.fromEntries((secret?.settings ?? []).map((name) => [name, EXAMPLES[name]]));
  const ofFunctions = Object.fromEntries(
    Object.entries(secrets).filter(([name]) => OF_FUNCTIONS.includes(name)),
  );
  // Lambda sets the region.
  const inLambda = { ROLE: 'worker', AWS_REGION: region };
  return [
    ...new Set([
      ...refusals({ ...secrets, ...servers }),
      ...refusals({ ...secrets, ...commands }),
      ...refusals({ ...(consumerReadsSecret(props) ? ofFunctions : {}), ...consumer, ...inLambda }),
      ...refusals({ ...ofFunctions, ...timers, ...inLambda }, { busIsOptional: true }),
    ]),
  ];
}

function refusals(
  environment: Readonly<Record<string, string>>,
  options: LoadOptions = {},
): readonly string[] {
  const unknown = Object.keys(environment).filter((name) => Token.isUnresolved(environment[name]));
  try {
    loadConfig(environment, options);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.filter((line) => !startsWithOneOf(line, unknown));
  }
}
