/** The template that is deployed, without an account and without a network: each promise of docs/aws.md. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/assertions';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { tableDefinition } from '../../src/dynamo/table.ts';
import { temporaryDirectory } from '../../test/support/machine/directory.ts';
import { createStack } from '../lib/stack.ts';
import { Tsudoi } from '../lib/tsudoi.ts';
import { settings } from '../settings.ts';
import { actionsOf, FULL, ofType, SECRET_ARN, synth } from './support/synth.ts';

describe('the table', () => {
  test('has the keys, the index and the stream that the program creates', async () => {
    const [table] = ofType(await synth(), 'AWS::DynamoDB::GlobalTable');
    const { TableName, KeySchema, GlobalSecondaryIndexes, StreamSpecification, AttributeDefinitions } =
      tableDefinition('tsudoi');
    expect(table).toMatchObject({
      ...{ TableName, KeySchema, GlobalSecondaryIndexes, AttributeDefinitions },
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamViewType: StreamSpecification.StreamViewType },
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    });
  });

  test('outlives the stack, and can be restored to any second', async () => {
    (await synth()).template.hasResource('AWS::DynamoDB::GlobalTable', {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        Replicas: [
          Match.objectLike({
            DeletionProtectionEnabled: true,
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          }),
        ],
      },
    });
  });
});

describe('a table that exists', () => {
  const name = 'tsudoi-restored';
  const streamArn = `arn:aws:dynamodb:eu-west-1:111122223333:table/${name}/stream/2026-11-24T00:00:00.000`;
  const existingTable = { name, streamArn };

  test('is used by everything, and no other one is made', async () => {
    const stack = await synth({ existingTable });
    stack.template.resourceCountIs('AWS::DynamoDB::GlobalTable', 0);
    expect(ofType(stack, 'AWS::Lambda::EventSourceMapping')).toMatchObject([{ EventSourceArn: streamArn }]);
    const environments = [
      ...['ApiTask', 'CommandsTask'].map((task) => environmentOf(containers(stack, task)[0]?.Environment)),
      ...ofType(stack, 'AWS::Lambda::Function').map(({ Environment }) =>
        environmentOf((Environment as { Variables: unknown }).Variables),
      ),
    ];
    expect(environments.map(({ TABLE_NAME }) => TABLE_NAME)).toEqual([name, name, name, name]);
    const throttles = ofType(stack, 'AWS::CloudWatch::Alarm', 'Throttled').map(({ Metrics }) => Metrics);
    expect(JSON.stringify(throttles)).toContain(`{"Name":"TableName","Value":"${name}"}`);
  });

  test.each(['ApiTaskTaskRole', 'CommandsTaskTaskRole', 'ConsumerServiceRole', 'TimersServiceRole'])(
    'gives %s the same permissions as one that is made',
    async (role) => {
      const stack = await synth({ existingTable });
      expect(actionsOf(stack, role)).toEqual(actionsOf(await synth(), role));
      const policies = JSON.stringify(ofType(stack, 'AWS::IAM::Policy', role));
      expect(policies).toContain(`:table/${name}"`);
      expect(policies).toContain(`:table/${name}/index/gsi1"`);
    },
  );

  test('is read by a worker while the consumer is paused', async () => {
    const stack = await synth({ existingTable, consumer: { paused: true } });
    expect(ofType(stack, 'AWS::Lambda::EventSourceMapping')).toMatchObject([{ Enabled: false }]);
    const read = ['DescribeStream', 'GetRecords', 'GetShardIterator'].map((action) => `dynamodb:${action}`);
    expect(actionsOf(stack, 'CommandsTaskTaskRole')).toEqual(expect.arrayContaining(read));
    expect(actionsOf(stack, 'ApiTaskTaskRole')).not.toEqual(expect.arrayContaining(read));
    // Its log is that of the servers, and raises the same alarms.
    const ofServers = ofType(stack, 'AWS::Logs::MetricFilter').filter(({ LogGroupName }) =>
      JSON.stringify(LogGroupName).includes('ApiLog'),
    );
    const names = ofServers.map(
      ({ MetricTransformations }) => (MetricTransformations as [{ MetricName: string }])[0].MetricName,
    );
    expect(names.sort()).toEqual(['DeliveriesFailed', 'SetAside', 'Sockets', 'TimersFailed']);
  });

  test('is refused with the stream of another one, or with the name of one to make', async () => {
    const wrong = { tableName: 'tsudoi', existingTable: { name: 'tsudoi-restore', streamArn } };
    await expect(synth(wrong)).rejects.toThrow(
      /tableName is for a table that is made[\s\S]*streamArn is not/,
    );
  });
});

describe('the servers', () => {
  test('are replaced without a gap: their sockets are closed before they are stopped', async () => {
    const stack = await synth();
    expect(ofType(stack, 'AWS::ECS::Service')).toMatchObject([
      {
        LaunchType: 'FARGATE',
        DeploymentConfiguration: {
          MinimumHealthyPercent: 100,
          MaximumPercent: 200,
          DeploymentCircuitBreaker: { Enable: true, Rollback: true },
        },
      },
    ]);
    stack.template.hasResourceProperties('AWS::ElasticLoadBalancingV2::TargetGroup', {
      HealthCheckPath: '/readyz',
      TargetGroupAttributes: Match.arrayWith([{ Key: 'deregistration_delay.timeout_seconds', Value: '25' }]),
    });
    stack.template.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', {
      LoadBalancerAttributes: Match.arrayWith([{ Key: 'idle_timeout.timeout_seconds', Value: '120' }]),
    });
    const [api] = containers(stack, 'ApiTask');
    expect(api).toMatchObject({ StopTimeout: 30, ReadonlyRootFilesystem: true });
  });

  test('are reached by the load balancer only, and it by everyone', async () => {
    const stack = await synth(FULL);
    const [balancer] = ofType(stack, 'AWS::EC2::SecurityGroup', 'LoadBalancer');
    expect(balancer).toMatchObject({
      SecurityGroupIngress: [
        { CidrIp: '0.0.0.0/0', FromPort: 80 },
        { CidrIp: '0.0.0.0/0', FromPort: 443 },
      ],
    });
    for (const part of ['ApiService', 'Cache', 'Consumer']) {
      expect(ofType(stack, 'AWS::EC2::SecurityGroup', part)).toHaveLength(1);
      expect(ofType(stack, 'AWS::EC2::SecurityGroup', part)[0]).not.toHaveProperty('SecurityGroupIngress');
    }
    const allowed = ofType(stack, 'AWS::EC2::SecurityGroupIngress').map(({ FromPort }) => FromPort);
    expect(allowed.sort()).toEqual([4_000, 443, 6_380, 6_380].sort());
    expect(JSON.stringify(ofType(stack, 'AWS::EC2::SecurityGroupIngress'))).not.toContain('CidrIp');
  });

  test.each([
    ['10.1.0.0/16', { CidrIp: '10.1.0.0/16' }],
    ['sg-0123456789abcdef0', { SourceSecurityGroupId: 'sg-0123456789abcdef0' }],
  ])('serve /metrics on a port of its own, to %s only', async (metricsFrom, from) => {
    const stack = await synth({ api: { metricsFrom } });
    const rules = [
      ...ofType(stack, 'AWS::EC2::SecurityGroupIngress'),
      ...ofType(stack, 'AWS::EC2::SecurityGroup', 'ApiService').flatMap(
        ({ SecurityGroupIngress = [] }) => SecurityGroupIngress as ReadonlyArray<Record<string, unknown>>,
      ),
    ];
    expect(rules.filter(({ FromPort }) => FromPort === 9_464)).toMatchObject([{ ...from, ToPort: 9_464 }]);
    const [api] = containers(stack, 'ApiTask');
    const [commands] = containers(stack, 'CommandsTask');
    const { metrics } = loadConfig(environmentOf(api?.Environment));
    expect(metrics.port).toBe(9_464);
    expect(environmentOf(commands?.Environment)).not.toHaveProperty('METRICS_PORT');
  });

  test.each(['0.0.0.0/0', '10.0.0.0/4', '52.1.0.0/16', 'prometheus'])(
    'do not serve /metrics to %s',
    async (metricsFrom) => {
      await expect(synth({ api: { metricsFrom } })).rejects.toThrow(/metricsFrom must be private addresses/);
    },
  );

  test('grow by their sockets and by their CPU', async () => {
    const stack = await synth({ api: { min: 3, max: 7, socketsPerServer: 4_000 } });
    expect(ofType(stack, 'AWS::ApplicationAutoScaling::ScalableTarget')).toMatchObject([
      { MinCapacity: 3, MaxCapacity: 7 },
    ]);
    expect(ofType(stack, 'AWS::ApplicationAutoScaling::ScalingPolicy')).toMatchObject([
      { TargetTrackingScalingPolicyConfiguration: { TargetValue: 60 } },
      {
        TargetTrackingScalingPolicyConfiguration: {
          TargetValue: 4_000,
          CustomizedMetricSpecification: {
            MetricName: 'Sockets',
            Namespace: 'Tsudoi/Tsudoi',
            Statistic: 'Average',
          },
        },
      },
    ]);
  });

  test('speak HTTPS with a domain, and redirect to it', async () => {
    const listeners = ofType(await synth(FULL), 'AWS::ElasticLoadBalancingV2::Listener');
    expect(listeners).toMatchObject([
      { Port: 80, DefaultActions: [{ Type: 'redirect', RedirectConfig: { Protocol: 'HTTPS' } }] },
      { Port: 443, Protocol: 'HTTPS', DefaultActions: [{ Type: 'forward' }] },
    ]);
    // Without one it is for trying out. Its name has no capital letters, because PUBLIC_URL may not have any.
    const stack = await synth();
    expect(ofType(stack, 'AWS::ElasticLoadBalancingV2::Listener')).toMatchObject([{ Port: 80 }]);
    expect(ofType(stack, 'AWS::ElasticLoadBalancingV2::LoadBalancer')).toMatchObject([{ Name: 'tsudoi' }]);
  });
});

describe('the network', () => {
  test('has no NAT, and its tables and images are reached by gateways', async () => {
    const stack = await synth();
    stack.template.resourceCountIs('AWS::EC2::NatGateway', 0);
    const endpoints = ofType(stack, 'AWS::EC2::VPCEndpoint');
    expect(endpoints.map(({ VpcEndpointType }) => VpcEndpointType)).toEqual(['Gateway', 'Gateway']);
    const routes = ofType(stack, 'AWS::EC2::Route');
    expect(routes).toHaveLength(2);
    for (const route of routes) expect(route).toHaveProperty('GatewayId');
  });

  test('has an endpoint of Secrets Manager only if the consumer has a secret to read', async () => {
    const types = async (props: Parameters<typeof synth>[0]) =>
      ofType(await synth(props), 'AWS::EC2::VPCEndpoint').map(({ VpcEndpointType }) => VpcEndpointType);
    expect(await types(FULL)).toContain('Interface');
    expect(
      await types({
        ...FULL,
        secret: { arn: SECRET_ARN, settings: ['AUTH_SECRET'] },
        ...{ vapidSubject: undefined, mailFrom: undefined },
      }),
    ).not.toContain('Interface');
  });

  test('has Valkey in one group without cluster mode, which fails over', async () => {
    const [group] = ofType(await synth(), 'AWS::ElastiCache::ReplicationGroup');
    expect(group).toMatchObject({
      Engine: 'valkey',
      ClusterMode: 'disabled',
      NumCacheClusters: 2,
      AutomaticFailoverEnabled: true,
      TransitEncryptionEnabled: true,
    });
    expect(group).not.toHaveProperty('NumNodeGroups');
  });
});

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
        'dynamodb:Scan',
        ...['GetQueueAttributes', 'GetQueueUrl', 'SendMessage'].map((name) => `sqs:${name}`),
      ],
    ],
  ])('%s may do what the program calls, and nothing else', async (role, actions) => {
    expect(actionsOf(await synth(), role)).toEqual([...actions].sort());
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

/** The environment of a container or function, with what the template names replaced by an example. */
function environmentOf(variables: unknown): Record<string, string> {
  const pairs = Array.isArray(variables)
    ? variables.map(({ Name, Value }) => [Name, Value])
    : Object.entries(variables ?? {});
  const examples: Readonly<Record<string, string>> = {
    REDIS_URL: 'rediss://cache.example.com:6380',
    PUBLIC_URL: 'https://chat.example.com',
    AWS_REGION: 'eu-west-1',
  };
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, typeof value === 'string' ? value : (examples[name] ?? '')]),
  );
}

type Container = Readonly<{
  Environment: unknown;
  Secrets?: ReadonlyArray<{ Name: string; ValueFrom: unknown }>;
}>;

const containers = (stack: Awaited<ReturnType<typeof synth>>, task: string) =>
  ofType(stack, 'AWS::ECS::TaskDefinition', task).flatMap(
    ({ ContainerDefinitions }) => ContainerDefinitions as readonly Container[],
  );

describe('settings', () => {
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
    expect(loadConfig({ ...consumer, ...inLambda })).toMatchObject({
      bus: { kind: 'redis' },
      mail: { from: { name: 'Tsudoi' } },
    });
    expect(loadConfig({ ...timers, ...inLambda }, { busIsOptional: true })).toMatchObject({
      bus: { kind: 'memory' },
      vapid: { subject: 'mailto:ops@example.com' },
      mail: { requireTls: true },
    });
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
          settings: { AUTH_SECRET: 'x', OTEL_EXPORTER_OTLP_HEADERS: 'x' },
        }),
    ).toThrow(
      /auth\.jwksUrl[\s\S]*VAPID_PRIVATE_KEY[\s\S]*SMTP_URL[\s\S]*HEADERS in the secret needs[\s\S]*certificateArn[\s\S]*AUTH_SECRET is secret[\s\S]*HEADERS is secret/,
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
