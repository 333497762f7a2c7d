import type { ExecutionResult, OperationTypeNode } from 'graphql';
import type { Log } from '../../core/log.ts';
import type { Metrics } from '../../core/metrics.ts';
import type { Operation } from './operation.ts';

/**
 * Counts an operation by its result. Also logs it if the log level is `debug`. `type` is undefined if the document was
 * refused. `span` is the `id` of its span, if it is traced.
 */
export type RecordOperation = (
  operation: Operation,
  type: OperationTypeNode | undefined,
  result: Pick<ExecutionResult, 'errors'>,
  span?: string,
) => void;

export function createOperationMetrics({ log, metrics }: { log: Log; metrics: Metrics }): RecordOperation {
  return ({ transport, requestId, startedAt }, typeNode, { errors = [] }, span) => {
    const type = typeNode ?? 'unknown';
    const code = String(errors[0]?.extensions.code ?? 'OK');
    const ms = performance.now() - startedAt;
    metrics.operations.inc({ transport, type, code });
    metrics.operationSeconds.observe({ transport, type }, ms / 1_000, span);
    if (log.isLevelEnabled('debug')) {
      log.debug({ requestId, transport, type, code, ms: Math.round(ms * 10) / 10 }, 'operation');
    }
  };
}
