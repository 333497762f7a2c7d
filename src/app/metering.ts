import type { Log } from '../core/log.ts';
import { LOG_EVENTS } from '../core/logEvents.ts';
import type { Metrics } from '../core/metrics.ts';
import type { Call, Cost, Metering } from '../dynamo/dynamo.ts';

export interface MeteringOptions {
  readonly metrics: Metrics;
  readonly log: Pick<Log, 'info'>;
  /** Milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

/** A call of DynamoDB that takes longer is in the log. It usually takes less than 10 ms. */
const SLOW_MS = 100;
/** At most one line in this time for each pattern: when DynamoDB is slow, everything is. */
const LINE_EVERY_MS = 1_000;

/** Counts the calls of DynamoDB and their units by what they were for, and logs slow ones, without what they contain. */
export function createMetering(options: MeteringOptions): Required<Metering> {
  const { metrics, log, now = () => performance.now() } = options;
  /** By pattern, of which there are a few hundred: when the last line was logged, and how many were left out since. */
  const logged = new Map<string, { at: number; leftOut: number }>();

  function observe({ operation, pattern, ms }: Call, fields: object): void {
    metrics.dynamoSeconds.observe({ pattern }, ms / 1_000);
    if (ms < SLOW_MS) return;
    const at = now();
    const last = logged.get(pattern);
    if (last !== undefined && at - last.at < LINE_EVERY_MS) {
      last.leftOut++;
      return;
    }
    const leftOut = last?.leftOut ?? 0;
    logged.set(pattern, { at, leftOut: 0 });
    log.info(
      { event: LOG_EVENTS.slowCall, pattern, operation, ms: Math.round(ms), ...fields, leftOut },
      'A call of DynamoDB was slow',
    );
  }

  return {
    onCost(cost: Cost) {
      const { operation, pattern, readUnits, writeUnits } = cost;
      if (readUnits > 0) metrics.dynamoReadUnits.inc({ pattern, operation }, readUnits);
      if (writeUnits > 0) metrics.dynamoWriteUnits.inc({ pattern, operation }, writeUnits);
      observe(cost, { readUnits, writeUnits });
    },
    onFailure(call) {
      const { pattern, reason } = call;
      metrics.dynamoFailures.inc({ pattern, reason });
      observe(call, { reason });
    },
  };
}
