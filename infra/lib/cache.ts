import { Validations } from 'aws-cdk-lib';
import { type IConnectable, Port, SecurityGroup, type Vpc } from 'aws-cdk-lib/aws-ec2';
import { CfnReplicationGroup, CfnSubnetGroup } from 'aws-cdk-lib/aws-elasticache';
import type { Construct } from 'constructs';
import type { CacheProps } from './props.ts';

/** Not the usual one, which scanners try first. */
const PORT = 6_380;

export interface Cache {
  /** `REDIS_URL`. */
  readonly url: string;
  /** The nodes, by the ids that ElastiCache gives them. It has metrics of nodes, and none of the group. */
  readonly nodeIds: readonly string[];
  allowFrom(client: IConnectable): void;
}

/**
 * Valkey as a replication group with cluster mode off: the program subscribes to channels and uses one connection for
 * each purpose, and ElastiCache Serverless is always in cluster mode. Nothing in it needs to survive, so there are no
 * snapshots.
 */
export function createCache(scope: Construct, vpc: Vpc, props: CacheProps = {}): Cache {
  const { nodeType = 'cache.t4g.small', replicas = 1 } = props;
  const securityGroup = new SecurityGroup(scope, 'CacheSecurityGroup', {
    vpc,
    description: 'Valkey: reached by servers and the consumer only',
    allowAllOutbound: false,
  });
  const subnets = new CfnSubnetGroup(scope, 'CacheSubnets', {
    description: 'Isolated subnets',
    subnetIds: vpc.isolatedSubnets.map(({ subnetId }) => subnetId),
  });
  const group = new CfnReplicationGroup(scope, 'Cache', {
    replicationGroupDescription: 'Events and counters of Tsudoi',
    engine: 'valkey',
    engineVersion: '8.0',
    cacheNodeType: nodeType,
    cacheParameterGroupName: 'default.valkey8',
    clusterMode: 'disabled',
    numCacheClusters: replicas + 1,
    automaticFailoverEnabled: replicas > 0,
    multiAzEnabled: replicas > 0,
    port: PORT,
    cacheSubnetGroupName: subnets.ref,
    securityGroupIds: [securityGroup.securityGroupId],
    transitEncryptionEnabled: true,
    transitEncryptionMode: 'required',
    atRestEncryptionEnabled: true,
    autoMinorVersionUpgrade: true,
    snapshotRetentionLimit: 0,
  });
  Validations.of(group).acknowledge({
    id: 'AwsSolutions-AEC6',
    reason:
      'It is reached by two security groups only, over TLS, and keeps nothing. A password would be one more secret.',
  });
  if (replicas === 0) {
    Validations.of(group).acknowledge({
      id: 'AwsSolutions-AEC4',
      reason:
        'The operator chose one node. While it is replaced, badges wait, and messages are sent and read.',
    });
  }
  return {
    url: `rediss://${group.attrPrimaryEndPointAddress}:${group.attrPrimaryEndPointPort}`,
    nodeIds: Array.from({ length: replicas + 1 }, (_, i) => `${group.ref}-${String(i + 1).padStart(3, '0')}`),
    allowFrom({ connections }) {
      for (const client of connections.securityGroups) {
        securityGroup.addIngressRule(client, Port.tcp(PORT), 'Servers and the consumer');
      }
    },
  };
}
