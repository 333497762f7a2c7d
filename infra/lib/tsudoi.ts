import { CfnOutput, Stack, Token } from 'aws-cdk-lib';
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
import { createApi, createLoadBalancer, metricsPeer } from './api.ts';
import { createCache } from './cache.ts';
import { createDashboard } from './dashboard.ts';
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
import {
  type AuthProps,
  type DomainProps,
  SECRET_SETTINGS,
  SIGN_IN_SETTINGS,
  type SignInProps,
  type TsudoiProps,
} from './props.ts';
import { createTable, useTable } from './table.ts';

/** The name of a load balancer without a domain: its address begins with it, and origins have no capital letters. */
const NAME_MAX = 32;

/**
 * Tsudoi on AWS: the table, servers behind a load balancer, Valkey, the consumer and the timers as functions, alarms
 * and a dashboard. docs/aws.md describes it. Throws if the props contradict each other.
 */
export class Tsudoi extends Construct {
  readonly table: ITableV2;
  /** The origin at which the service is reached. */
  readonly url: string;
  /** Gets the alarms. */
  readonly alarms: Topic;

  constructor(scope: Construct, id: string, props: TsudoiProps) {
    super(scope, id);
    const problems = contradictions(props, Stack.of(this).region);
    if (problems.length > 0) throw new Error(`The settings are wrong:\n  - ${problems.join('\n  - ')}`);
    const { existingTable, domain, auth, logRetention, settings = {} } = props;
    const { stackName } = Stack.of(this);
    const namespace = `Tsudoi/${stackName}`;
    const secretSettings = props.secret?.settings ?? [];
    const secret =
      props.secret === undefined ? undefined : Secret.fromSecretCompleteArn(this, 'Secret', props.secret.arn);
    const { tracesTo } = props.consumer ?? {};
    // It gathers deliveries for users that a webhook reaches, and digests only if mails are sent.
    const consumerReadsSecret =
      secretSettings.includes('WEBHOOKS') ||
      secretSettings.includes('SMTP_URL') ||
      (tracesTo !== undefined && secretSettings.includes('OTEL_EXPORTER_OTLP_HEADERS'));

    const { vpc, consumerSecurityGroup } = createNetwork(this, { readsSecrets: consumerReadsSecret });
    const tableName = existingTable?.name ?? props.tableName ?? 'tsudoi';
    this.table = existingTable === undefined ? createTable(this, tableName) : useTable(this, existingTable);
    const cache = createCache(this, vpc, props.cache);
    const balancer = createLoadBalancer(
      this,
      vpc,
      domain === undefined ? stackName.toLowerCase().slice(0, NAME_MAX) : undefined,
    );
    this.url = domain === undefined ? `http://${balancer.loadBalancerDnsName}` : `https://${domain.name}`;
    const listener = createListener(this, balancer, domain);

    const shared: Record<string, string> = {
      TABLE_NAME: tableName,
      PUBLIC_URL: this.url,
      NODE_ENV: 'production',
      ...settings,
    };
    const { vapidSubject, mailFrom } = props;
    /** They are refused without their part of the secret. */
    const senders: Record<string, string> = {
      ...(vapidSubject === undefined ? {} : { VAPID_SUBJECT: vapidSubject }),
      ...(mailFrom === undefined ? {} : { MAIL_FROM: mailFrom }),
    };
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
      environment: { ...shared, ...senders, ...authVariables(auth), AWS_REGION: Stack.of(this).region },
    });
    const { functionsDirectory } = props;
    const { OTEL_EXPORTER_OTLP_ENDPOINT: _outside, ...inNetwork } = shared;
    const consumer = createConsumer(this, {
      ...common,
      ...props.consumer,
      vpc,
      cache,
      functionsDirectory,
      securityGroup: consumerSecurityGroup,
      readsSecret: consumerReadsSecret,
      environment: {
        ...inNetwork,
        ...(tracesTo === undefined ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: tracesTo }),
        ...(consumerReadsSecret ? senders : {}),
      },
    });
    const timers = createTimers(this, {
      ...common,
      functionsDirectory,
      environment: { ...shared, ...senders },
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

/** One line for each combination of props that cannot work. `region`: that of the stack, which may be a token. */
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
    if (!/^https?:\/\/[^/]+/.test(consumer.tracesTo)) {
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
  if (existingTable !== undefined) {
    if (tableName !== undefined) problems.push('tableName is for a table that is made: leave it out.');
    const { name, streamArn } = existingTable;
    if (!streamArn.includes(name.startsWith('arn:') ? `${name}/stream/` : `:table/${name}/stream/`)) {
      problems.push('existingTable.streamArn is not that of a stream of this table.');
    }
    const [, , , there] = streamArn.split(':');
    if (![region, there].some(Token.isUnresolved) && there !== region) {
      problems.push(`existingTable is in ${there}, and the stack in ${region}: they must be in one region.`);
    }
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

function authVariables(auth: AuthProps): Record<string, string> {
  const { issuer, audience } = auth;
  return {
    ...('jwksUrl' in auth
      ? { AUTH_JWKS_URL: auth.jwksUrl, ...(auth.signIn === undefined ? {} : signInVariables(auth.signIn)) }
      : {}),
    ...(issuer === undefined ? {} : { AUTH_ISSUER: issuer }),
    ...(audience === undefined ? {} : { AUTH_AUDIENCE: audience }),
  };
}

const signInVariables = ({ url, clientId, scope }: SignInProps): Record<string, string> => ({
  SIGN_IN_URL: url,
  SIGN_IN_CLIENT_ID: clientId,
  ...(scope === undefined ? {} : { SIGN_IN_SCOPE: scope }),
});

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
