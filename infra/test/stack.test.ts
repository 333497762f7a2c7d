/**
 * The template that is deployed, without an account and without a network: each promise of docs/aws.md. The other files
 * here are about its table, its servers and its alarms.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { rows } from '../../src/dynamo/keyTable.ts';
import { changeOfLambdaRecord } from '../../src/stream/records.ts';
import { TIMERS_STREAM } from '../../src/timers/host.ts';
import { ROOT } from '../../test/support/builds/viteBuild.ts';
import { temporaryDirectory } from '../../test/support/machine/directory.ts';
import { environmentsOf } from '../lib/environments.ts';
import { OF_PROCESSES } from '../lib/functions.ts';
import { createStack } from '../lib/stack.ts';
import { Tsudoi } from '../lib/tsudoi.ts';
import { settings } from '../settings.ts';
import { actionsOf, containers, environmentOf, FULL, ofType, SECRET_ARN, synth } from './support/synth.ts';

describe('the functions', () => {
  test('run on Node 24 with the handlers of the build', async () => {
    const functions = ofType(await synth(), 'AWS::Lambda::Function');
    expect(functions).toMatchObject([
      { Runtime: 'nodejs24.x', Handler: 'lambda.handler', Timeout: 60 },
      { Runtime: 'nodejs24.x', Handler: 'lambda.timers', Timeout: 90 },
    ]);
  });

  test('the consumer gets the mapping that src/stream/lambda.ts asks for', async () => {
    const [mapping] = ofType(await synth(), 'AWS::Lambda::EventSourceMapping');
    expect(mapping).toMatchObject({
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRetryAttempts: -1,
      MaximumRecordAgeInSeconds: -1,
      BisectBatchOnFunctionError: true,
      ParallelizationFactor: 2,
      StartingPosition: 'TRIM_HORIZON',
      DestinationConfig: { OnFailure: { Destination: expect.anything() } },
    });
  });

  test('the timers are started every minute, outside the network, and what fails is kept', async () => {
    const stack = await synth();
    const [consumer, timers] = ofType(stack, 'AWS::Lambda::Function');
    expect(consumer).toHaveProperty('VpcConfig');
    expect(timers).not.toHaveProperty('VpcConfig');
    expect(ofType(stack, 'AWS::Scheduler::Schedule')).toMatchObject([
      {
        ScheduleExpression: 'rate(1 minute)',
        State: 'ENABLED',
        Target: { RetryPolicy: { MaximumRetryAttempts: 0 }, DeadLetterConfig: expect.anything() },
      },
    ]);
    expect(ofType(stack, 'AWS::Lambda::EventInvokeConfig')).toMatchObject([
      { MaximumRetryAttempts: 0, DestinationConfig: { OnFailure: expect.anything() } },
    ]);
  });
});

/** Whether a partition key may be of this template. */
const isIn = (pk: string, template: ReadonlyArray<{ readonly literal: string | undefined }>) => {
  const segments = pk.split('#');
  const fits = ({ literal }: { readonly literal: string | undefined }, at: number) =>
    literal === undefined || literal === segments[at];
  return segments.length === template.length && template.every(fits);
};

describe('the filter of the mapping', () => {
  const pattern = { dynamodb: { Keys: { pk: { S: [{ 'anything-but': OF_PROCESSES }] } } } };

  test('leaves out what processes write for each other, of a table that the stack makes', async () => {
    const [mapping] = ofType(await synth(), 'AWS::Lambda::EventSourceMapping');
    expect(mapping?.FilterCriteria).toEqual({ Filters: [{ Pattern: JSON.stringify(pattern) }] });
    // Its keys may have other names, and then nothing would match.
    const name = 'tsudoi-2';
    const streamArn = `arn:aws:dynamodb:eu-west-1:111122223333:table/${name}/stream/2026-11-24T00:00:00.000`;
    const stack = await synth({ existingTable: { name, streamArn } });
    const [other] = ofType(stack, 'AWS::Lambda::EventSourceMapping');
    expect(other).not.toHaveProperty('FilterCriteria');
  });

  test('leaves out nothing that a handler handles', () => {
    const [server, timers] = [keys.heartbeat('a'), keys.shard(TIMERS_STREAM, 'a')];
    expect([server.pk, timers.pk]).toEqual(OF_PROCESSES);
    /** Any item that may be in the two partitions, by the table of keys. */
    const types = Object.entries(rows).flatMap(([type, { forms }]) =>
      forms.some(({ pk }) => OF_PROCESSES.some((one) => isIn(one, pk))) ? [type] : [],
    );
    expect(types).toEqual(['heartbeat', 'shard', 'deadLetter']);
    for (const { pk, sk } of [server, timers, keys.deadLetter(TIMERS_STREAM, '1')]) {
      const dynamodb = { SequenceNumber: '1', Keys: { pk: { S: pk }, sk: { S: sk } } };
      const eventSourceARN = 'arn:aws:dynamodb:eu-west-1:111122223333:table/tsudoi/stream/a';
      expect(changeOfLambdaRecord({ eventName: 'INSERT', eventSourceARN, dynamodb })).toBeUndefined();
    }
  });
});

test('logs are kept for a month, and deleted with the stack', async () => {
  const { resources } = await synth();
  const logs = Object.values(resources).filter(({ Type }) => Type === 'AWS::Logs::LogGroup');
  expect(logs).toHaveLength(3);
  for (const log of logs) {
    expect(log).toMatchObject({ DeletionPolicy: 'Delete', Properties: { RetentionInDays: 30 } });
  }
});

const ITEMS = [
  'dynamodb:BatchGetItem',
  'dynamodb:ConditionCheckItem',
  'dynamodb:DeleteItem',
  'dynamodb:GetItem',
  'dynamodb:PutItem',
  'dynamodb:Query',
  'dynamodb:UpdateItem',
];

describe('permissions', () => {
  test.each([
    ['ApiTaskTaskRole', [...ITEMS, 'dynamodb:DescribeTable', 'dynamodb:DescribeTimeToLive']],
    [
      'CommandsTaskTaskRole',
      [...ITEMS, 'dynamodb:DescribeTable', 'dynamodb:DescribeTimeToLive', 'dynamodb:Scan'],
    ],
    [
      'ConsumerServiceRole',
      [
        ...ITEMS,
        'dynamodb:DescribeTable',
        ...['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
          (name) => `dynamodb:${name}`,
        ),
        ...['GetQueueAttributes', 'GetQueueUrl', 'SendMessage'].map((name) => `sqs:${name}`),
      ],
    ],
    [
      'TimersServiceRole',
      [
        ...ITEMS,
        'dynamodb:DescribeTable',
        'dynamodb:Scan',
        ...['GetQueueAttributes', 'GetQueueUrl', 'SendMessage'].map((name) => `sqs:${name}`),
      ],
    ],
  ])('%s may do what the program calls, and nothing else', async (role, actions) => {
    expect(actionsOf(await synth(), role)).toEqual([...actions].sort());
  });

  test('none may write batches, because commands that do belong elsewhere: docs/aws.md', async () => {
    expect(JSON.stringify(ofType(await synth(FULL), 'AWS::IAM::Policy'))).not.toContain('BatchWriteItem');
    const src = join(ROOT, 'src');
    const files = (await readdir(src, { recursive: true })).filter((path) => path.endsWith('.ts'));
    const writers: string[] = [];
    for (const path of files) {
      if (/\bbulkWrite\(/.test(await readFile(join(src, path), 'utf8'))) writers.push(path);
    }
    expect(writers.sort()).toEqual(['dynamo/bulkWrite.ts', 'import/pace.ts', 'reshape/carry/carrier.ts']);
  });

  test('only one statement of the program has no resource: a mapping lists streams', async () => {
    const { resources } = await synth(FULL);
    const open = Object.entries(resources)
      .filter(([, { Type }]) => Type === 'AWS::IAM::Policy')
      .flatMap(([id, { Properties }]) => {
        const { Statement } = Properties.PolicyDocument as {
          readonly Statement: ReadonlyArray<{ readonly Action: unknown; readonly Resource: unknown }>;
        };
        return Statement.filter(({ Resource }) => Resource === '*').map(
          ({ Action }) => `${id.slice(6, 14)} ${Action}`,
        );
      });
    expect(open).toEqual([
      'ApiTaskE ecr:GetAuthorizationToken',
      'Commands ecr:GetAuthorizationToken',
      'Consumer dynamodb:ListStreams',
    ]);
  });
});

describe('settings', () => {
  test('TRUSTED_PROXIES counts the load balancer, and those before it if it is set', () => {
    const addresses = {
      publicUrl: 'https://chat.example.com',
      region: 'eu-west-1',
      redisUrl: 'rediss://cache',
    };
    const proxies = (own: Readonly<Record<string, string>>) =>
      environmentsOf({ ...settings, settings: own }, addresses).servers.TRUSTED_PROXIES;
    expect(proxies({})).toBe('1');
    expect(proxies({ TRUSTED_PROXIES: '2' })).toBe('2');
  });

  const secrets = {
    AUTH_SECRET: 'x'.repeat(32),
    VAPID_PRIVATE_KEY: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE',
    WEBHOOKS: '[]',
    SMTP_URL: 'smtps://chat:secret@mail.example.com',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret',
  };
  const names = Object.keys(secrets);

  test('are a configuration that the program accepts: servers, commands and functions', async () => {
    const stack = await synth(FULL);
    for (const task of ['ApiTask', 'CommandsTask']) {
      const [container] = containers(stack, task);
      const config = loadConfig({ ...environmentOf(container?.Environment), ...secrets });
      expect(config).toMatchObject({
        dynamodb: { kind: 'aws', region: 'eu-west-1' },
        bus: { kind: 'redis', url: 'rediss://cache.example.com:6380' },
        auth: { kind: 'secret', issuer: 'https://id.example.com/' },
        tableName: 'tsudoi',
        publicUrl: 'https://chat.example.com',
        mail: { smtp: { host: 'mail.example.com', port: 465 }, from: { address: 'chat@example.com' } },
        notificationRetention: 60 * 86_400,
        trustedProxies: 1,
        graphiql: false,
        traces: { endpoint: 'https://traces.example.com' },
      });
    }
    const [consumer, timers] = ofType(stack, 'AWS::Lambda::Function').map(({ Environment }) =>
      environmentOf((Environment as { Variables: unknown }).Variables),
    );
    // Lambda sets the region itself.
    const inLambda = { AWS_REGION: 'eu-west-1', ROLE: 'worker', ...secrets, AUTH_SECRET: '' };
    const ofConsumer = loadConfig({ ...consumer, ...inLambda });
    expect(ofConsumer).toMatchObject({ bus: { kind: 'redis' }, mail: { from: { name: 'Tsudoi' } } });
    // It does not reach the collector of the others.
    expect(ofConsumer.traces).toBeUndefined();
    expect(loadConfig({ ...timers, ...inLambda }, { busIsOptional: true })).toMatchObject({
      bus: { kind: 'memory' },
      vapid: { subject: 'mailto:ops@example.com' },
      mail: { requireTls: true },
      traces: { endpoint: 'https://traces.example.com' },
    });
  });

  test('the consumer sends traces to a collector that it reaches, with the headers of the secret', async () => {
    const stack = await synth({
      secret: { arn: SECRET_ARN, settings: ['OTEL_EXPORTER_OTLP_HEADERS'] },
      settings: {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example.com',
        OTEL_TRACES_SAMPLER_ARG: '0.1',
      },
      consumer: { tracesTo: 'http://10.1.0.10:4318' },
    });
    const [consumer] = ofType(stack, 'AWS::Lambda::Function').map(({ Environment }) =>
      environmentOf((Environment as { Variables: unknown }).Variables),
    );
    expect(consumer).toHaveProperty('SETTINGS_SECRET');
    expect(loadConfig({ ...consumer, AWS_REGION: 'eu-west-1', ROLE: 'worker' }).traces).toMatchObject({
      endpoint: 'http://10.1.0.10:4318',
      ratio: 0.1,
    });
  });

  test('say where users sign in to the servers, and not to the functions', async () => {
    const signIn = { url: 'https://id.example.com/', clientId: 'web', scope: 'openid' };
    const stack = await synth({
      auth: { jwksUrl: 'https://id.example.com/keys', issuer: signIn.url, audience: 'web', signIn },
    });
    const [api] = containers(stack, 'ApiTask');
    expect(loadConfig(environmentOf(api?.Environment)).signIn).toEqual({
      issuer: signIn.url,
      clientId: 'web',
      scope: 'openid',
    });
    for (const { Environment } of ofType(stack, 'AWS::Lambda::Function')) {
      expect(JSON.stringify(Environment)).not.toContain('SIGN_IN');
    }
  });

  test('that are secret are in no environment, and are read by their names', async () => {
    const stack = await synth(FULL);
    const [api] = containers(stack, 'ApiTask');
    expect(api?.Secrets?.map(({ Name, ValueFrom }) => [Name, ValueFrom])).toEqual(
      names.map((name) => [name, `${SECRET_ARN}:${name}::`]),
    );
    const environments = JSON.stringify([
      api?.Environment,
      ...ofType(stack, 'AWS::Lambda::Function').map(({ Environment }) => Environment),
    ]);
    for (const name of names) expect(environments).not.toContain(`"${name}"`);
    expect(environments).toContain('SETTINGS_SECRET');
    for (const role of ['ConsumerServiceRole', 'TimersServiceRole', 'ApiTaskExecutionRole']) {
      expect(actionsOf(stack, role)).toContain('secretsmanager:GetSecretValue');
    }
  });

  test('that contradict each other are refused, all at once', async () => {
    const stack = new Stack(new App({ outdir: await temporaryDirectory() }), 'Wrong');
    expect(
      () =>
        new Tsudoi(stack, 'Tsudoi', {
          ...settings,
          auth: {},
          vapidSubject: 'mailto:ops@example.com',
          mailFrom: 'chat@example.com',
          domain: { name: 'chat.example.com' },
          secret: { arn: SECRET_ARN, settings: ['OTEL_EXPORTER_OTLP_HEADERS'] },
          settings: {
            AUTH_SECRET: 'x',
            OTEL_EXPORTER_OTLP_HEADERS: 'x',
            SIGN_IN_URL: 'https://id.example.com',
          },
          consumer: { tracesTo: '10.1.0.10' },
        }),
    ).toThrow(
      /auth\.jwksUrl[\s\S]*VAPID_PRIVATE_KEY[\s\S]*SMTP_URL[\s\S]*HEADERS in the secret needs[\s\S]*tracesTo needs[\s\S]*tracesTo must be[\s\S]*certificateArn[\s\S]*SIGN_IN_URL is for servers[\s\S]*AUTH_SECRET is secret[\s\S]*HEADERS is secret/,
    );
  });
});

describe('cdk-nag', () => {
  test.each([
    ['the example', {}],
    ['everything', FULL],
    ['one node', { cache: { replicas: 0 as const } }],
    [
      'a table that exists, and a worker',
      {
        existingTable: {
          name: 'tsudoi-2',
          streamArn: 'arn:aws:dynamodb:eu-west-1:111122223333:table/tsudoi-2/stream/2026-11-24T00:00:00.000',
        },
        consumer: { paused: true },
      },
    ],
  ])('finds nothing that was not acknowledged: %s', async (_name, props) => {
    // It rejects if anything is found.
    expect(Object.keys((await synth(props)).resources).length).toBeGreaterThan(50);
  });

  test('is in use: an open bucket is found, and ends the synthesis', async () => {
    const outdir = await temporaryDirectory();
    const directory = await temporaryDirectory();
    await writeFile(join(directory, 'Dockerfile'), 'FROM scratch\n');
    const directories = { functionsDirectory: directory, imageDirectory: directory };
    const { app, stack } = createStack('Open', { ...settings, ...directories }, { outdir });
    new Bucket(stack, 'Bucket');
    expect(() => app.synth()).toThrow(/AwsSolutions-S1/);
  });
});
