import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { SecurityGroup, Vpc } from 'aws-cdk-lib/aws-ec2';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type CfnEventSourceMapping,
  type CfnFunction,
  Code,
  FilterCriteria,
  type FunctionProps,
  Function as LambdaFunction,
  Runtime,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Schedule, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Cache } from './cache.ts';
import type { ConsumerProps, TsudoiProps } from './props.ts';
import { grantStream, grantTable, streamArnOf } from './table.ts';

/** A function, its log, and the queue of what it could not do. */
export interface TsudoiFunction {
  readonly fn: LambdaFunction;
  readonly log: LogGroup;
  readonly failures: Queue;
}

export interface FunctionsOptions extends Pick<TsudoiProps, 'functionsDirectory' | 'logRetention'> {
  readonly table: ITableV2;
  /** The function's environment, apart from the secret. */
  readonly environment: Readonly<Record<string, string>>;
  /** Read when a function starts, if it needs it. */
  readonly secret: ISecret | undefined;
}

type Own = Pick<
  FunctionProps,
  'handler' | 'description' | 'memorySize' | 'timeout' | 'vpc' | 'vpcSubnets' | 'securityGroups'
>;

/** `id`: `Consumer` or `Timers`. */
function createFunction(
  scope: Construct,
  id: string,
  options: FunctionsOptions & { readonly own: Own; readonly readsSecret: boolean },
): TsudoiFunction {
  const { functionsDirectory, logRetention = RetentionDays.ONE_MONTH, secret, readsSecret, own } = options;
  const failures = new Queue(scope, `${id}Failures`, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
  Validations.of(failures).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'It is the queue of failures itself. An alarm is set on its first message.',
  });
  const log = new LogGroup(scope, `${id}Log`, {
    retention: logRetention,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const fn = new LambdaFunction(scope, id, {
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    code: Code.fromAsset(functionsDirectory, { exclude: ['*.map', '**/*.map', '*.built'] }),
    logGroup: log,
    ...own,
    environment: {
      ...options.environment,
      ...(readsSecret && secret !== undefined ? { SETTINGS_SECRET: secret.secretArn } : {}),
    },
  });
  if (readsSecret) secret?.grantRead(fn);
  if (fn.role !== undefined) {
    const ofNetwork = own.vpc === undefined ? [] : ['AWSLambdaVPCAccessExecutionRole'];
    for (const name of ['AWSLambdaBasicExecutionRole', ...ofNetwork]) {
      Validations.of(fn.role).acknowledge({
        id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/${name}]`,
        reason:
          "AWS' own policies for a function's log and, in a network, its addresses. They have nothing else.",
      });
    }
  }
  return { fn, log, failures };
}

export interface ConsumerOptions extends FunctionsOptions, ConsumerProps {
  readonly vpc: Vpc;
  readonly securityGroup: SecurityGroup;
  readonly cache: Cache;
  /** Whether the stack makes the table. One that exists may name its keys in another way. */
  readonly isOwnTable: boolean;
  /** Whether the consumer must know the webhooks, which are in the secret. */
  readonly readsSecret: boolean;
}

/**
 * Partitions that hold only what processes write for each other: heartbeats, and the lease of the timers, every 2.5
 * seconds. `src/stream/records.ts` skips them. These patterns match names of keys, and a record without these names
 * matches none, so they are only for a table that the stack has made.
 */
export const OF_PROCESSES = ['SERVERS', 'STREAM#TIMERS'];
const NOT_OF_PROCESSES = FilterCriteria.filter({
  dynamodb: { Keys: { pk: { S: [{ 'anything-but': OF_PROCESSES }] } } },
});

/** Retries end when the stream has deleted the records, after a day. */
const UNTIL_TRIMMED = -1;

/** Derives what follows from the table's changes: the settings of `src/stream/lambda.ts`. */
export function createConsumer(scope: Construct, options: ConsumerOptions): TsudoiFunction {
  const { table, vpc, securityGroup, cache, memory = 1_024, parallelization = 2, batchSize = 100 } = options;
  const consumer = createFunction(scope, 'Consumer', {
    ...options,
    own: {
      handler: 'lambda.handler',
      description: 'Derives positions, events and notifications from the changes of the table',
      memorySize: memory,
      timeout: Duration.seconds(60),
      vpc,
      vpcSubnets: { subnets: vpc.isolatedSubnets },
      securityGroups: [securityGroup],
    },
  });
  const { fn, failures } = consumer;
  cache.allowFrom(securityGroup);
  grantTable(table, fn, ['DescribeTable']);
  grantStream(table, fn);
  grantListStreams(fn);
  const mapping = fn.addEventSourceMapping('Changes', {
    eventSourceArn: streamArnOf(table),
    enabled: options.paused !== true,
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize,
    reportBatchItemFailures: true,
    bisectBatchOnError: true,
    parallelizationFactor: parallelization,
    ...(options.isOwnTable ? { filters: [NOT_OF_PROCESSES] } : {}),
    onFailure: new SqsDlq(failures),
  });
  const cfn = mapping.node.defaultChild as CfnEventSourceMapping;
  // Also the defaults. They are what the promise of no lost changes depends on.
  cfn.maximumRetryAttempts = UNTIL_TRIMMED;
  cfn.maximumRecordAgeInSeconds = UNTIL_TRIMMED;
  failures.grantSendMessages(fn);
  return consumer;
}

/** A mapping calls this with the function's role. */
function grantListStreams(fn: LambdaFunction): void {
  fn.addToRolePolicy(new PolicyStatement({ actions: ['dynamodb:ListStreams'], resources: ['*'] }));
  if (fn.role === undefined) return;
  Validations.of(fn.role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'A mapping lists streams, and that has no resource to name. It returns names only.',
  });
}

/**
 * Handles timers and sends deliveries. It is outside the network, so it reaches push services and webhooks without a
 * NAT gateway, and Valkey not at all: what it writes is published by the consumer. Calls that overlap are harmless,
 * because the timers have one lease, so no concurrency is reserved; new accounts have none to reserve.
 */
export function createTimers(scope: Construct, options: FunctionsOptions): TsudoiFunction {
  const timers = createFunction(scope, 'Timers', {
    ...options,
    readsSecret: true,
    own: {
      handler: 'lambda.timers',
      description: 'Handles timers, jobs and deliveries: one call a minute',
      memorySize: 512,
      timeout: Duration.seconds(90),
    },
  });
  const { fn, failures } = timers;
  // The next minute has its own call.
  fn.configureAsyncInvoke({
    retryAttempts: 0,
    maxEventAge: Duration.minutes(1),
    onFailure: new SqsDestination(failures),
  });
  grantTable(options.table, fn, ['DescribeTable', 'Scan']);
  const role = new Role(scope, 'ScheduleRole', {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com'),
    description: 'Starts the timers function',
  });
  const functionId = Stack.of(fn).getLogicalId(fn.node.defaultChild as CfnFunction);
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${functionId}.Arn>:*]`,
    reason: 'The versions of that one function.',
  });
  const target = new LambdaInvoke(fn, {
    role,
    deadLetterQueue: failures,
    retryAttempts: 0,
    maxEventAge: Duration.minutes(1),
  });
  new Schedule(scope, 'EveryMinute', {
    schedule: ScheduleExpression.rate(Duration.minutes(1)),
    target,
    description: 'Starts the timers function',
  });
  return timers;
}
