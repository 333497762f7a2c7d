/** The servers of the template, and the network that they are in. */
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { containers, environmentOf, FULL, ofType, SECRET_ARN, synth } from './support/synth.ts';

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
      TargetGroupAttributes: Match.arrayWith([{ Key: 'deregistration_delay.timeout_seconds', Value: '25' }]),
    });
    stack.template.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', {
      LoadBalancerAttributes: Match.arrayWith([{ Key: 'idle_timeout.timeout_seconds', Value: '120' }]),
    });
    const [api] = containers(stack, 'ApiTask');
    expect(api).toMatchObject({ StopTimeout: 30, ReadonlyRootFilesystem: true });
  });

  test('outlive an outage of DynamoDB: only those that do not respond at all are stopped', async () => {
    const stack = await synth();
    // `/readyz` is 503 during an outage. test/app/startOutage.test.ts: a server listens once its start is complete.
    const groups = ofType(stack, 'AWS::ElasticLoadBalancingV2::TargetGroup');
    expect(groups.map(({ HealthCheckPath }) => HealthCheckPath)).toEqual(['/healthz']);
    for (const task of ['ApiTask', 'CommandsTask'])
      for (const container of containers(stack, task)) expect(container).not.toHaveProperty('HealthCheck');
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
        vapidSubject: undefined,
        mailFrom: undefined,
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
