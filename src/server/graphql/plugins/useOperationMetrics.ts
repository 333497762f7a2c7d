import type { ExecutionResult } from 'graphql';
import type { Log } from '../../../core/log.ts';
import type { Metrics } from '../../../core/metrics.ts';
import type { Operation, ServerPlugin } from '../operation.ts';

export interface OperationMetrics {
  /** Counts an operation by its result. Also logs it if the log level is `debug`. */
  record(operation: Operation, result: Pick<ExecutionResult, 'errors'>): void;
}

export function createOperationMetrics({ log, metrics }: { log: Log; metrics: Metrics }): OperationMetrics {
  return {
    record({ transport, type = 'unknown', requestId, startedAt }, { errors = [] }) {
      const code = String(errors[0]?.extensions.code ?? 'OK');
      const ms = performance.now() - startedAt;
      metrics.operations.inc({ transport, type, code });
      metrics.operationSeconds.observe({ transport, type }, ms / 1_000);
      if (log.isLevelEnabled('debug')) {
        log.debug({ requestId, transport, type, code, ms: Math.round(ms * 10) / 10 }, 'operation');
      }
    },
  };
}

/** Records the operations that came over HTTP. For websockets, `socketOperations.ts` records them. */
export function useOperationMetrics(operationMetrics: OperationMetrics): ServerPlugin {
  return {
    onExecutionResult({ result, context }) {
      if (result === undefined || Array.isArray(result) || Symbol.asyncIterator in result) return;
      operationMetrics.record(context, result as ExecutionResult);
    },
  };
}
