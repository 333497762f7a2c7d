import { CfnOutput, Stack } from 'aws-cdk-lib';
import { Certificate, CertificateValidation, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import {
  type ApplicationListener,
  type ApplicationLoadBalancer,
  ApplicationProtocol,
  ListenerAction,
  SslPolicy,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { ARecord, HostedZone, type IHostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { LoadBalancerTarget } from 'aws-cdk-lib/aws-route53-targets';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { createAlarms, createMetrics } from './alarms.ts';
import { createApi, createLoadBalancer } from './api.ts';
import { createCache } from './cache.ts';
import { createDashboard } from './dashboard.ts';
import { consumerReadsSecret, environmentsOf, tableNameOf } from './environments.ts';
import { createConsumer, createTimers } from './functions.ts';
import { createLogMetrics } from './logMetrics.ts';
import {
  DELIVERIES_FAILED,
  JOBS_STOPPED,
  MESSAGES,
  MESSAGES_LATE,
  OLDEST_JOB,
  SET_ASIDE,
  SOCKETS,
  TIMERS_FAILED,
  TIMERS_OVERDUE,
} from './logPatterns.ts';
import { createNetwork } from './network.ts';
import { problemsOf } from './problems.ts';
import type { DomainProps, TsudoiProps } from './props.ts';
import { createTable, useTable } from './table.ts';

/** The name of a load balancer without a domain: its address begins with it, and origins have no capital letters. */
const NAME_MAX = 32;

/**
 * Tsudoi on AWS: the table, servers behind a load balancer, Valkey, the consumer and the timers as functions, alarms
 * and a dashboard. docs/aws.md describes it. Throws if the props are wrong.
 */
export class Tsudoi extends Construct {
  readonly table: ITableV2;
  /** The origin at which the service is reached. */
  readonly url: string;
  /** Gets the alarms. */
  readonly alarms: Topic;

  constructor(scope: Construct, id: string, props: TsudoiProps) {
    super(scope, id);
    const problems = problemsOf(props, Stack.of(this).region);
    if (problems.length > 0) throw new Error(`The settings are wrong:\n  - ${problems.join('\n  - ')}`);
    const { existingTable, domain, logRetention } = props;
    const { stackName } = Stack.of(this);
    const namespace = `Tsudoi/${stackName}`;
    const secretSettings = props.secret?.settings ?? [];
    const secret =
      props.secret === undefined ? undefined : Secret.fromSecretCompleteArn(this, 'Secret', props.secret.arn);
    const readsSecret = consumerReadsSecret(props);

    const { vpc, consumerSecurityGroup } = createNetwork(this, { readsSecrets: readsSecret });
    this.table =
      existingTable === undefined ? createTable(this, tableNameOf(props)) : useTable(this, existingTable);
    const cache = createCache(this, vpc, props.cache);
    const balancer = createLoadBalancer(
      this,
      vpc,
      domain === undefined ? stackName.toLowerCase().slice(0, NAME_MAX) : undefined,
    );
    this.url = domain === undefined ? `http://${balancer.loadBalancerDnsName}` : `https://${domain.name}`;
    const listener = createListener(this, balancer, domain);

    const environments = environmentsOf(props, {
      publicUrl: this.url,
      region: Stack.of(this).region,
      redisUrl: cache.url,
    });
    const common = { table: this.table, secret, ...(logRetention === undefined ? {} : { logRetention }) };
    const api = createApi(this, {
      ...common,
      ...props.api,
      vpc,
      cache,
      listener,
      namespace,
      secretSettings,
      imageDirectory: props.imageDirectory,
      workerReadsStream: props.consumer?.paused === true,
      environments,
    });
    const { functionsDirectory } = props;
    const consumer = createConsumer(this, {
      ...common,
      ...props.consumer,
      vpc,
      cache,
      functionsDirectory,
      securityGroup: consumerSecurityGroup,
      readsSecret,
      isOwnTable: existingTable === undefined,
      environment: environments.consumer,
    });
    const timers = createTimers(this, {
      ...common,
      functionsDirectory,
      environment: environments.timers,
    });

    createLogMetrics(this, { namespace, log: api.log, names: [SOCKETS, MESSAGES, MESSAGES_LATE] });
    createLogMetrics(this, { namespace, log: consumer.log, names: [SET_ASIDE] });
    createLogMetrics(this, {
      namespace,
      log: timers.log,
      names: [TIMERS_FAILED, TIMERS_OVERDUE, DELIVERIES_FAILED, JOBS_STOPPED, OLDEST_JOB],
    });
    if (props.consumer?.paused === true) {
      // Of the worker that does the consumer's part: a command, whose log is that of the servers.
      createLogMetrics(this, {
        namespace,
        log: api.log,
        prefix: 'Worker',
        names: [SET_ASIDE, TIMERS_FAILED, DELIVERIES_FAILED, JOBS_STOPPED, OLDEST_JOB],
      });
    }
    this.alarms = createTopic(this, props.alarmEmail);
    const metrics = createMetrics({ namespace, table: this.table, cache, balancer, api, consumer, timers });
    createDashboard(this, metrics, createAlarms(this, metrics, this.alarms));
    new CfnOutput(this, 'Url', { value: this.url, description: 'The address of the service' });
    new CfnOutput(this, 'TableName', { value: this.table.tableName });
  }
}

/** HTTPS with a redirect from HTTP, or HTTP alone without a domain. */
function createListener(
  scope: Construct,
  balancer: ApplicationLoadBalancer,
  domain: DomainProps | undefined,
): ApplicationListener {
  if (domain === undefined) {
    return balancer.addListener('Http', { port: 80, protocol: ApplicationProtocol.HTTP });
  }
  const { hostedZone, name } = domain;
  const zone =
    hostedZone === undefined
      ? undefined
      : HostedZone.fromHostedZoneAttributes(scope, 'Zone', {
          hostedZoneId: hostedZone.id,
          zoneName: hostedZone.name,
        });
  if (zone !== undefined) {
    new ARecord(scope, 'Record', {
      zone,
      recordName: name,
      target: RecordTarget.fromAlias(new LoadBalancerTarget(balancer)),
    });
  }
  balancer.addListener('Http', {
    port: 80,
    protocol: ApplicationProtocol.HTTP,
    defaultAction: ListenerAction.redirect({ protocol: 'HTTPS', port: '443', permanent: true }),
  });
  return balancer.addListener('Https', {
    port: 443,
    protocol: ApplicationProtocol.HTTPS,
    sslPolicy: SslPolicy.RECOMMENDED_TLS,
    certificates: [certificateOf(scope, domain, zone)],
  });
}

function certificateOf(
  scope: Construct,
  { name, certificateArn }: DomainProps,
  zone: IHostedZone | undefined,
): ICertificate {
  if (certificateArn !== undefined) {
    return Certificate.fromCertificateArn(scope, 'Certificate', certificateArn);
  }
  return new Certificate(scope, 'Certificate', {
    domainName: name,
    validation: CertificateValidation.fromDns(zone),
  });
}

function createTopic(scope: Construct, email: string | undefined): Topic {
  const topic = new Topic(scope, 'Alarms', { displayName: 'Tsudoi alarms', enforceSSL: true });
  // A topic with a policy has no default one, and `enforceSSL` makes a policy. Without this, no alarm is delivered.
  topic.grantPublish(
    new ServicePrincipal('cloudwatch.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  if (email !== undefined) topic.addSubscription(new EmailSubscription(email));
  return topic;
}
