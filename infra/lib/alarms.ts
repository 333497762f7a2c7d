import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import {
  type ApplicationLoadBalancer,
  HttpCodeElb,
  HttpCodeTarget,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Api } from './api.ts';
import type { Cache } from './cache.ts';
import type { TsudoiFunction } from './functions.ts';
import {
  DELIVERIES_FAILED,
  JOBS_STOPPED,
  MESSAGES,
  MESSAGES_LATE,
  OLDEST_JOB,
  SET_ASIDE,
  TIMERS_FAILED,
  TIMERS_OVERDUE,
} from './logPatterns.ts';
import { INDEX } from './table.ts';

export interface Watched {
  readonly namespace: string;
  readonly table: ITableV2;
  readonly cache: Cache;
  readonly balancer: ApplicationLoadBalancer;
  readonly api: Api;
  readonly consumer: TsudoiFunction;
  readonly timers: TsudoiFunction;
}

const MINUTE = { period: Duration.minutes(1) };
/** A queue reports its length within a few minutes. */
const QUEUE = { period: Duration.minutes(5), statistic: 'Maximum' };

/** Servers log their messages once a minute, each at another second. */
const FIVE_MINUTES = { period: Duration.minutes(5) };

const ownMetric = (namespace: string, metricName: string, statistic: string, every = MINUTE) =>
  new Metric({ namespace, metricName, statistic, ...every });

/** The metrics of alarms and of the dashboard. */
export function createMetrics({ namespace, table, cache, balancer, api, consumer, timers }: Watched) {
  const sum = { ...MINUTE, statistic: 'Sum' };
  const most = { ...MINUTE, statistic: 'Maximum' };
  const throttles = ['ReadThrottleEvents', 'WriteThrottleEvents'].flatMap((metricName) => [
    table.metric(metricName, sum),
    new Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      dimensionsMap: { TableName: table.tableName, GlobalSecondaryIndexName: INDEX },
      ...sum,
    }),
  ]);
  /** The value of the node that has the most. Any of them may be the primary. */
  const cacheMetric = (id: string, metricName: string) => {
    const nodes = cache.nodeIds.map((CacheClusterId, i): [string, IMetric] => [
      `${id}${i}`,
      new Metric({
        namespace: 'AWS/ElastiCache',
        metricName,
        dimensionsMap: { CacheClusterId },
        ...most,
      }),
    ]);
    return new MathExpression({
      expression: `MAX([${nodes.map(([name]) => `FILL(${name}, 0)`).join(', ')}])`,
      usingMetrics: Object.fromEntries(nodes),
      label: metricName,
      ...MINUTE,
    });
  };
  return {
    iteratorAge: consumer.fn.metric('IteratorAge', most),
    consumerErrors: consumer.fn.metricErrors(sum),
    consumerThrottles: consumer.fn.metricThrottles(sum),
    consumerDuration: consumer.fn.metricDuration({ ...MINUTE, statistic: 'p99' }),
    timersErrors: timers.fn.metricErrors(sum),
    consumerFailures: consumer.failures.metricApproximateNumberOfMessagesVisible(QUEUE),
    timersFailures: timers.failures.metricApproximateNumberOfMessagesVisible(QUEUE),
    setAside: ownMetric(namespace, SET_ASIDE, 'Sum'),
    timersFailed: ownMetric(namespace, TIMERS_FAILED, 'Sum'),
    timersOverdue: ownMetric(namespace, TIMERS_OVERDUE, 'Maximum'),
    deliveriesFailed: ownMetric(namespace, DELIVERIES_FAILED, 'Sum'),
    messages: ownMetric(namespace, MESSAGES, 'Sum', FIVE_MINUTES),
    messagesLate: ownMetric(namespace, MESSAGES_LATE, 'Sum', FIVE_MINUTES),
    jobsStopped: ownMetric(namespace, JOBS_STOPPED, 'Maximum', FIVE_MINUTES),
    oldestJob: ownMetric(namespace, OLDEST_JOB, 'Maximum', FIVE_MINUTES),
    requests: balancer.metrics.requestCount(sum),
    responseTime: balancer.metrics.targetResponseTime({ ...MINUTE, statistic: 'p99' }),
    serverErrors: balancer.metrics.httpCodeTarget(HttpCodeTarget.TARGET_5XX_COUNT, sum),
    balancerErrors: balancer.metrics.httpCodeElb(HttpCodeElb.ELB_5XX_COUNT, sum),
    unhealthy: api.targets.metrics.unhealthyHostCount(most),
    healthy: api.targets.metrics.healthyHostCount({ ...MINUTE, statistic: 'Minimum' }),
    cpu: api.service.metricCpuUtilization({ ...MINUTE, statistic: 'Average' }),
    memory: api.service.metricMemoryUtilization(most),
    cacheCpu: cacheMetric('cpu', 'EngineCPUUtilization'),
    cacheMemory: cacheMetric('memory', 'DatabaseMemoryUsagePercentage'),
    throttles,
    readUnits: table.metricConsumedReadCapacityUnits(sum),
    writeUnits: table.metricConsumedWriteCapacityUnits(sum),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

interface AlarmOptions extends Pick<AlarmProps, 'threshold' | 'evaluationPeriods' | 'comparisonOperator'> {
  readonly metric: IMetric;
  /** What it means, in one sentence. */
  readonly means: string;
  /** How many of the periods. Default: all. */
  readonly of?: number;
  /** Whether no data is as bad. Default: it is good. */
  readonly missingIsBad?: boolean;
}

/** One alarm for each way in which the service can fail. Its description names its section of the runbook. */
export function createAlarms(scope: Construct, metrics: Metrics, topic: ITopic): readonly Alarm[] {
  const action = new SnsAction(topic);
  const fill = (id: string) => `FILL(${id}, 0)`;
  const throttles = Object.fromEntries(metrics.throttles.map((metric, i) => [`m${i}`, metric]));
  const wanted: Readonly<Record<string, AlarmOptions>> = {
    ConsumerBehind: {
      metric: metrics.iteratorAge,
      threshold: 60_000,
      evaluationPeriods: 5,
      means: 'Changes wait for more than a minute before they become events and badges.',
    },
    ConsumerFarBehind: {
      metric: metrics.iteratorAge,
      threshold: 6 * 3_600_000,
      evaluationPeriods: 1,
      means: 'Changes wait for six hours. After 24 hours they are lost to the consumer.',
    },
    ConsumerErrors: {
      metric: metrics.consumerErrors,
      threshold: 0,
      evaluationPeriods: 5,
      of: 3,
      means: 'The consumer function fails as a whole, for example because it cannot be configured.',
    },
    ConsumerFailures: {
      metric: metrics.consumerFailures,
      threshold: 0,
      evaluationPeriods: 1,
      means: 'Records were not handled before the stream deleted them.',
    },
    TimersFailures: {
      metric: metrics.timersFailures,
      threshold: 0,
      evaluationPeriods: 1,
      means: 'A call of the timers function failed or could not be made.',
    },
    SetAside: {
      metric: metrics.setAside,
      threshold: 0,
      evaluationPeriods: 1,
      means: 'A change kept failing and is a dead letter.',
    },
    TimersFailed: {
      metric: metrics.timersFailed,
      threshold: 0,
      evaluationPeriods: 1,
      means: 'A timer failed for a day and was given up.',
    },
    TimersOverdue: {
      metric: metrics.timersOverdue,
      threshold: 60_000,
      evaluationPeriods: 5,
      missingIsBad: true,
      means:
        'Timers are more than a minute late, or nothing handles them, for example because DynamoDB is down.',
    },
    DeliveriesFailed: {
      metric: metrics.deliveriesFailed,
      threshold: 10,
      evaluationPeriods: 15,
      of: 5,
      means: 'Many pushes or webhooks ended without success.',
    },
    JobsNeedLook: {
      metric: metrics.jobsStopped,
      threshold: 0,
      evaluationPeriods: 3,
      means: 'Jobs have failed, or are paused.',
    },
    JobsWait: {
      metric: metrics.oldestJob,
      threshold: 6 * 3_600_000,
      evaluationPeriods: 1,
      means: 'The oldest job has been open for more than six hours.',
    },
    MessagesLate: {
      metric: new MathExpression({
        expression: `IF(${fill('messages')} > 20, 100 * ${fill('late')} / messages, 0)`,
        usingMetrics: { messages: metrics.messages, late: metrics.messagesLate },
        label: 'Percent of messages that reached their first reader late',
        ...FIVE_MINUTES,
      }),
      threshold: 1,
      evaluationPeriods: 2,
      means:
        'More than one message in a hundred reaches its first reader more than 2.5 seconds after it was sent.',
    },
    ServerErrors: {
      metric: new MathExpression({
        expression: `IF(${fill('requests')} > 20, 100 * (${fill('target')} + ${fill('elb')}) / requests, 0)`,
        usingMetrics: {
          requests: metrics.requests,
          target: metrics.serverErrors,
          elb: metrics.balancerErrors,
        },
        label: 'Percent of requests that ended with 5xx',
        ...MINUTE,
      }),
      threshold: 1,
      evaluationPeriods: 5,
      of: 3,
      means: 'More than one percent of the requests end with 5xx.',
    },
    UnhealthyServers: {
      metric: metrics.unhealthy,
      threshold: 0,
      evaluationPeriods: 5,
      of: 3,
      means: 'A server does not respond at /healthz.',
    },
    NoServers: {
      metric: metrics.healthy,
      threshold: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: 2,
      missingIsBad: true,
      means: 'No server is healthy: the service is down.',
    },
    ServersBusy: {
      metric: metrics.cpu,
      threshold: 85,
      evaluationPeriods: 15,
      means: 'The servers are busy although servers may be added: the maximum is reached.',
    },
    Throttled: {
      metric: new MathExpression({
        expression: Object.keys(throttles).map(fill).join(' + '),
        usingMetrics: throttles,
        label: 'Throttled requests of the table and its index',
        ...MINUTE,
      }),
      threshold: 0,
      evaluationPeriods: 5,
      of: 3,
      means: 'DynamoDB refuses requests: a partition, or the table, is at its limit.',
    },
    ConsumerThrottled: {
      metric: metrics.consumerThrottles,
      threshold: 0,
      evaluationPeriods: 5,
      of: 3,
      means: "The account's functions are at their limit of concurrency.",
    },
    CacheBusy: {
      metric: metrics.cacheCpu,
      threshold: 80,
      evaluationPeriods: 5,
      means: 'Valkey is at the limit of its one thread: badges and events are late.',
    },
    CacheFull: {
      metric: metrics.cacheMemory,
      threshold: 80,
      evaluationPeriods: 5,
      means: 'Valkey has little memory left.',
    },
  };
  // Their names are also those of queues.
  const alarms = new Construct(scope, 'Alarm');
  return Object.entries(wanted).map(([name, { of, means, missingIsBad, ...options }]) => {
    const alarm = new Alarm(alarms, name, {
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      ...options,
      datapointsToAlarm: of ?? options.evaluationPeriods,
      treatMissingData: missingIsBad === true ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      alarmDescription: `${means} docs/runbook.md#${name.toLowerCase()}`,
    });
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    return alarm;
  });
}
