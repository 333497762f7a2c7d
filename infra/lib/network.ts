import { Validations } from 'aws-cdk-lib';
import {
  GatewayVpcEndpointAwsService,
  InterfaceVpcEndpointAwsService,
  IpAddresses,
  Port,
  SecurityGroup,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import type { Construct } from 'constructs';

export interface NetworkOptions {
  /** Whether the consumer reads a secret. An endpoint for it costs about 7 dollars a month. */
  readonly readsSecrets: boolean;
}

export interface Network {
  readonly vpc: Vpc;
  /** Of the consumer, which nothing reaches. */
  readonly consumerSecurityGroup: SecurityGroup;
}

/**
 * Two zones. Servers are in public subnets and have addresses of their own, so that they reach identity providers and
 * the registry of images without a NAT gateway; only the load balancer reaches them. Valkey and the consumer are in
 * isolated subnets, which have no route to the internet. Tables and layers of images are reached by gateways, which
 * cost nothing.
 */
export function createNetwork(scope: Construct, { readsSecrets }: NetworkOptions): Network {
  const vpc = new Vpc(scope, 'Network', {
    ipAddresses: IpAddresses.cidr('10.0.0.0/16'),
    maxAzs: 2,
    natGateways: 0,
    subnetConfiguration: [
      { name: 'Public', subnetType: SubnetType.PUBLIC, cidrMask: 20, mapPublicIpOnLaunch: false },
      { name: 'Isolated', subnetType: SubnetType.PRIVATE_ISOLATED, cidrMask: 20 },
    ],
    gatewayEndpoints: {
      Tables: { service: GatewayVpcEndpointAwsService.DYNAMODB },
      Layers: { service: GatewayVpcEndpointAwsService.S3 },
    },
  });
  const consumerSecurityGroup = new SecurityGroup(scope, 'ConsumerSecurityGroup', {
    vpc,
    description: 'The consumer: reached by no one',
  });
  if (readsSecrets) {
    const securityGroup = new SecurityGroup(scope, 'SecretsSecurityGroup', {
      vpc,
      description: 'Secrets Manager: reached by the consumer only',
      allowAllOutbound: false,
    });
    securityGroup.addIngressRule(consumerSecurityGroup, Port.tcp(443), 'The consumer');
    // One zone is enough: it is read when a function starts, and Lambda starts it again.
    vpc.addInterfaceEndpoint('Secrets', {
      service: InterfaceVpcEndpointAwsService.SECRETS_MANAGER,
      subnets: { subnets: vpc.isolatedSubnets.slice(0, 1) },
      securityGroups: [securityGroup],
      open: false,
    });
  }
  Validations.of(vpc).acknowledge({
    id: 'AwsSolutions-VPC7',
    reason:
      'Flow logs cost more than the rest of the network. The only open ports are 80 and 443 of the load balancer.',
  });
  return { vpc, consumerSecurityGroup };
}
