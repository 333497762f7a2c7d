import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Metrics } from './alarms.ts';

/** The alarms, then a graph for each part of the service. */
export function createDashboard(scope: Construct, metrics: Metrics, alarms: readonly Alarm[]): Dashboard {
  const graph = (title: string, left: IMetric[], right: IMetric[] = []) =>
    new GraphWidget({ title, left, right, width: 8, height: 6 });
  return new Dashboard(scope, 'Dashboard', {
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 4 })],
      [
        graph('Requests, and their 99th percentile', [metrics.requests], [metrics.responseTime]),
        graph('Errors', [metrics.serverErrors, metrics.balancerErrors]),
        graph('Servers', [metrics.healthy, metrics.unhealthy], [metrics.cpu, metrics.memory]),
      ],
      [
        graph('Age of the oldest change', [metrics.iteratorAge], [metrics.consumerDuration]),
        graph('Timers overdue', [metrics.timersOverdue], [metrics.timersErrors]),
        graph('What failed', [metrics.setAside, metrics.timersFailed, metrics.deliveriesFailed]),
      ],
      [
        graph('Messages, and those that were late', [metrics.messages], [metrics.messagesLate]),
        graph(
          'Jobs: failed or paused, and the age of the oldest',
          [metrics.jobsStopped],
          [metrics.oldestJob],
        ),
      ],
      [
        graph('Units of the table', [metrics.readUnits, metrics.writeUnits]),
        graph('Throttled', metrics.throttles, [metrics.consumerThrottles]),
        graph('Valkey', [metrics.cacheCpu, metrics.cacheMemory]),
      ],
    ],
  });
}
