import { unitsOf } from './catalogue.ts';
import { HOURS, MINUTES, PRICES } from './prices.ts';

export interface CostLine {
  readonly what: string;
  readonly dollars: number;
}

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

export type Resources = Readonly<Record<string, Resource>>;

/** Types of resources that cost nothing by themselves, or whose costs are in those of another one. */
const FREE = new Set([
  'AWS::ApplicationAutoScaling::ScalableTarget',
  'AWS::ApplicationAutoScaling::ScalingPolicy',
  'AWS::CertificateManager::Certificate',
  'AWS::EC2::InternetGateway',
  'AWS::EC2::Route',
  'AWS::EC2::RouteTable',
  'AWS::EC2::SecurityGroup',
  'AWS::EC2::SecurityGroupEgress',
  'AWS::EC2::SecurityGroupIngress',
  'AWS::EC2::Subnet',
  'AWS::EC2::SubnetRouteTableAssociation',
  'AWS::EC2::VPC',
  'AWS::EC2::VPCGatewayAttachment',
  'AWS::ECS::Cluster',
  'AWS::ECS::Service',
  'AWS::ElastiCache::SubnetGroup',
  'AWS::ElasticLoadBalancingV2::Listener',
  'AWS::ElasticLoadBalancingV2::TargetGroup',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Permission',
  'AWS::Logs::LogGroup',
  'AWS::Route53::RecordSet',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::Queue',
  'AWS::SQS::QueuePolicy',
]);

/** How long a call of the timers function takes if there is little to do. */
const TIMERS_S = 51;
/** The timers are looked at every five seconds of a call, and their lease is renewed every 2.5 s. */
const LOOKS = TIMERS_S / 5;
const RENEWALS = TIMERS_S / 2.5;

/** A process looks at the shape of the table once a second, and writes a heartbeat every ten seconds: one unit each. */
const HEARTBEAT_S = 10;

type Price = (properties: Readonly<Record<string, unknown>>, all: Resources) => CostLine[];

const minServers = (all: Resources): number =>
  Object.values(all).reduce(
    (sum, { Type, Properties }) =>
      Type === 'AWS::ApplicationAutoScaling::ScalableTarget' ? sum + Number(Properties?.MinCapacity) : sum,
    0,
  );

/** What a resource costs in a month in which nothing happens. */
const PRICED: Readonly<Record<string, Price>> = {
  'AWS::ECS::TaskDefinition': ({ Family, Cpu, Memory, RuntimePlatform }, all) => {
    // The other task runs for minutes, if an operator starts it.
    if (!String(Family).includes('ApiTask')) return [];
    const { CpuArchitecture } = RuntimePlatform as { readonly CpuArchitecture: 'X86_64' | 'ARM64' };
    const { cpu, gib } = PRICES.fargate[CpuArchitecture];
    const servers = minServers(all);
    const hour = (Number(Cpu) / 1_024) * cpu + (Number(Memory) / 1_024) * gib;
    const seconds = servers * HOURS * 3_600;
    const polls = seconds * unitsOf("a server's poll, with nothing new").read;
    return [
      {
        what: `${servers} servers (${Number(Cpu) / 1_024} vCPU, ${Number(Memory) / 1_024} GiB)`,
        dollars: servers * HOURS * hour,
      },
      { what: 'public addresses of the servers', dollars: servers * HOURS * PRICES.publicAddressHour },
      { what: 'reads of revoked tokens, once a second on each server', dollars: polls * PRICES.readUnit },
      {
        what: 'looks at the shape of the table, and heartbeats of servers',
        dollars: seconds * (PRICES.readUnit + PRICES.writeUnit / HEARTBEAT_S),
      },
    ];
  },
  'AWS::ElasticLoadBalancingV2::LoadBalancer': ({ Subnets }) => [
    { what: 'load balancer', dollars: HOURS * PRICES.loadBalancerHour },
    {
      what: 'public addresses of the load balancer',
      dollars: HOURS * PRICES.publicAddressHour * (Subnets as readonly unknown[]).length,
    },
  ],
  'AWS::ElastiCache::ReplicationGroup': ({ NumCacheClusters, CacheNodeType }) => {
    const price = PRICES.cacheNodeHour[String(CacheNodeType)];
    if (price === undefined) throw new Error(`There is no price of ${String(CacheNodeType)}.`);
    return [
      {
        what: `${Number(NumCacheClusters)} nodes of Valkey (${String(CacheNodeType)})`,
        dollars: HOURS * price * Number(NumCacheClusters),
      },
    ];
  },
  'AWS::Lambda::Function': ({ Handler, MemorySize }) => {
    if (Handler !== 'lambda.timers') return [];
    const looks = (unitsOf('a look, nothing due').read * LOOKS + TIMERS_S) * MINUTES * PRICES.readUnit;
    const writes = (RENEWALS + TIMERS_S / HEARTBEAT_S) * MINUTES * PRICES.writeUnit;
    return [
      {
        what: 'timers function',
        dollars:
          MINUTES *
          (TIMERS_S * (Number(MemorySize) / 1_024) * PRICES.functionGibSecond + PRICES.functionCall),
      },
      { what: 'looks at the timers and the shape, their lease, and heartbeats', dollars: looks + writes },
    ];
  },
  'AWS::DynamoDB::GlobalTable': () => [],
  'AWS::Scheduler::Schedule': () => [{ what: 'schedule', dollars: MINUTES * PRICES.scheduledCall }],
  // Of each metric that the alarm reads.
  'AWS::CloudWatch::Alarm': ({ Metrics = [{ MetricStat: {} }] }) => {
    const read = (Metrics as ReadonlyArray<{ readonly MetricStat?: object }>).filter(
      ({ MetricStat }) => MetricStat !== undefined,
    );
    return [{ what: 'alarms', dollars: read.length * PRICES.alarmMonth }];
  },
  'AWS::CloudWatch::Dashboard': () => [{ what: 'dashboard', dollars: PRICES.dashboardMonth }],
  'AWS::Logs::MetricFilter': () => [{ what: 'metrics of logs', dollars: PRICES.metricMonth }],
  'AWS::EC2::VPCEndpoint': ({ VpcEndpointType }) =>
    VpcEndpointType === 'Interface'
      ? [
          { what: 'endpoint of Secrets Manager', dollars: HOURS * PRICES.endpointHour },
          { what: 'secret', dollars: PRICES.secretMonth },
        ]
      : [],
};

/** A month in which nothing happens. Throws for a type of resource that nothing here knows. */
export function idleCosts(resources: Resources): CostLine[] {
  const lines = Object.values(resources).flatMap(({ Type, Properties = {} }) => {
    if (FREE.has(Type)) return [];
    const price = PRICED[Type];
    if (price === undefined) throw new Error(`There is no price of ${Type}: infra/cost/cost.ts`);
    return price(Properties, resources);
  });
  const sums = new Map<string, number>();
  for (const { what, dollars } of lines) sums.set(what, (sums.get(what) ?? 0) + dollars);
  return [...sums].map(([what, dollars]) => ({ what, dollars })).sort((a, b) => b.dollars - a.dollars);
}

const MESSAGES = 1_000_000;
/** Members that are connected and get the message. */
const READERS = 20;
/** What one of them gets: an event of the room, and one of the badge. */
const BYTES = 1_000;
/** A call of the consumer for one message, three round trips: an assumption. */
const CALL_S = 0.05;
const CALL_GIB = 1;
const GIB = 1_024 ** 3;

const unitsCost = ({ read, write }: { readonly read: number; readonly write: number }): number =>
  read * PRICES.readUnit + write * PRICES.writeUnit;

/**
 * A million messages, each by itself: a root with an idempotency key in a room with 20 readers online. If many arrive
 * together, the consumer handles ten at a time for less.
 */
export function messageCosts(): CostLine[] {
  const bytes = (MESSAGES * READERS * BYTES) / GIB;
  return [
    {
      what: 'sent: DynamoDB',
      dollars: MESSAGES * unitsCost(unitsOf('`sendMessage`, a root with an idempotency key')),
    },
    { what: 'derived: DynamoDB', dollars: MESSAGES * unitsCost(unitsOf('consumer: a new root')) },
    {
      what: 'consumer function, a call for each message',
      dollars: MESSAGES * (CALL_S * CALL_GIB * PRICES.functionGibSecond + PRICES.functionCall),
    },
    { what: `out to ${READERS} readers each, 1 kB`, dollars: bytes * PRICES.gibOut },
    // One unit of a load balancer is one GB an hour.
    { what: 'load balancer, by bytes', dollars: bytes * PRICES.loadBalancerUnitHour },
  ];
}

export function tableOf(title: string, lines: readonly CostLine[]): string {
  const sum = lines.reduce((total, { dollars }) => total + dollars, 0);
  const rows = [...lines, { what: '**sum**', dollars: sum }].map(
    ({ what, dollars }) => `| ${what} | ${dollars.toFixed(2)} |`,
  );
  return [`| ${title} | dollars |`, '|---|---:|', ...rows].join('\n');
}
