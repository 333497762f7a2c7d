import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IPeer, Peer, Port, SubnetType, type Vpc } from 'aws-cdk-lib/aws-ec2';
import { Platform } from 'aws-cdk-lib/aws-ecr-assets';
import {
  Cluster,
  ContainerImage,
  CpuArchitecture,
  Secret as EcsSecret,
  FargateService,
  FargateTaskDefinition,
  LogDriver,
  OperatingSystemFamily,
} from 'aws-cdk-lib/aws-ecs';
import {
  type ApplicationListener,
  ApplicationLoadBalancer,
  ApplicationProtocol,
  type ApplicationTargetGroup,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { Cache } from './cache.ts';
import { type Environments, METRICS_PORT, PORT } from './environments.ts';
import { SOCKETS } from './logPatterns.ts';
import type { ApiProps, TsudoiProps } from './props.ts';
import { grantStream, grantTable, type TableAccess } from './table.ts';

/** What a process needs that compares the table with what it expects. */
const DESCRIBE: readonly TableAccess[] = ['DescribeTable', 'DescribeTimeToLive'];

export interface ApiOptions extends ApiProps, Pick<TsudoiProps, 'imageDirectory' | 'logRetention'> {
  readonly vpc: Vpc;
  readonly table: ITableV2;
  readonly cache: Cache;
  readonly listener: ApplicationListener;
  readonly environments: Pick<Environments, 'servers' | 'commands'>;
  readonly secret: ISecret | undefined;
  readonly secretSettings: readonly string[];
  /** Whether a worker that is started as a command may read the stream. */
  readonly workerReadsStream: boolean;
  /** The namespace of the metrics that logs become. */
  readonly namespace: string;
}

export interface Api {
  readonly service: FargateService;
  readonly targets: ApplicationTargetGroup;
  readonly log: LogGroup;
}

/** The load balancer that clients connect to. Websockets are pinged every 15 s, so they are never idle. */
export function createLoadBalancer(
  scope: Construct,
  vpc: Vpc,
  loadBalancerName: string | undefined,
): ApplicationLoadBalancer {
  const balancer = new ApplicationLoadBalancer(scope, 'LoadBalancer', {
    vpc,
    ...(loadBalancerName === undefined ? {} : { loadBalancerName }),
    internetFacing: true,
    vpcSubnets: { subnetType: SubnetType.PUBLIC },
    // The server keeps idle connections for 125 s, so it is never the one that closes them.
    idleTimeout: Duration.seconds(120),
    dropInvalidHeaderFields: true,
  });
  Validations.of(balancer).acknowledge(
    {
      id: 'AwsSolutions-ELB2',
      reason:
        'The servers log what fails, with request ids. Access logs would be of every request, with addresses.',
    },
    { id: 'AwsSolutions-EC23', reason: 'It is the one door to the internet: ports 80 and 443.' },
  );
  return balancer;
}

/** The API servers behind the load balancer, and the task for commands such as `tsudoi repair`. */
export function createApi(scope: Construct, options: ApiOptions): Api {
  const { vpc, cache, listener, min = 2, max = 10, logRetention = RetentionDays.ONE_MONTH } = options;
  const cluster = new Cluster(scope, 'Cluster', { vpc });
  Validations.of(cluster).acknowledge({
    id: 'AwsSolutions-ECS4',
    reason:
      "Container Insights is charged by metric. The service's own metrics and the log of its load are enough.",
  });
  const log = new LogGroup(scope, 'ApiLog', {
    retention: logRetention,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const taskDefinition = createTask(scope, 'Api', { ...options, log, of: 'servers', also: DESCRIBE });
  const service = new FargateService(scope, 'ApiService', {
    cluster,
    taskDefinition,
    // No NAT: it has an address of its own. Only the load balancer reaches it.
    assignPublicIp: true,
    vpcSubnets: { subnetType: SubnetType.PUBLIC },
    // A new server accepts connections before an old one ends.
    minHealthyPercent: 100,
    maxHealthyPercent: 200,
    circuitBreaker: { rollback: true },
    healthCheckGracePeriod: Duration.seconds(60),
  });
  cache.allowFrom(service);
  const scraper = options.metricsFrom === undefined ? undefined : metricsPeer(options.metricsFrom);
  if (scraper !== undefined) service.connections.allowFrom(scraper, Port.tcp(METRICS_PORT), '/metrics');
  const targets = listener.addTargets('Api', {
    protocol: ApplicationProtocol.HTTP,
    port: PORT,
    targets: [service.loadBalancerTarget({ containerName: CONTAINER, containerPort: PORT })],
    // Then the server gets SIGTERM, and closes the websockets that are left with 1012.
    deregistrationDelay: Duration.seconds(25),
    // ECS stops the servers that fail it. At `/readyz` an outage of DynamoDB would stop all of them, and the new ones
    // could not start either. A server listens only when its start is complete, so this is enough for a deployment.
    healthCheck: {
      path: '/healthz',
      interval: Duration.seconds(10),
      timeout: Duration.seconds(5),
      healthyThresholdCount: 2,
      unhealthyThresholdCount: 2,
    },
  });
  const scaling = service.autoScaleTaskCount({ minCapacity: min, maxCapacity: max });
  scaling.scaleOnCpuUtilization('Cpu', {
    targetUtilizationPercent: 60,
    scaleOutCooldown: Duration.minutes(1),
    scaleInCooldown: Duration.minutes(10),
  });
  scaling.scaleToTrackCustomMetric('Sockets', {
    metric: new Metric({
      namespace: options.namespace,
      metricName: SOCKETS,
      statistic: 'Average',
      period: Duration.minutes(1),
    }),
    targetValue: options.socketsPerServer ?? 5_000,
    scaleOutCooldown: Duration.minutes(1),
    // Each server that ends lets its clients connect again.
    scaleInCooldown: Duration.minutes(15),
  });

  // `aws ecs run-task` with another command: `tsudoi repair`.
  const commands = createTask(scope, 'Commands', {
    ...options,
    log,
    of: 'commands',
    also: [...DESCRIBE, 'Scan'],
  });
  if (options.workerReadsStream) grantStream(options.table, commands.taskRole);
  return { service, targets, log };
}

const PRIVATE =
  /^(10(\.\d{1,3}){3}|172\.(1[6-9]|2\d|3[01])(\.\d{1,3}){2}|192\.168(\.\d{1,3}){2})\/([89]|[12]\d|3[0-2])$/;

/** Undefined if it is neither private addresses nor a security group. */
export function metricsPeer(from: string): IPeer | undefined {
  if (/^sg-[\da-f]+$/.test(from)) return Peer.securityGroupId(from);
  return PRIVATE.test(from) ? Peer.ipv4(from) : undefined;
}

const CONTAINER = 'tsudoi';

interface TaskOptions extends ApiOptions {
  readonly log: LogGroup;
  readonly of: 'servers' | 'commands';
  readonly also: readonly TableAccess[];
}

function createTask(scope: Construct, id: string, options: TaskOptions): FargateTaskDefinition {
  const { cpu = 1_024, memory = 2_048, architecture = 'X86_64', secret, secretSettings } = options;
  const isArm = architecture === 'ARM64';
  const task = new FargateTaskDefinition(scope, `${id}Task`, {
    cpu,
    memoryLimitMiB: memory,
    runtimePlatform: {
      cpuArchitecture: isArm ? CpuArchitecture.ARM64 : CpuArchitecture.X86_64,
      operatingSystemFamily: OperatingSystemFamily.LINUX,
    },
  });
  task.addContainer(CONTAINER, {
    image: ContainerImage.fromAsset(options.imageDirectory, {
      platform: isArm ? Platform.LINUX_ARM64 : Platform.LINUX_AMD64,
    }),
    environment: {
      ...options.environments[options.of],
      // Node's heap. What is left is for buffers of connections.
      NODE_OPTIONS: `--max-old-space-size=${Math.floor(memory * 0.7)}`,
    },
    secrets: Object.fromEntries(
      secret === undefined
        ? []
        : secretSettings.map((name) => [name, EcsSecret.fromSecretsManager(secret, name)]),
    ),
    logging: LogDriver.awsLogs({ streamPrefix: id.toLowerCase(), logGroup: options.log }),
    portMappings: [{ containerPort: PORT }],
    readonlyRootFilesystem: true,
    stopTimeout: Duration.seconds(30),
  });
  grantTable(options.table, task.taskRole, options.also);
  Validations.of(task).acknowledge(
    {
      id: 'AwsSolutions-ECS2',
      reason: 'These settings are not secret. Those that are come from Secrets Manager.',
    },
    {
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'The token for pulling images (ecr:GetAuthorizationToken) belongs to the account and has no resource.',
    },
  );
  return task;
}
