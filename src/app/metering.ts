import type { Log } from '../core/log.ts';
import type { Metrics } from '../core/metrics.ts';
import { createSpacedLines } from '../core/spacedLines.ts';
import type { Call, Cost, Metering } from '../dynamo/metering.ts';

export interface MeteringOptions {
  readonly metrics: Metrics;
  readonly log: Pick<Log, 'info' | 'debug' | 'warn'>;
  /**
   * The level of the lines about slow calls. Default: info. The embedded database shares the processors with the
   * server, so a slow call there says only that the machine is busy.
   */
  readonly slowCalls?: 'info' | 'debug';
  /** Milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

/** A call of DynamoDB that takes longer is in the log. It usually takes less than 10 ms. */
const SLOW_MS = 100;
/** At most one line in this time for each pattern: when DynamoDB is slow, everything is. */
const LINE_EVERY_MS = 1_000;
/** At most one line in this time for each operation and error: if DynamoDB refuses a process, it refuses every call. */
const REFUSAL_EVERY_MS = 60_000;

/**
 * Counts the calls of DynamoDB and their units by what they were for, and logs slow ones and those of a process that
 * DynamoDB refuses, without what they contain: a client gets only `UNAVAILABLE`.
 */
export function createMetering(options: MeteringOptions): Required<Metering> {
  const { metrics, log, slowCalls = 'info', now = () => performance.now() } = options;
  /** By pattern. There are a few hundred patterns. */
  const slowLines = createSpacedLines({ everyMs: LINE_EVERY_MS, now });
  /** By operation and error. */
  const refusalLines = createSpacedLines({ everyMs: REFUSAL_EVERY_MS, now });

  const secondsOf = remembered((pattern) => metrics.dynamoSeconds.labels({ pattern }));
  const unitsOf = remembered((pattern) =>
    remembered((operation) => ({
      read: metrics.dynamoReadUnits.labels({ pattern, operation }),
      write: metrics.dynamoWriteUnits.labels({ pattern, operation }),
    })),
  );

  function observe({ operation, pattern, ms, span }: Call, fields: object): void {
    secondsOf(pattern)(ms / 1_000, span);
    if (ms < SLOW_MS) return;
    const leftOut = slowLines.next(pattern);
    if (leftOut === undefined) return;
    log[slowCalls](
      { event: 'slow_call', pattern, operation, ms: Math.round(ms), ...fields, leftOut },
      'A call of DynamoDB was slow',
    );
  }

  function logRefusal({ operation, pattern }: Call, err: Error): void {
    const leftOut = refusalLines.next(`${operation} ${err.name}`);
    if (leftOut === undefined) return;
    log.warn(
      { operation, pattern, err, leftOut },
      'DynamoDB refuses this process: look at its credentials, its permissions, and the table and its key',
    );
  }

  return {
    onCost(cost: Cost) {
      const { operation, pattern, readUnits, writeUnits } = cost;
      const units = unitsOf(pattern)(operation);
      if (readUnits > 0) units.read.inc(readUnits);
      if (writeUnits > 0) units.write.inc(writeUnits);
      observe(cost, { readUnits, writeUnits });
    },
    onFailure(call) {
      const { pattern, reason, refusal } = call;
      metrics.dynamoFailures.inc({ pattern, reason });
      if (refusal !== undefined) logRefusal(call, refusal);
      observe(call, { reason });
    },
  };
}

/** Makes a value once for each name: looking labels up takes longer than counting. */
function remembered<T>(make: (name: string) => T): (name: string) => T {
  const made = new Map<string, T>();
  return (name) => {
    const known = made.get(name) ?? make(name);
    made.set(name, known);
    return known;
  };
}
