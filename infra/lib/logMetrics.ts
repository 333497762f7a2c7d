import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { LOG_METRICS, metricValueOf, patternOf } from './logPatterns.ts';

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
      metricValue: metricValueOf(metric),
    });
  }
}
