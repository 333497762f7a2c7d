import type { ExecutionResult, OperationTypeNode } from 'graphql';
import type { Engine, RunnableOperation } from './engine.ts';
import type { Operation } from './operation.ts';
import type { PreparedOperation } from './preparedOperations.ts';
import { httpError, type RequestParams } from './requestParams.ts';

export interface HttpOperation {
  readonly params: RequestParams;
  readonly operation: Operation;
  readonly method: string;
}

/**
 * Prepares an operation that came over HTTP. Throws UNAUTHENTICATED and RATE_LIMITED before the document is read, then
 * what is wrong with it, and 405 for a mutation that was not sent by POST.
 */
export async function prepareHttpOperation(
  engine: Engine,
  { params, operation, method }: HttpOperation,
): Promise<PreparedOperation> {
  // Before the document is read: with a token that is not valid it costs nothing.
  const identity = await operation.identify();
  if (identity === null) await operation.chargeDocument?.(params.query);
  const holder = { user: identity?.sub ?? null, network: operation.network };
  const prepared = engine.prepare(params.query, params.operationName, holder);
  if (prepared.type === 'mutation' && method !== 'POST') {
    throw httpError(405, 'A mutation must be sent by POST.', { headers: { allow: 'POST' } });
  }
  operation.onPrepared?.(prepared.type);
  return prepared;
}

/**
 * Runs an operation whose result is one JSON text, so it is not a subscription. Never rejects. `execute`: one of the
 * engine's functions.
 */
export async function runHttpOperation<Result>(
  engine: Engine,
  request: HttpOperation,
  execute: (runnable: RunnableOperation) => Promise<Result>,
): Promise<Result | ExecutionResult> {
  const { params, operation } = request;
  let type: OperationTypeNode | undefined;
  try {
    const prepared = await prepareHttpOperation(engine, request);
    type = prepared.type;
    if (type === 'subscription') {
      throw httpError(
        400,
        'Subscriptions are served over the websocket at the same address, and as an event stream to clients that accept text/event-stream and no JSON.',
      );
    }
    return await execute(await engine.begin(prepared, params.variables, operation));
  } catch (error) {
    return engine.refuse(error, operation, type);
  }
}
