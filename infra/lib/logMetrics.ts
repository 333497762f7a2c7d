import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/** Lines of the log become metrics: `src/core/logEvents.ts` has the events, and a test compares the names. */
interface LogMetric {
  readonly event: string;
  /** A condition on other fields. */
  readonly and?: string;
  /** The field whose value it is. Default: the number of lines. */
  readonly field?: string;
}

export const SOCKETS = 'Sockets';
export const SET_ASIDE = 'SetAside';
export const TIMERS_FAILED = 'TimersFailed';
export const TIMERS_OVERDUE = 'TimersOverdue';
export const DELIVERIES_FAILED = 'DeliveriesFailed';

export const LOG_METRICS: Readonly<Record<string, LogMetric>> = {
  [SOCKETS]: { event: 'load', field: 'sockets' },
  [SET_ASIDE]: { event: 'set_aside' },
  [TIMERS_FAILED]: { event: 'timer_failed' },
  // Calls that did not get the lease know nothing.
  [TIMERS_OVERDUE]: { event: 'timers', and: '$.active IS TRUE', field: 'overdueMs' },
  [DELIVERIES_FAILED]: { event: 'delivery_failed' },
};

/** The pattern of CloudWatch that matches its lines. */
export const patternOf = ({ event, and }: LogMetric): string =>
  `{ ${[`$.event = "${event}"`, ...(and === undefined ? [] : [and])].map((one) => (and === undefined ? one : `(${one})`)).join(' && ')} }`;

export interface LogMetricsOptions {
  readonly namespace: string;
  readonly log: ILogGroup;
  readonly names: readonly string[];
  /** Of the filters' ids, for a second log with the same metrics. */
  readonly prefix?: string;
}

export function createLogMetrics(
  scope: Construct,
  { namespace, log, names, prefix = '' }: LogMetricsOptions,
): void {
  for (const name of names) {
    const metric = LOG_METRICS[name];
    if (metric === undefined) throw new Error(`There is no metric ${name}.`);
    new MetricFilter(scope, prefix + name, {
      logGroup: log,
      filterPattern: FilterPattern.literal(patternOf(metric)),
      metricNamespace: namespace,
      metricName: name,
      metricValue: metric.field === undefined ? '1' : `$.${metric.field}`,
    });
  }
}
