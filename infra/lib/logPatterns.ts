// Without AWS CDK, so that the tests of the program can use it.

/**
 * Lines of the log become metrics: `src/core/logEvents.ts` has the events, and `test/app/logMetrics.test.ts` runs the
 * patterns over real lines.
 */
export interface LogMetric {
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
export const MESSAGES = 'Messages';
export const MESSAGES_LATE = 'MessagesLate';
export const JOBS_STOPPED = 'JobsStopped';
export const OLDEST_JOB = 'OldestJob';

export const LOG_METRICS: Readonly<Record<string, LogMetric>> = {
  [SOCKETS]: { event: 'load', field: 'sockets' },
  [SET_ASIDE]: { event: 'set_aside' },
  [TIMERS_FAILED]: { event: 'timer_failed' },
  // Calls that did not get the lease know nothing.
  [TIMERS_OVERDUE]: { event: 'timers', and: '$.active IS TRUE', field: 'overdueMs' },
  [DELIVERIES_FAILED]: { event: 'delivery_failed' },
  [MESSAGES]: { event: 'load', field: 'messages' },
  [MESSAGES_LATE]: { event: 'load', field: 'lateMessages' },
  [JOBS_STOPPED]: { event: 'jobs', field: 'stopped' },
  [OLDEST_JOB]: { event: 'jobs', field: 'oldestMs' },
};

/** The pattern of CloudWatch that matches its lines. */
export const patternOf = ({ event, and }: LogMetric): string =>
  `{ ${[`$.event = "${event}"`, ...(and === undefined ? [] : [and])].map((one) => (and === undefined ? one : `(${one})`)).join(' && ')} }`;

/** What CloudWatch takes as the value: a number, or a field. */
export const metricValueOf = ({ field }: LogMetric): string => (field === undefined ? '1' : `$.${field}`);
